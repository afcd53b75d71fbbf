"""Claims of li2006, chapter 4; conventions are in `claims`."""

from weaklearn.lab import Claim
from weaklearn.lab.claims import Difference, Lowest, Ratio
from weaklearn.studies.learners import against, same
from weaklearn.studies.li2006 import multiclass

OVO, MAX_CUT, RAND_HALF = "one-vs-one one-vs-all", "ecc max-cut", "ecc rand-half"
ERP = tuple(f"erp {pair} {schedule}" for pair in ("max-2", "rand-2") for schedule in ("LRL", "LRLR"))
# With strong base learners.
ERP_SHORT = tuple(f"erp {pair} {schedule}" for pair in ("max-2", "rand-2") for schedule in ("LR", "LRLR"))
# The column that is left out, one-vs-all, is the higher of the two errors of which the document lists the lower.
IN_TABLE_4_2 = tuple(column.name for column in multiclass.WITH_STUMPS)
# The sets of Figure 4.4.
CURVES = ("letter", "pendigits")
MORE_STEPS = tuple((f"erp {pair} LRLR", f"erp {pair} LRL") for pair in ("max-2", "rand-2"))
TANGRAM = (("max-cut", "rand-half"),)
# With stumps, perceptrons and AdaBoost of stumps.
TABLES = ("table 4.2", "table 4.3", "table 4.4")
SMALL = ("glass", "iris", "vowel", "wine")


def _harder(item, **more):
    """On most sets max-cut has a higher value than rand-half."""
    return Lowest(item, (RAND_HALF,), at_least=6, columns=(MAX_CUT, RAND_HALF), **more)


