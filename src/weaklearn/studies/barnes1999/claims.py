"""barnes1999: its claims about test errors and p, with the trials that test them; `claims_training` has the others.

Conventions:

- errors are in percent; the error of a trial is the least test error over its rounds, which is what the document
  reports. "At its best p" is the p of the least mean error: chosen on one half of the trials, tested on the other;
- "significantly better" is tested as better; "not significantly better" and "no different" as within a point, half of
  what the sloppy algorithm gains on ring10 in small runs before this list was made, the least difference that the
  document calls significant;
- comparisons on all sets read Figure 6.1 (1,000 rounds everywhere; on the rings these are the trials of Table 5.2);
  where Table 5.2 has more rounds, its tests are read as well;
- the sloppy algorithm has three readings (see `pboost`): claims about its errors are tested with AdaBoost's steps and
  with the program of appendix B, claims about long runs with the program alone, which is what made Figure 6.5.
"""

from weaklearn.lab import Claim
from weaklearn.lab.claims import Difference, Gain, Lowest, Minimum, Ratio, Trend
from weaklearn.studies.barnes1999.parts import P_BEYOND_2, P_VALUES, RINGS
from weaklearn.studies.learners import against

ERROR = "best_test_error"
ALL, READINGS = "figure 6.1", "table readings of sloppy"
ADABOOST_RINGS, ADABOOST_SONAR = "table 5.2 tests 1-4", "table 5.2 test 5"
NAIVE_RINGS, STRICT_RINGS = "table 5.2 tests 8-11", "table 5.2 tests 13-16"
SHORT, LONG, SLOPPY_SONAR = "table 5.2 tests 21-24", "table 5.2 tests 25-28", "table 5.2 test 29"
NOISY = RINGS[1:]
SLOPPY, STRICT, NAIVE = (tuple(f"{name} p={p}" for p in P_VALUES) for name in ("sloppy", "strict", "naive"))
PROGRAM = tuple(f"program, p = {p}" for p in P_VALUES)
COLUMNS = tuple(f"p = {p}" for p in P_VALUES)
POINT = 1.0
# Five of the seven points that the abstract calls a modest amount.
POOR = 5.0


def at(columns, low=0.0, high=10.0):
    """Columns of the values of p, in their order, to p, where p lies between two ends."""
    return {name: p for name, p in zip(columns, P_VALUES, strict=True) if low <= p <= high}


def _best(columns, relation, rows, over="each", **options):
    """The best of some columns of Figure 6.1 minus AdaBoost."""
    return Difference(ALL, ((columns, "AdaBoost"),), relation, rows, ERROR, over=over, **options)


def _all(columns, relation, other="AdaBoost", metric=ERROR, **options):
    """Each of some columns of Figure 6.1 minus AdaBoost or a number."""
    return Difference(ALL, against(columns, other), relation, metric=metric, **options)


