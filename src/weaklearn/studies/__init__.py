"""The studies: one folder per source document, and `own` for studies of ours.

A folder holds the document's experiments, their trials and drawings, and ``published.csv``, its published cells.
Every module in it that defines ``EXPERIMENT`` is an experiment; there is no list to keep. Studies use public names of
`weaklearn.lab` and of the science; neither knows them.
"""