CHAPTER_4 = (
    Claim(
        "tangram cost",
        "4.2; Figure 4.2",
        "On the tangram, AdaBoost.ECC of perceptrons ends with a higher cost and a higher test error when columns "
        "are max-cuts than when they are random halves.",
        (
            Ratio("figure 4.2", TANGRAM, ">", metric="cost"),
            Difference("figure 4.2", TANGRAM, ">", metric="test_error"),
        ),
        live=4,
    ),
    Claim(
        "tangram harder",
        "4.2; Figure 4.3",
        "On the tangram the binary problems of max-cuts are harder for perceptrons than those of random halves: the "
        "mean coefficient is lower.",
        Difference("figure 4.2", TANGRAM, "<", metric="mean_coefficient", unit="alpha"),
    ),
    Claim(
        "erp stumps",
        "abstract; 4.4; Table 4.2",
        "With stumps AdaBoost.ERP has the lowest test error on most of the ten sets.",
        Lowest("table 4.2", ERP, at_least=6, columns=IN_TABLE_4_2),
    ),
    Claim(
        "erp perceptrons",
        "abstract; 4.4; Table 4.3",
        "With perceptrons AdaBoost.ERP has the lowest test error on most of the ten sets.",
        Lowest("table 4.3", ERP, at_least=6),
        "Eight of ten in the document.",
    ),
    Claim(
        "letter",
        "4.4; Table 4.2",
        "In some cases AdaBoost.ERP gains much: on letter with stumps its test error is at least a tenth lower than "
        "that of AdaBoost.ECC.",
        Ratio("table 4.2", against(reversed(ERP[2:]), RAND_HALF), "<", ("letter",), bound=0.9),
    ),
    Claim(
        "reductions stumps",
        "4.4; Table 4.2",
        "One-vs-one and one-vs-all have large errors with stumps: more than five points above AdaBoost.ERP.",
        Difference("table 4.2", against([OVO, "one-vs-all"], "erp rand-2 LRLR"), ">", bound=5.0),
        "The document's own table has two exceptions, iris (7.60 against 6.60) and vowel (57.14 against 57.65).",
    ),
    Claim(
        "max-cut",
        "4.4; Table 4.2",
        "With stumps, AdaBoost.ECC has a higher test error with max-cut than with random halves most of the time.",
        _harder("table 4.2"),
    ),
    Claim(
        "max-cut elsewhere",
        "4.2; Tables 4.3, 4.4",
        "In the long run max-cuts are usually worse in AdaBoost.ECC than random halves, in training cost and test "
        "error: with stumps, perceptrons and AdaBoost of stumps.",
        tuple(_harder(item, metric=metric) for item in TABLES for metric in ("cost", "test_error")),
    ),
    Claim(
        "erp cost",
        "abstract; 4.4, 4.5; Figures 4.4, 4.5",
        "With equally many base classifiers AdaBoost.ERP has the lowest training cost on most sets, with stumps "
        "and with perceptrons.",
        tuple(Lowest(item, ERP, 6, columns=(MAX_CUT, RAND_HALF, *ERP), metric="cost") for item in TABLES[:2]),
    ),
    Claim(
        "erp much lower cost",
        "4.4; Figures 4.4, 4.5",
        "The training cost of AdaBoost.ERP is much lower than that of AdaBoost.ECC with random halves: at most "
        "half, on letter and pendigits with stumps and on letter with perceptrons.",
        tuple(
            Ratio(item, against(ERP, RAND_HALF), "<", rows, "cost", bound=0.5)
            for item, rows in (("table 4.2", CURVES), ("table 4.3", ("letter",)))
        ),
        'Half is our reading of "much"; the figures show curves whose values are not published. It is lower in every '
        "pair of columns.",
    ),
    Claim(
        "more steps",
        "4.4; Figure 4.4",
        "More steps of repartitioning and learning (LRLR in place of LRL) lower the cost and the test error of "
        "AdaBoost.ERP further, on letter and pendigits with stumps.",
        (
            Ratio("table 4.2", MORE_STEPS, "<", CURVES, "cost"),
            Difference("table 4.2", MORE_STEPS, "<", CURVES),
        ),
    ),
    Claim(
        "more steps, little",
        "4.4; Figure 4.4",
        "More steps of repartitioning and learning (LRLR in place of LRL) lower the test error of AdaBoost.ERP by "
        "less than one point, on letter and pendigits with stumps.",
        Difference("table 4.2", MORE_STEPS, ">", CURVES, bound=-1.0),
        "In the document's own Table 4.2 it is 3.3 points on letter from max-2 (21.05 to 17.73).",
    ),
    Claim(
        "one-vs-one adaboost",
        "4.4; Table 4.4",
        "With binary AdaBoost as base learner, one-vs-one is comparable to AdaBoost.ECC or better.",
        Difference("table 4.4", ((OVO, RAND_HALF),), "<", bound=1.0),
        "Vehicle is the exception in the document too (24.66 against 22.82).",
    ),
    Claim(
        "one-vs-one only there",
        "4.4; Tables 4.2, 4.3",
        "With stumps and with perceptrons one-vs-one is not comparable to AdaBoost.ECC: its test error is more than "
        "one point higher.",
        tuple(Difference(item, ((OVO, RAND_HALF),), ">", bound=1.0) for item in TABLES[:2]),
    ),
    Claim(
        "lr is enough",
        "4.4; Table 4.4",
        "With binary AdaBoost, AdaBoost.ERP with one learning on two classes (LR) is comparable to AdaBoost.ECC, "
        "which learns on all examples.",
        Difference("table 4.4", against(["erp rand-2 LR", "erp max-2 LR"], RAND_HALF), "<", bound=1.0),
        "The document's own Table 4.4 has letter from max-2 at 27.88 against 20.82 and vehicle at 26.01 against "
        "22.82. Its 79.33 for iris is most likely a misprint of 9.33.",
    ),
    Claim(
        "svm lowest",
        "4.4; Table 4.5",
        "The SVM with the perceptron kernel has the lowest test errors of the four base learners on most sets.",
        tuple(Difference("table 4.5", same([RAND_HALF]), "<", SMALL, item_b=item) for item in TABLES),
        "Pendigits and most of satimage are not run. C comes from one validation part.",
    ),
    Claim(
        "svm comparable",
        "4.4; Table 4.5",
        "With SVMs as base learners all multiclass algorithms have comparable test errors.",
        Difference("table 4.5", against([OVO, MAX_CUT, *ERP_SHORT], RAND_HALF), "=", SMALL, tolerance=1.0),
        "Pendigits and most of satimage are not run: a trial of one column takes minutes. The document's vowel has "
        "36.4 to 40.0.",
    ),
    Claim(
        "svm faster",
        "4.4, 4.5",
        "AdaBoost.ERP is much faster than AdaBoost.ECC with SVMs, because its binary problems are easier.",
        Ratio("table 4.5 time", against(ERP_SHORT, 1.0), "<"),
        "The test asks for faster, not for much faster. CPU seconds of both in one trial, C = 8, 200 rounds, "
        "random halves for AdaBoost.ECC. True of LR; LRLR learns on all examples as well, and our sets are small.",
    ),
)
