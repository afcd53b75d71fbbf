"""What chapter 3 of pratap2008 claims about monotone fits and adaptive thresholds, and how each sentence is tested.

"Better" is about the mean squared error of the threshold, which counts bias and variance.
"""

from weaklearn.lab import Claim
from weaklearn.lab.claims import Difference, Fact, Lowest

SYMMETRIC = ("linear", "normcdf", "student-t", "tr", "exponential")
CURVES = "table figures 3.5 to 3.12"
BOTH_PESTS = ("PEST", "PEST, nearest level")


def _over_fits(other):
    """HybridFit minus another fit, on both figures and three numbers of levels."""
    return tuple(
        Difference(item, (("HybridFit", other),), "<", metric=f"deviation_{n}", over="each", unit="deviation")
        for item in ("figure 3.2", "figure 3.3")
        for n in (10, 20, 50)
    )


def _minent(item, other, measure, **more):
    """MinEnt's squared error, variance or bias minus another's, lower."""
    metric, unit = ("squared_error", "squared error") if measure == "error" else (None, "input units")
    name = "variance" if measure == "error" else measure
    pairs = tuple((f"MinEnt {name}", f"{one} {name}") for one in other)
    return Difference(item, pairs, "<", metric=metric, unit=unit, **more)


def _curves(pest, metric, unit):
    """MinEnt with MonFit minus PEST, lower, on the curves of the figures."""
    return Difference(CURVES, (("MinEnt-MonFit", pest),), "<", metric=metric, unit=unit)


# The other methods of the two tables.
OTHERS = {
    "table 3.3": ("Equal-Logfit", "Equal-MonFit", "Staircase", "PEST"),
    "table 3.4": ("Equal-Logfit", "Equal-MonFit", "PEST"),
}

CLAIMS = (
    Claim(
        "theorem 1",
        "3.2.2, theorem 1",
        "The monotone fit to shares of yes has at most the squared error of the shares themselves.",
        Fact("table theorem 1", "random instances", "violations", at_most=0, unit="violations"),
        note="The statement is right (a projection onto a convex set that holds the truth), its proof is not: shares "
        "inside a pool need not fall from level to level, as it says.",
        live=10,
    ),
    Claim(
        "hybridfit over monfit",
        "3.3.4; Figures 3.2, 3.3",
        "HybridFit deviates less from the truth than MonFit, on all eight targets, with 10, 20 and 50 levels.",
        _over_fits("MonFit"),
        live=20,
    ),
    Claim(
        "hybridfit over the parametric fit",
        "3.3.4; Figures 3.2, 3.3",
        "HybridFit deviates less from the truth than the parametric fit, on all eight targets.",
        _over_fits("LogFit"),
        note="The text names the logistic curve of largest likelihood with two parameters. With the slope fixed at "
        ".05 and 50 levels the parametric fit is worse than MonFit on six of eight targets, as the text has it "
        "(reading H).",
    ),
    Claim(
        "minent over staircase",
        "abstract; 3.6; Table 3.3",
        "MinEnt estimates the 50% threshold with a smaller mean squared error than the staircase, over eight targets.",
        _minent("table 3.3", ("Staircase",), "error"),
        note="The published variances of the staircase, .20 to .25, are those of its answers, not of an estimate "
        "(reading E): ours are below .02.",
    ),
    Claim(
        "minent over pest",
        "abstract; 3.6; Tables 3.3, 3.4",
        "MinEnt has a smaller mean squared error than PEST, over eight targets, for both thresholds after 30 answers.",
        tuple(_minent(item, ("PEST",), "error") for item in OTHERS),
        note="PEST asks at the level at or below its estimate, which agrees with its published biases and is what "
        'makes it biased; "minent over usual pest" is the same with the nearest level.',
    ),
    Claim(
        "minent over usual pest",
        "abstract; 3.6",
        "MinEnt has a smaller mean squared error than PEST as it is usually defined, which asks at the nearest level.",
        _curves("PEST, nearest level", "error_after_30", "squared error"),
        reading=True,
    ),
    Claim(
        "minent variance",
        "3.6; Tables 3.3, 3.4",
        "MinEnt has the lowest variance of all methods on most targets (at least five of eight, for each threshold).",
        tuple(
            Lowest(
                item,
                ("MinEnt variance",),
                5,
                columns=(*(f"{name} variance" for name in names), "MinEnt variance"),
            )
            for item, names in OTHERS.items()
        ),
        note="With as many answers a logistic fit of equally spread answers has the lower variance.",
    ),
    Claim(
        "minent bias",
        "3.6; Tables 3.3, 3.4",
        "The bias of MinEnt is at least comparable to that of the other methods: on average over eight targets at "
        "most .005 larger than that of each.",
        tuple(_minent(item, names, "bias", bound=0.005) for item, names in OTHERS.items()),
    ),
    Claim(
        "staircase unbiased",
        "3.6; Table 3.3",
        "The staircase is unbiased for the 50% threshold: within .01 on the symmetric targets.",
        Difference(
            "table 3.3",
            (("Staircase signed bias", 0.0),),
            "=",
            SYMMETRIC,
            tolerance=0.01,
            over="each",
            unit="input units",
        ),
    ),
    Claim(
        "staircase variance",
        "3.6; Table 3.3",
        "The variance of the staircase is higher than those of PEST and MinEnt, over eight targets.",
        tuple(
            Difference(
                "table 3.3", (("Staircase variance", f"{name} variance"),), ">", unit="input units squared"
            )
            for name in ("PEST", "MinEnt")
        ),
        note="The published variances of the staircase, .20 to .25, are those of yes and no answers near "
        "the threshold, not of an estimate between 0 and 1: docs/differences.md.",
    ),
    Claim(
        "pest begins lower",
        "3.6; Figures 3.5 to 3.12",
        "After one answer per level PEST has a lower error than MinEnt on some of the 16 curves (at least two).",
        Lowest(CURVES, ("PEST",), at_least=2, columns=("PEST", "MinEnt-MonFit"), metric="error_after_10"),
    ),
    Claim(
        "minent converges faster",
        "3.6; Figures 3.5 to 3.12",
        "MinEnt reduces its squared error by a larger factor than PEST from 10 to 60 answers.",
        tuple(_curves(name, "reduction", "ratio of errors") for name in BOTH_PESTS),
    ),
    Claim(
        "minent ends lower",
        "3.6; Figures 3.5 to 3.12",
        "In almost all cases (at least 14 of 16) MinEnt with MonFit and with HybridFit ends with a lower error than "
        "PEST; after 60 answers, both definitions of PEST.",
        tuple(
            Lowest(CURVES, (ours,), at_least=14, columns=(ours, name), metric="error_after_60")
            for ours in ("MinEnt-MonFit", "MinEnt-HybridFit")
            for name in BOTH_PESTS
        ),
        note="The figures do not say how many answers they end with.",
    ),
)
