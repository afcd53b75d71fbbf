"""Open questions on more than two classes that the documents name, as hypotheses with a verdict each.

As in `future_work`, a cell is the mean difference of two learners on the same splits, in points of test error, and the
hypothesis is that it is at most 0: *confirmed* means shown to be better, *contradicted* shown to be worse.

- Multiclass p-boosting: the capacity control of barnes1999 for each pair of classes, tuned as much as AdaBoost, with a
  fifth of the training labels wrong.
- Faster prediction (Platt et al., cited by li2006): a tournament asks K - 1 of the K (K - 1) / 2 hypotheses of one
  against one. Here it may lose at most half a point of accuracy.
- SAMME.R, which "it seems plausible [...] could achieve even greater performance" (may2020, section 7).
- One-against-one SVMs, "another solution" for classes of unequal size (may2020, section 5).
"""

from weaklearn.lab import Algorithm, Experiment, Profile
from weaklearn.studies.learners import real
from weaklearn.studies.own.hypotheses import booster, hypotheses, pair

ROUNDS = (10, 50, 200)
SETS = {"vehicle": 400, "vowel": 500, "segment": 500, "pendigits": 1000, "glass": 150}


def _row(name, flip=0.0):
    label = f"{name}, {flip:.0%} wrong labels" if flip else name
    return real(name, label, {"flip": flip} if flip else {}, train_size=SETS[name], features="minmax")


def _one_vs_one(base, **params):
    builder, id = (
        "weaklearn.studies.li2006.reductions:OneVsOneClassifier",
        "weaklearn.multiclass:OneVsOneClassifier",
    )
    return Algorithm("OneVsOne", builder, {"estimator": base, **params}, id=id)


ADABOOST = [{"estimator": booster("AdaBoost", n)} for n in ROUNDS]
HULLS = [{"estimator": booster("PBoost", n, p=p)} for p in (0.8, 1.0, 1.5) for n in ROUNDS]
STRONG = booster("AdaBoost", 50)
TREE = Algorithm("tree", "sklearn.tree:DecisionTreeClassifier", {"max_depth": 3})
SVM = Algorithm(
    "SVM",
    "weaklearn.studies.may2020.digits_trials:svc",
    {"kernel": "gaussian", "C": 4.0, "gamma": 0.5},
    id="weaklearn.kernel:KernelSVC",
)


def _samme(algorithm):
    params = {"estimator": TREE, "n_estimators": 50, "algorithm": algorithm}
    return Algorithm(algorithm, "weaklearn.multiclass:SAMMEClassifier", params)


SLOWER = (
    "SAMME.R learns more slowly here: on four splits of vowel 41 rounds leave 23 to 37% of the training examples "
    "wrong, those of SAMME 10 to 13%."
)
PLAIN = tuple(_row(name) for name in ("vehicle", "vowel", "segment", "pendigits"))
NOISY = tuple(_row(name, 0.2) for name in ("vehicle", "glass"))

EXPERIMENT = Experiment(
    name="future_multiclass",
    source="weaklearn",
    title="Open questions on more than two classes",
    tables=(
        hypotheses(
            "multiclass hull",
            "One against one: sloppy p-boosting minus AdaBoost, tuned as much",
            NOISY,
            (
                pair(
                    "minus AdaBoost, tuned",
                    _one_vs_one(booster("PBoost")),
                    _one_vs_one(booster("AdaBoost")),
                    HULLS,
                    ADABOOST,
                ),
            ),
        ),
        hypotheses(
            "tournament",
            "One against one, AdaBoost of 50 stumps: a tournament minus all votes",
            PLAIN,
            (pair("tournament minus votes", _one_vs_one(STRONG, decoding="dag"), _one_vs_one(STRONG)),),
            most=0.5,
        ),
        hypotheses(
            "SAMME.R",
            "50 trees of depth 3: SAMME.R minus SAMME",
            PLAIN,
            (pair("SAMME.R minus SAMME", _samme("SAMME.R"), _samme("SAMME")),),
            notes={("*", "SAMME.R minus SAMME"): SLOWER},
        ),
        hypotheses(
            "one-against-one SVM",
            "Gaussian SVMs, C = 4: one against one minus one against the rest",
            PLAIN,
            (pair("one against one minus the rest", _one_vs_one(SVM), SVM),),
        ),
    ),
    profiles={
        "quick": Profile(n_trials=2, rows=("vehicle",), items={"table multiclass hull": Profile(n_trials=0)}),
        "full": Profile(n_trials=40, items={"table multiclass hull": Profile(n_trials=20)}),
    },
)
