"""barnes1999: its claims about theory, training runs and data; `claims` has the others, and the conventions."""

from functools import partial

from weaklearn.lab import Claim
from weaklearn.lab.claims import Difference, Fact, Ratio, Share, Trend
from weaklearn.studies.barnes1999.claims import (
    ADABOOST_RINGS,
    COLUMNS,
    LONG,
    NAIVE_RINGS,
    NOISY,
    POINT,
    POOR,
    SHORT,
    STRICT_RINGS,
    at,
)
from weaklearn.studies.barnes1999.parts import NOISE, ROUNDS_SHOWN
from weaklearn.studies.learners import against, same

RUNS, LONG_RUNS, ROUNDS = "table training runs", "table long runs", "table rounds of AdaBoost"
# With p = .5, 1 and 1.5.
SLOPPY, PROGRAM = (tuple(f"{name} p = {p}" for p in (0.5, 1.0, 1.5)) for name in ("sloppy", "program"))
ADABOOST_WPBC = "table 5.2 test 6"
COMBINED = ("combined 0.8", "combined 1.0", "combined 1.2")
AFTER = tuple(f"after {t}" for t in ROUNDS_SHOWN)


# Pairs of runs on ring30, each of them, and pairs of long runs there.
_runs, _long = partial(Difference, RUNS, rows=("ring30",), over="each"), partial(Difference, LONG_RUNS)


def _magnitude(p, relation, decimals):
    """The smallest coefficient with p against 1e-decimals."""
    unit = f"orders of magnitude above 1e-{decimals}"
    return _long(((f"program p = {p}", -float(decimals)),), relation, metric="least_weight", unit=unit)


def _no_violation(number):
    return Share("table theorems", ("violation",), "<", 0.05, at_least=0.5, rows=(f"theorem {number}",))


