"""Our numbers beside the published ones: the cells of a table, and the register of recorded results.

`_compare` makes and judges the cells of a table (the judgement itself is in `weaklearn.lab.verdicts`), `_register`
keeps results at full strength, and `_register_check` tells whether today's code still gives them.
"""