PERFORMANCE = (
    Claim(
        "abstract",
        "Abstract",
        "On a low-dimensional noisy set the best p-boosting algorithm has 18% test error where AdaBoost has 25%.",
        (
            # Whole percents, of means whose standard errors are about half a point.
            Difference(ADABOOST_RINGS, (("AdaBoost", 25.0),), "=", rows=("ring20",), tolerance=POINT),
            Difference(SHORT, ((COLUMNS, 18.0),), "=", rows=("ring20",), tolerance=POINT),
        ),
        "Neither set nor algorithm is named. Tested on ring20, where our AdaBoost is nearest to 25%, with sloppy "
        "p-boosting at its best p.",
    ),
    Claim(
        "slightly better in most cases",
        "6.1; Figure 6.1",
        "On average the p-boosting algorithms at their best p are better than AdaBoost in most cases.",
        tuple(
            Lowest(ALL, names, at_least=4, columns=("AdaBoost", *names), metric=ERROR)
            for names in (SLOPPY, STRICT, NAIVE)
        ),
        "Counted over the six public sets, with the best p chosen on the same trials, as in the document.",
    ),
    Claim(
        "sloppy on noisy rings",
        "6.1; Figure 6.1",
        "At its best p sloppy p-boosting generalises better than AdaBoost on rings with 10%, 20% and 30% of wrong "
        "labels.",
        (
            _best(SLOPPY, "<", NOISY),
            Difference(READINGS, ((PROGRAM, "AdaBoost"),), "<", NOISY, item_b=ADABOOST_RINGS, over="each"),
        ),
        "Both readings of the sloppy algorithm; the least test error over the rounds, on which stopping rules have no "
        "influence.",
    ),
    Claim(
        "largest improvement",
        "Chapter 7",
        "At the optimal p sloppy p-boosting improves on AdaBoost's error by up to 25%.",
        # 18 against 25, as the abstract has it, is 28%: the document itself differs by three.
        (
            Gain(ALL, SLOPPY, "AdaBoost", 22.0, 28.0, rows=NOISY, metric=ERROR),
            Gain(LONG, COLUMNS[:6], "AdaBoost", 22.0, 28.0, rows=NOISY, item_b=ADABOOST_RINGS),
        ),
        "The first test has 1,000 rounds (tests 21 to 24), the second 10,000 with p up to 1 (tests 25 to 28); the text "
        "does not say which it means.",
    ),
    Claim(
        "sloppy with little noise",
        "Abstract; 6.1",
        "AdaBoost performs better than sloppy p-boosting on the sets with little noise, ring0 and sonar.",
        _best(SLOPPY, ">", ("ring0", "sonar")),
        note="By the least test error over the rounds, which is what the document reports, sloppy "
        "p-boosting at its best p is ahead of AdaBoost on both sets.",
    ),
    Claim(
        "sloppy not better with little noise",
        "6.1; Figure 6.1",
        "Sloppy p-boosting is not significantly better than AdaBoost on ring0 and sonar.",
        (
            _best(SLOPPY, ">", ("ring0", "sonar"), bound=-POINT),
            Difference(SLOPPY_SONAR, ((COLUMNS, "AdaBoost"),), ">", item_b=ADABOOST_SONAR, bound=-POINT),
        ),
        "The second test has 10,000 rounds of the sloppy algorithm against 1,000 of AdaBoost, as Table 5.2.",
    ),
    Claim(
        "strict not better",
        "6.1; Figure 6.1",
        "Strict p-boosting at its best p is not significantly better than AdaBoost on any public set.",
        _best(STRICT, ">", (), bound=-POINT),
    ),
    Claim(
        "acacia",
        "6.1; Figure 6.1",
        "Strict and sloppy p-boosting generalise significantly better than AdaBoost on acacia.",
        None,
        "The set is not public.",
    ),
    Claim(
        "naive no different",
        "6.1; 6.5.2; Figure 6.1",
        "Naive p-boosting at its best p does not differ from AdaBoost.",
        _best(NAIVE, "=", (*RINGS, "sonar"), tolerance=POINT),
    ),
    Claim(
        "naive ahead",
        "6.1",
        "Naive p-boosting always outperforms AdaBoost by a small amount.",
        # By a small amount, and always.
        (_best(NAIVE, "<", (*RINGS, "sonar"), over="mean"), _best(NAIVE, "<", (*RINGS, "sonar"))),
        "The document chooses the best of 16 values of p on the trials that it compares: that alone makes an algorithm "
        "without any effect look slightly better everywhere.",
    ),
    Claim(
        "naive and p",
        "6.3; Figure 6.3",
        "The parameter p has little effect on naive p-boosting: at every p it is within a point of AdaBoost.",
        _all(NAIVE, "=", rows=(*RINGS, "sonar"), tolerance=POINT, over="each"),
    ),
    Claim(
        "more rounds",
        "6.2; Figure 6.2",
        "Sloppy and strict p-boosting at their best p need more rounds than AdaBoost to their least test error.",
        tuple(
            Ratio(ALL, ((names, "AdaBoost"),), ">", (*RINGS, "sonar"), "best_round", by=ERROR, over="each")
            for names in (SLOPPY, STRICT)
        ),
    ),
)
EFFECT_OF_P = (
    Claim(
        "optimal p",
        "6.3; Figure 6.3",
        "On noisy rings sloppy p-boosting has its least error at a p between .8 and 1.2.",
        (
            Minimum(SHORT, at(COLUMNS), 0.8, 1.2, rows=NOISY, unit="p"),
            Minimum(READINGS, at(PROGRAM), 0.8, 1.2, rows=NOISY, unit="p"),
        ),
    ),
    Claim(
        "slope with little noise",
        "6.3; Figure 6.3",
        "On ring0 and sonar the error of sloppy p-boosting falls as p grows to 2.",
        (Trend(SHORT, at(COLUMNS), "<", others=("ring0",)), Trend(SLOPPY_SONAR, at(COLUMNS), "<")),
    ),
    Claim(
        "optimal p with little noise",
        "6.3",
        "On ring0 and sonar sloppy p-boosting may have its least error at a p above 2.",
        Minimum("table p beyond 2", {f"p = {p}": p for p in P_BEYOND_2}, 2.1, unit="p"),
        "The document has no p above 2 and only says that such a minimum may exist.",
    ),
    Claim(
        "strict poor below 1",
        "6.3; Figure 6.3",
        "Strict p-boosting is very poor for p below 1: more than five points worse than AdaBoost.",
        _all(STRICT[:5], ">", bound=POOR, over="each"),
    ),
    Claim(
        "strict ends early",
        "4.3.3; 6.3; Figure 6.5",
        "For p below 1 strict p-boosting ends after few rounds.",
        _all(STRICT[:5], "<", 100.0, "n_rounds", over="each", unit="rounds more than 100"),
    ),
    Claim(
        "strict ends at p = .5",
        "Figure 6.5",
        "With p = 0.5 strict p-boosting ends after a handful of rounds on ring30 (2 in the run shown).",
        Difference(
            STRICT_RINGS, (("p = 0.5", 5.0),), "<", ("ring30",), "n_rounds", unit="rounds more than 5"
        ),
    ),
    Claim(
        "strict reasonable from 1",
        "6.3; Figure 6.3",
        "For p from 1 to below 2 strict p-boosting reaches a reasonable hypothesis: within five points of AdaBoost.",
        _all(STRICT[5:15], "<", bound=POOR, over="each"),
    ),
    Claim(
        "strict on wpbc",
        "6.3; Figure 6.3",
        "For p from 1 to below 2 strict p-boosting is particularly good on wpbc: better than AdaBoost.",
        _all(STRICT[5:15], "<", rows=("wpbc",)),
        note="On average over p = 1, 1.1, ..., 1.9 it is a quarter of a point worse.",
    ),
    Claim(
        "strict has an optimum",
        "6.3",
        "On rings with 20% and 30% of wrong labels strict p-boosting has its least error at a p between 1 and 2.",
        Minimum(ALL, at(STRICT), 1.05, 1.95, rows=("ring20", "ring30"), metric=ERROR, unit="p"),
    ),
    Claim(
        "best p on ring30",
        "6.3",
        "On ring30 the best p is 1.7 for strict and .9 for sloppy p-boosting.",
        (
            # One step of p more or less.
            Minimum(ALL, at(STRICT), 1.55, 1.85, rows=("ring30",), metric=ERROR, unit="p"),
            Minimum(ALL, at(SLOPPY), 0.75, 1.05, rows=("ring30",), metric=ERROR, unit="p"),
        ),
    ),
    Claim(
        "best p differs",
        "6.3",
        "On ring30 the best p of strict p-boosting lies above .8 to 1.2, the range of the best p of sloppy p-boosting.",
        Minimum(ALL, at(STRICT), at_least=1.25, rows=("ring30",), metric=ERROR, unit="p"),
    ),
)
CLAIMS = (*PERFORMANCE, *EFFECT_OF_P)
