"""Which labels are wrong: `LabelAuditor` beside cleanlab, with no published counterpart.

Labels of real tables are made wrong on purpose: 5, 10 or 20% of them at random, 10% by the next class, 10% near another
class. Tables 1 to 4: ranking, count, probabilities, list. Table 5: whether the auditor's own statements hold. Table 6:
the test error of other learners when they train with its weights, or without the rows that are wrong. Table 7:
unmodified tables, and what each says of them. Table 8: larger tables. Tables 9 and 10: mistakes of people, a trainee's,
those of doubt, and labels in several spellings; 9 on the same tables, 10 on tables on which the settings of
`LabelAuditor` were chosen (``docs/label_audit.md``), with all kinds of mistakes. Table 11: the count after a review.
"""

from importlib.util import find_spec

from weaklearn.lab import Algorithm, Column, Experiment, Profile, Protocol
from weaklearn.studies.learners import artificial, real
from weaklearn.studies.own.hypotheses import own_algorithm, own_table

_TRIALS = "weaklearn.studies.own.label_audit_trials"
_NAMES = (
    "australian", "breast", "cleveland", "german", "heart", "wdbc", "wpbc", "votes84_all", "iris", "wine", "vowel",
    "segment", "satimage", "dna",
)  # fmt: skip
_NOISE = {
    "5%": (0.05, "uniform"),
    "10%": (0.1, "uniform"),
    "20%": (0.2, "uniform"),
    "next class": (0.1, "asymmetric"),
    "boundary": (0.1, "boundary"),
    "trainee": (None, "trainee"),
    "human": (0.1, "human"),
    "spelling": (0.1, "uniform"),
}
_FLIPPED = ("5%", "10%", "20%", "next class", "boundary")
_PEOPLE = ("boundary", "trainee", "human", "spelling")
_DEVELOPMENT = {"pima": 400, "sonar": 139, "ionosphere": 235, "glass": 143, "vehicle": 400}
_GENERATED = {"twonorm": 200, "ringnorm": 200, "yinyang": 200}
# Rows that are audited, of large tables at most 400; the others test what training with the weights buys.
_SMALL_TABLES = {"heart": 180, "cleveland": 200, "wpbc": 130, "iris": 100, "wine": 119, "votes84_all": 290}
_LARGE_TABLES = {"satimage": 5000, "pendigits": 9000, "usps": 8000, "letter": 18_000}


def _row(name, train_size, noise=None):
    share, kind = (0.0, "uniform") if noise is None else _NOISE[noise]
    label = name if noise is None else f"{name}, {noise}"
    setting = {"share": share, "kind": kind} | ({"spelled": True} if noise == "spelling" else {})
    if name in _GENERATED:
        n = _GENERATED[name]
        return artificial(name, {"n_samples": 2 * n}, label, setting, train_size=n)
    return real(name, label, setting, train_size=train_size)


def _rows(*noise, names=_NAMES):
    sizes = {**dict.fromkeys(names, 400), **_SMALL_TABLES, **_DEVELOPMENT}
    return tuple(_row(name, sizes[name], kind) for kind in noise for name in names)


OURS = Algorithm("LabelAuditor", "weaklearn.labels:LabelAuditor", {}, id="weaklearn.complexity:LabelAuditor")


def _cleanlab(name, *learners):
    params = {"learners": list(learners)}
    return own_algorithm(f"cleanlab, {name}", "label_audit_trials:CleanlabAuditor", params)


# cleanlab and LightGBM are optional: without them the columns that need them are left out.
PEERS: tuple[Algorithm, ...] = ()
if find_spec("cleanlab"):
    PEERS = (_cleanlab("logistic", "logistic"), _cleanlab("forest", "forest"))
    if find_spec("lightgbm"):
        PEERS += (_cleanlab("LightGBM", "lightgbm"), _cleanlab("mean", "logistic", "lightgbm", "forest"))
ALL = (OURS, *PEERS)
# A forest of its own takes a third of the time of all columns, and the mean of three has it.
_FIVE_TIMES = tuple(peer.name for peer in ALL if peer.name != "cleanlab, forest")


