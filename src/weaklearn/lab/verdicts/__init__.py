"""What was published, and how a difference from it is judged: pure functions of numbers.

`_published` reads the cells of a document with their precision, errors and bounds; `_verdicts` turns our numbers and
theirs into *confirmed*, *contradicted* or *undecided*.
"""
