"""The matrix of bad and extreme input: every public estimator and function against every kind of input.

``python -m benchmarks.bad_input`` prints it. `kinds` says what is given and what is right, `subjects` what is tried,
`matrix` runs a cell and judges it. A cell is *right* (the answer that the kind's oracle wants), *refused* (a ValueError
or TypeError that names the problem, where that is right), or a fault: *raw* (any other error, or a RuntimeWarning),
*wrong* (an answer where there is none, or another answer than the oracle's), *hang*.
"""
