"""Linear threshold learners."""
from weaklearn.linear._zero_one_step import ZeroOneStep, zero_one_step