AUDITED, TRAINED, REVIEWED = (Protocol(f"{_TRIALS}:{name}") for name in ("audited", "trained", "reviewed"))
_MEASURES = {
    "average precision": "ap",
    "F1": "f1",
    "count error": "count_error",
    "count": "count",
    "Brier": "brier",
    "covers": "covered",
}
_MEASURED = tuple(
    Column(f"{who.name}: {title}", who, metric)
    for title, metric in _MEASURES.items()
    for who in (ALL if metric != "covered" else ALL[:1])
)
_REVIEWS = tuple(
    Column(f"{order} {size} {what}", OURS, f"{order} {size} {what}")
    for size in (20, 50, 100)
    for what in ("error", "width", "covered")
    for order in ("sample", "random", "top", "alone")
)
_REVIEWED_TABLES = (
    "australian", "breast", "german", "wdbc", "vowel", "segment", "satimage", "dna", "pima", "vehicle", "ionosphere",
    "twonorm",
)  # fmt: skip

EXPERIMENT = Experiment(
    name="label_audit",
    source="weaklearn",
    title="Which labels are wrong, and how many",
    tables=(
        *(
            own_table(number, title, metric, _rows(*_FLIPPED), ALL, AUDITED, unit=unit)
            for number, title, metric, unit in (
                ("1", "Average precision of the ranking", "ap", "percent"),
                (
                    "2",
                    "Error of the number of wrong labels, in percent of the rows",
                    "count_error",
                    "percent",
                ),
                ("3", "Brier score of the probability that a label is wrong", "brier", ""),
                ("4", "F1 of the list", "f1", "percent"),
            )
        ),
        own_table(
            "5",
            "What LabelAuditor says of itself: precision of its list, and the 90% interval",
            "precision",
            _rows(*_FLIPPED),
            (
                Column("precision", OURS, "precision"),
                Column("expected precision", OURS, "said"),
                Column("interval covers", OURS, "covered"),
                Column("width of the interval", OURS, "width"),
            ),
            AUDITED,
        ),
        own_table(
            "6",
            "Change of the test error by training with the weights, mean of three learners",
            "change",
            _rows(None, *_FLIPPED),
            (OURS, Column("wrong rows left out", OURS, "known"), *PEERS[1:2]),
            TRAINED,
        ),
        own_table(
            "7", "Unmodified tables: estimated share of wrong labels", "count", _rows(None), ALL, AUDITED
        ),
        own_table(
            "8",
            "Larger tables: average precision",
            "ap",
            tuple(_row(name, size, "10%") for name, size in _LARGE_TABLES.items()),
            ALL,
            AUDITED,
        ),
        own_table("9", "Mistakes of people", "ap", _rows(*_PEOPLE), _MEASURED, AUDITED),
        own_table(
            "10",
            "Development tables",
            "ap",
            _rows(*_NOISE, names=(*_DEVELOPMENT, *_GENERATED)),
            _MEASURED,
            AUDITED,
        ),
        own_table(
            "11",
            "The count after a review of 20, 50 and 100 rows",
            "sample 20 error",
            _rows("10%", "boundary", "trainee", "human", names=_REVIEWED_TABLES),
            _REVIEWS,
            REVIEWED,
        ),
    ),
    profiles={
        "quick": Profile(
            n_trials=1,
            rows=("iris, 10%", "wine, 20%", "heart, 10%", "iris", "heart"),
            columns=(
                "LabelAuditor",
                "cleanlab, logistic",
                "precision",
                "expected precision",
                "interval covers",
            ),
            items={"table 8": Profile(n_trials=0), "table 11": Profile(n_trials=0)},
        ),
        "full": Profile(
            n_trials=5,
            items={
                **{f"table {number}": Profile(n_trials=5, columns=_FIVE_TIMES) for number in range(1, 5)},
                "table 6": Profile(n_trials=2, columns=("LabelAuditor", "wrong rows left out")),
                "table 7": Profile(n_trials=1),
                "table 8": Profile(
                    n_trials=3, columns=("LabelAuditor", "cleanlab, LightGBM", "cleanlab, forest")
                ),
                **{f"table {number}": Profile(n_trials=2) for number in (9, 10, 11)},
            },
        ),
    },
)
