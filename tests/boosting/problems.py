"""Small problems and the list of boosters that the tests of this folder share."""

import os
from pathlib import Path

import numpy as np
from benchmarks.every_estimator import public

from weaklearn import datasets
from weaklearn.boosting import (
    AdaBoostClassifier,
    AdaBoostRegClassifier,
    AlphaBoostClassifier,
    AnyBoostClassifier,
    ArcGVClassifier,
    ArcX4Classifier,
    CGBoostClassifier,
    DLPBoostClassifier,
    Doom2Classifier,
    LogitBoostClassifier,
    LPBoostClassifier,
    NoiseTolerantBoostClassifier,
    PBoostClassifier,
)
from weaklearn.costs import Bisigmoid

# Every booster, small; rows here are for their variants.
BOOSTERS = {
    "AdaBoost": AdaBoostClassifier(n_estimators=20),
    "AnyBoost": AnyBoostClassifier(n_estimators=20),
    "AnyBoost bisigmoid": AnyBoostClassifier(cost=Bisigmoid(1.0, 1.2), n_estimators=20),
    "AnyBoost hinge": AnyBoostClassifier(cost="hinge", n_estimators=20),
    "AnyBoost average": AnyBoostClassifier(cost="arc_x4", step="average", n_estimators=20),
    "LogitBoost": LogitBoostClassifier(n_estimators=20),
    "arc-x4": ArcX4Classifier(n_estimators=20),
    "arc-gv": ArcGVClassifier(n_estimators=20),
    "CGBoost": CGBoostClassifier(n_estimators=20, n_plain=4),
    "CGBoost bisigmoid": CGBoostClassifier(cost="bisigmoid", n_estimators=20, n_plain=4),
    "AlphaBoost": AlphaBoostClassifier(n_estimators=20, n_descent=8),
    "DLPBoost": DLPBoostClassifier(n_estimators=20),
    "DLPBoost each": DLPBoostClassifier(n_estimators=20, objective="each"),
    "DLPBoost cost": DLPBoostClassifier(n_estimators=20, objective="cost"),
    "LPBoost": LPBoostClassifier(n_estimators=20),
    "LPBoost soft": LPBoostClassifier(n_estimators=20, nu=0.3),
    "sloppy": PBoostClassifier(n_estimators=20, p=0.8),
    "sloppy normalised": PBoostClassifier(n_estimators=20, p=1.5, weighting="normalised"),
    "sloppy accelerated": PBoostClassifier(n_estimators=20, acceleration=0.5),
    "strict": PBoostClassifier(n_estimators=20, variant="strict", p=1.2),
    "strict aborted": PBoostClassifier(n_estimators=20, variant="strict", p=0.5),
    "naive": PBoostClassifier(n_estimators=20, variant="naive", p=0.7),
    "noise-tolerant": NoiseTolerantBoostClassifier(n_estimators=20, run_length=6, random_state=0),
    "sloppy bisigmoid": PBoostClassifier(n_estimators=20, cost=Bisigmoid(1.0, 1.2), p=0.9),
    "strict logistic": PBoostClassifier(n_estimators=20, variant="strict", cost="logistic", p=1.2),
    "naive logistic": PBoostClassifier(n_estimators=20, variant="naive", cost="logistic", p=0.8),
    "sloppy newton": PBoostClassifier(n_estimators=20, variant="sloppy_newton", p=0.9),
    "AdaBoost-Reg": AdaBoostRegClassifier(n_estimators=20, mistrust=30.0),
    "DOOM II": Doom2Classifier(n_estimators=20),
    "gravity": PBoostClassifier(n_estimators=20, variant="gravity", p=1.3, gravity=0.02),
}
_KNOWN = set(map(type, BOOSTERS.values()))
BOOSTERS |= {name: kind(n_estimators=20) for name, kind in public("boosting").items() if kind not in _KNOWN}


def noisy_ring(n=150, m=3, seed=0):
    """Signed labels by radius, 10% of them flipped, some values tied; and unequal weights."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, m)), 1)
    y = np.where((X**2).sum(axis=1) > m, 1, -1) * np.where(rng.random(n) < 0.1, -1, 1)
    return X, y, rng.integers(1, 4, size=n).astype(float)


def ten_data_sets():
    """Ten sets of all kinds: generated ones, and real ones if they are there."""
    generated = {
        "yinyang": datasets.make_yinyang(200, random_state=0),
        "leftsin": datasets.make_leftsin(200, random_state=0),
        "twonorm": datasets.make_twonorm(200, random_state=0),
        "threenorm": datasets.make_threenorm(200, random_state=0),
        "ringnorm": datasets.make_ringnorm(200, random_state=0),
        "ring0": datasets.make_ring(100, random_state=0),
        "ring10": datasets.make_ring(100, noise=0.1, random_state=0),
        "ring20": datasets.make_ring(100, noise=0.2, random_state=0),
        "ring30": datasets.make_ring(100, noise=0.3, random_state=0),
        "disks": datasets.make_concentric_disks(200, random_state=0),
    }
    folder = Path(os.environ.get("WEAKLEARN_DATA", ""))
    if os.environ.get("WEAKLEARN_DATA") and folder.is_dir():
        for name in ("pima", "sonar", "cleveland", "votes84", "ionosphere", "breast", "wdbc"):
            bunch = datasets.load(name)
            generated[name] = bunch.X, bunch.y
    return generated
