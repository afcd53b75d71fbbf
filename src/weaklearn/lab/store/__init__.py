"""Finished trials on disk: one SQLite file, what each result was made by, and what to do when a file is damaged.

`_store` adds and reads trials, `_format` is the layout of the file and its checksums, `_repair` finds and mends damage,
`_stamps` and `_fingerprint` tell which code and libraries a result belongs to. Nothing here runs a trial.
"""