THEORY = (
    Claim(
        "training error bound",
        "3.4.1, theorem 7",
        "AdaBoost's training error is at most the product of sqrt(1 - 4 beta_t^2), beta_t being how far the weighted "
        "error of round t lies below one half.",
        _no_violation(7),
        live=60,
    ),
    Claim(
        "largest margin",
        "3.4.2, theorem 9",
        "AdaBoost converges to the combination of its hypotheses whose least margin is largest.",
        _no_violation(9),
        "Tested on random votes of eight hypotheses on eight examples, 20,000 rounds, against a linear program. As a "
        "theorem it is not true: Rudin, Daubechies and Schapire (Journal of Machine Learning Research 5, 2004) have an "
        "eight by eight example that cycles below the largest margin. Such examples are rare.",
    ),
    Claim(
        "overfitting",
        "3.6; Figure 3.7",
        "AdaBoost overfits rings with 20% and 30% of wrong labels: after 1,000 rounds its test error is higher than "
        "after fewer.",
        Difference(ROUNDS, (("after 1000", AFTER[:-1]),), ">", ("ring20", "ring30"), over="each"),
        live=40,
    ),
    Claim(
        "overfitting with noise",
        "3.6; Figure 3.7",
        "The more labels of a ring are wrong, the more AdaBoost overfits.",
        Trend(
            RUNS, {ring: 100 * noise for ring, noise in NOISE.items()}, ">", "rows", ("AdaBoost",), "overfit"
        ),
        live=40,
    ),
    Claim(
        "bound falls with p",
        "4.1.1, theorem 12",
        "The confidence interval of the generalisation bound for p-convex hulls becomes smaller as p does.",
        _no_violation(12),
        "Its factor c(p) is taken to be constant, as the text does: it is not known.",
        live=60,
    ),
    Claim(
        "training error by p",
        "4.1; Figure 4.2",
        "The training error of sloppy p-boosting rises as p falls.",
        Trend(SHORT, at(COLUMNS), "<", metric="train_error", over="each"),
    ),
    Claim(
        "strict example",
        "4.3.3",
        "In an example of ten points the line cost of strict p-boosting has no minimum for p up to .6695 and has one "
        "from .6698 on.",
        Fact("table strict example", "ten examples", "threshold", at_least=0.6695, at_most=0.6698),
        live=1,
    ),
    Claim(
        "strict example drawn",
        "Figure 4.5",
        "In an example of ten points the line cost of strict p-boosting has a minimum for p = 1 and p = 2 and rises "
        "throughout for p = 0.5.",
        (
            Fact("table strict example", "ten examples", "threshold", 1.0, 1.0, "smallest_with"),
            Fact("table strict example", "ten examples", "threshold", 0.5, 0.5, "largest_without"),
        ),
    ),
    Claim(
        "dimension of stumps",
        "Appendix A.2, theorem 13",
        "The VC dimension of decision stumps on d features is at most d + 1.",
        _no_violation(13),
        "Exactly, it is the largest m with binomial(m, floor(m / 2)) <= 2 d (`weaklearn.boosting.stump_dimension`, "
        "tested by brute force): d + 1 for d up to 3, and 8 for the 60 features of sonar.",
        live=60,
    ),
)
TRAINING = (
    Claim(
        "test near training error",
        "6.4; Figure 6.4",
        "With p = 0.5 the test and training errors of strict and sloppy p-boosting on ring30 follow each other "
        "closely, within five points, and more closely than with p = 1.5.",
        (
            _runs(against(["strict p = 0.5", "sloppy p = 0.5"], 0.0), "=", tolerance=POOR),
            _runs((("strict p = 0.5", "strict p = 1.5"), ("sloppy p = 0.5", "sloppy p = 1.5")), "<"),
        ),
        "Averaged over the rounds. Training labels are noisy and test labels are not, so that a classifier that fits "
        "nothing but the ring has a training error of 30%.",
    ),
    Claim(
        "strict training error rises",
        "6.4; Figure 6.4",
        "The training error of strict p-boosting with p = 0.5 rises from round to round on ring30.",
        Difference(RUNS, (("strict p = 0.5", 0.0),), ">", rows=("ring30",), metric="rise"),
    ),
    Claim(
        "erratic",
        "6.4; Figure 6.4",
        "The training error of sloppy p-boosting with p = 0.5 and 1 on ring30 is erratic from round to round, more "
        "than with p = 1.5, and steady on average.",
        (
            _runs(against(SLOPPY[:2], "sloppy p = 1.5"), ">", metric="flutter"),
            _runs(against(SLOPPY[:2], 0.0), "=", metric="drift", tolerance=POINT),
        ),
    ),
    Claim(
        "1,000 rounds are not enough",
        "6.4",
        "1,000 rounds are not enough for sloppy p-boosting: with 10,000 its least test error is lower.",
        Difference(LONG, same(COLUMNS[:6]), "<", NOISY, item_b=SHORT, bound=-0.1),
        "The least error over more rounds cannot be higher: it has to be lower by a tenth of a point.",
    ),
    Claim(
        "kink",
        "6.4; Figure 6.5",
        "In long runs of sloppy p-boosting on ring30 the coefficients for p = 0.5 and 1 have a kink at about 800 "
        "rounds.",
        (
            Share(LONG_RUNS, PROGRAM[:2], ">", 0.5, at_most=9_999, metric="kink"),
            # "Approximately", read from a single run on a logarithmic axis.
            _long(
                against(PROGRAM[:2], 800.0), "=", metric="kink", tolerance=200.0, unit="rounds more than 800"
            ),
        ),
        "By the program of appendix B, whose absolute tolerance makes the kink; AdaBoost's steps have none "
        "(docs/differences.md, reading N). The document shows one run; in ten of ours the kink lies between "
        "675 and 2,046.",
    ),
    Claim(
        "training error after the kink",
        "6.4; Figure 6.5",
        "In long runs of sloppy p-boosting on ring30 the training error is noisy up to the kink of the coefficients "
        "and falls after it.",
        _long(same(PROGRAM[:2]), "<", metric="train_error_late", metric_b="train_error_before", over="each"),
    ),
    Claim(
        "tiny weights",
        "6.4; Figure 6.5; chapter 7",
        "Below p = 1.2 sloppy p-boosting spends rounds on hypotheses whose weights are hundreds of orders of "
        "magnitude below a significant level, down to 1e-300; with p = 1.5 it does not.",
        (_magnitude(0.5, "<", 200), _magnitude(1.0, "<", 100), _magnitude(1.5, ">", 100)),
    ),
    Claim(
        "sparse",
        "6.4; Figure 6.5; chapter 7",
        "The final hypothesis of sloppy p-boosting is sparse: fewer than a tenth of 10,000 rounds carry 90% of its "
        "weight, and fewer than with AdaBoost.",
        tuple(
            _long(against(PROGRAM[:2], other), "<", metric="heavy", unit=unit, over="each")
            for other, unit in ((10.0, "percent of rounds more than 10"), ("AdaBoost", "percent of rounds"))
        ),
        "After its kink the program with p = 1 gives thousands of hypotheses coefficients of one size. With AdaBoost's "
        "steps 0.3% of the rounds or fewer carry the weight.",
    ),
    Claim(
        "sparser with smaller p",
        "5.3.1",
        "The smaller p, the fewer rounds carry the weight of the hypothesis of sloppy p-boosting.",
        tuple(
            Trend(RUNS, x, ">", others=("ring30",), metric="heavy", unit="percent of rounds")
            for x in (dict(zip(names, (0.5, 1.0, 1.5), strict=True)) for names in (SLOPPY, PROGRAM))
        ),
        live=6,
    ),
    Claim(
        "strict converges slowly",
        "6.4; Figure 6.5",
        "Strict p-boosting with p = 1.5 needs about ten times as many rounds as AdaBoost to fit ring30 without "
        "training errors.",
        # "About": within a factor of two.
        Ratio(
            LONG_RUNS, (("strict p = 1.5", "AdaBoost"),), "=", metric="converged", bound=10.0, tolerance=1.0
        ),
        note="It needs still more rounds than that.",
    ),
    Claim(
        "early ends on wpbc",
        "6.5.1",
        "About one half of the AdaBoost runs on wpbc make 1,000 rounds before they end.",
        # "About one half": a fifth of the runs more or less.
        Share(ADABOOST_WPBC, ("AdaBoost",), "=", 0.5, tolerance=0.2, at_least=0.5, metric="reached_1000"),
        "With stumps of either sign no weighted error reaches one half, and no run of ours ends. Seven readings tried "
        "(docs/differences.md, barnes1999): unweighted errors end runs on every set, resampling ends those on rings "
        "too, one sign ends those on rings and not on wpbc; labels by unweighted majority end wpbc's after 3 rounds.",
    ),
    Claim(
        "only strict ends early",
        "6.5.1",
        "On the rings and sonar strict p-boosting alone, not AdaBoost and not sloppy or naive p-boosting, ends before"
        " its rounds are over.",
        (
            Share(ADABOOST_RINGS, ("AdaBoost",), "<", 0.02, at_least=0.5, metric="aborted"),
            Share(SHORT, COLUMNS, "<", 0.02, at_least=0.5, metric="aborted"),
            Share(NAIVE_RINGS, COLUMNS, "<", 0.02, at_least=0.5, metric="aborted"),
            Share(STRICT_RINGS, COLUMNS[:5], ">", 0.5, at_least=0.5, metric="aborted"),
        ),
    ),
    Claim(
        "early ends on acacia",
        "6.5.1",
        "On acacia boosting can very rarely train for more than about 100 rounds.",
        None,
        "The set is not public.",
    ),
    Claim(
        "combination",
        "Chapter 7",
        "The p-convex hull combined with a cost that gives up hopeless examples would be superior to either.",
        (
            Difference("table combination", ((COMBINED, ("sloppy 0.8", "sloppy 1.0", "sloppy 1.2")),), "<"),
            Difference("table combination", ((COMBINED, ("DOOM II 3", "DOOM II 10", "DOOM II 30")),), "<"),
        ),
        "A conjecture of the author. The combination is the sloppy algorithm with the bisigmoid cost, whose slope "
        "vanishes for hopeless examples; DOOM II is the flat cost alone. All by their least test error over the "
        "rounds, each at the best of three settings.",
    ),
)
DATA = (
    Claim(
        "classes of sonar",
        "Appendix C.3",
        "Sonar has 97 cylinders and 111 rocks.",
        (
            Fact("table 5.1", "sonar", "Size", 97, 97, "first_class", "cylinders"),
            Fact("table 5.1", "sonar", "Size", 111, 111, "second_class", "rocks"),
        ),
        "The two are exchanged: the repository has 111 cylinders and 97 rocks.",
    ),
    Claim(
        "size of wpbc",
        "Appendix C.4",
        "The prognostic breast cancer set has 194 complete records of 32 attributes.",
        (
            Fact("table 5.1", "wpbc", "Size", 194, 194, unit="records"),
            Fact("table 5.1", "wpbc", "I (dimension)", 32, 32, unit="attributes"),
        ),
        "Table 5.1 has 33 attributes, which is right if the outcome time counts.",
    ),
)
CLAIMS = (*THEORY, *TRAINING, *DATA)
