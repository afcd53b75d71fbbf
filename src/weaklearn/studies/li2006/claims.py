"""What li2006 claims in chapters 1, 3 and 4, and the trials that test it. Chapter 2 is li2005: its claims are there.

Conventions
-----------
- Test errors are in percent; differences are paired by trial. A claim about a figure reads the final values of its
  runs.
- "Most" of ten sets is six or more. "Comparable" is within one point of test error: the document's own standard errors
  on the smallest sets are that large (glass 0.9, iris and wine 0.4 to 0.6).
- "Much lower" is at most half.
- Where the document has one random draw, its number must be typical of ours: between the 5% and the 95% quantile.
- Chapter 3 has one unknown target of the data engine; ours are three of each of its three families.
"""

from weaklearn.studies.li2006.cgboost_claims import CHAPTER_3
from weaklearn.studies.li2006.complexity_claims import CHAPTER_1
from weaklearn.studies.li2006.multiclass_claims import CHAPTER_4

CLAIMS = (*CHAPTER_1, *CHAPTER_3, *CHAPTER_4)
