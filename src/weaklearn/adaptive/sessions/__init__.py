"""An experiment as a file: answers that are never lost, imports, exports, changes while it runs."""
