"""Compiled loops of splits and small trees.

`orders` keeps samples sorted, `criteria` values a split, `split` finds the best one in a part of the samples, `grow`
makes a tree of them, `binned` the same one of a large set, `stump` a stump, `scores` evaluates many trees. The fast
loops of the first two criteria are those of stumps (`weaklearn._fast.stump_search`, `weaklearn._fast.gini_search`).
"""
