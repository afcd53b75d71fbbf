"""may2020: trials behind sentences of its text, and rivals that it names without trying them.

Readings:

- the hardest digits are those of 20 machines with polynomial kernels of degree 5, the mode of Table 3, each asked about
  all 9,298 digits;
- "85% test error" of 500 stumps must be an accuracy: 100 stumps have an error of 21% in Table 21;
- the rivals are the multiclass SVM of Crammer and Singer (the document's reference 3; linear, as in scikit-learn) and a
  network with a hidden layer and a softmax output (section 1 (ii)), neither of them tuned.
"""

from dataclasses import replace

from weaklearn.lab import Algorithm, Column, Experiment, Profile, Protocol, Row, Table, load_published
from weaklearn.studies.may2020 import digits, samme

TRIALS = "weaklearn.studies.may2020.text_trials"
FIFTH = replace(digits.REST, params={**digits.REST.params, "degree": 5})
HARDEST = {
    "distinct examples misclassified": "distinct",
    "fewest misclassifications of the five hardest": "fewest_of_hardest",
    "most misclassifications of the others": "most_of_others",
    "misclassifications of the hardest": "most",
}
RIVALS = (
    Algorithm(
        "Crammer-Singer SVM, linear",
        "sklearn.svm:LinearSVC",
        {"multi_class": "crammer_singer", "C": 0.1, "max_iter": 3000},
    ),
    Algorithm(
        "softmax network, 100 hidden units",
        "sklearn.neural_network:MLPClassifier",
        {"hidden_layer_sizes": [100], "max_iter": 60},
    ),
)


def _table(number, title, rows, columns, protocol, unit="count", **options):
    return Table("may2020", number, title, columns[0].metric, rows, columns, protocol, unit=unit, **options)


EXPERIMENT = Experiment(
    name="may2020_text",
    source="may2020",
    title="Kernel machines and SAMME on digits: sentences of the text",
    tables=(
        _table(
            "facts",
            "The digits",
            (digits.DIGITS,),
            tuple(Column(name, metric=name) for name in ("examples", "side", "digit 0", "digit 8")),
            Protocol(f"{TRIALS}:digit_facts"),
            deterministic=True,
        ),
        _table(
            "hardest digits",
            "How often digits are wrong over 20 machines of degree 5",
            (digits.DIGITS,),
            tuple(Column(name, FIFTH, metric) for name, metric in HARDEST.items()),
            Protocol(f"{TRIALS}:hardest_digits"),
            # The publication has one set of 20 machines.
            published=tuple(
                replace(cell, table="hardest digits", row="digits", n_runs=1)
                for cell in load_published("may2020", "text")
                if cell.row == "hardest items"
            ),
            kind="stated",
        ),
        _table(
            "many stumps",
            "Test error of SAMME with 500 stumps",
            (samme.DIGITS,),
            (Column("500 stumps", samme.samme(1, 500), "test_error 500"),),
            Protocol(f"{samme.TRIALS}:staged_holdout", {"stages": [500]}),
            unit="percent",
        ),
        _table(
            "mistake bound",
            "Mistakes of an online perceptron on 'just a little bit', as shares of the bound n",
            tuple(Row(f"n={n}", setting={"n_features": n}) for n in (2, 4, 10, 30, 100)),
            (Column("largest share", metric="largest"), Column("worst case", metric="worst")),
            Protocol(f"{TRIALS}:mistake_bound"),
            unit="share",
        ),
        _table(
            "solvers",
            "CPU seconds of a general QP solver over those of the simplified algorithm",
            (digits.DIGITS,),
            (Column("QP over SMO", metric="ratio"),),
            Protocol(f"{TRIALS}:solver_seconds"),
            unit="ratio",
        ),
        _table(
            "rivals",
            "Test errors of learners that the text names, untuned, beside the best of its own",
            (digits.DIGITS,),
            (*(Column(one.name, one, "test_error") for one in RIVALS),),
            Protocol("holdout"),
            unit="percent",
        ),
    ),
    profiles={
        "quick": Profile(n_trials=1, columns=("examples", "largest share")),
        "full": Profile(n_trials=5, items={"table many stumps": Profile(n_trials=3)}),
    },
)
