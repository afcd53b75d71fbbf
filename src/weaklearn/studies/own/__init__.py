"""Studies of ours, without a published counterpart."""
