"""What holds for every experiment of the package."""

import subprocess
import sys

import pytest

from weaklearn import datasets
from weaklearn.lab import Experiment, discover, load_published, make_plan, published_sources
from weaklearn.lab._build import resolve
from weaklearn.lab._compare import published_cells
from weaklearn.lab._plan import cell_trials
from weaklearn.lab._protocols import Stated

EXPERIMENTS = discover()


def test_discovery():
    assert {
        "barnes1999_pboost",
        "future_multiclass",
        "future_work",
        "li2005_text",
        "li2005_perceptrons",
        "may2020_text",
        "li2006_cgboost",
        "li2006_complexity",
        "label_audit",
        "li2006_multiclass",
        "may2020_digits",
        "may2020_samme",
        "may2020_sample_complexity",
        "noisy_tables",
        "pratap2008_cloning",
        "pratap2008_corrections",
        "pratap2008_margins",
        "pratap2008_monotone",
        "thresholds",
        "zero_one_frontier",
    } <= set(EXPERIMENTS)
    assert {experiment.source for experiment in EXPERIMENTS.values()} >= set(published_sources())


def test_a_plain_installation_has_all_studies():
    """Columns of packages that are not installed are left out; every profile can still be planned."""
    code = """if True:
        import importlib.util
        found = importlib.util.find_spec
        peers = {"cleanlab", "lightgbm", "xgboost", "catboost", "questplus", "adopy", "pandas", "polars", "distributed"}
        importlib.util.find_spec = lambda name, *rest: None if name in peers else found(name, *rest)
        from weaklearn.lab import make_plan, discover
        experiments = list(discover().values())
        print(len(experiments), all(make_plan(experiments, profile).trials for profile in ("quick", "full")))
        """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == f"{len(EXPERIMENTS)} True\n", done.stderr


# One trial takes longer than the quick profile has for a study: its report shows what is recorded.
RECORDED_ONLY = ("may2020_samme",)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_experiments_are_sound(name):
    experiment = EXPERIMENTS[name]
    assert isinstance(experiment, Experiment)
    assert experiment.name == name
    quick, full = (len(make_plan([experiment], profile).trials) for profile in ("quick", "full"))
    assert quick < full
    assert (quick == 0) == (name in RECORDED_ONLY)
    for part in experiment.parts:
        for column in part.columns:
            if column.algorithm is not None:
                assert callable(resolve(column.algorithm.builder))
        if part.protocol is not None:
            assert isinstance(resolve(part.protocol.path).stated, Stated)
    for figure in experiment.figures:
        assert callable(resolve(figure.draw))
    real = {source.name for source in make_plan([experiment], "full").sources if source.kind == "real"}
    assert real <= {record.name for record in datasets.available()}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_published_numbers_have_their_places(name):
    for table in EXPERIMENTS[name].tables:
        cells = published_cells(table) if table.published is None else table.published
        ours = {(row.label, column.name) for row in table.rows for column in table.columns}
        if cells:
            assert ours & {(cell.row, cell.column) for cell in cells}, (
                f"{table.item}: no cell has a published name"
            )


def test_every_published_table_is_compared():
    """A table whose number is misspelled would stand beside no published numbers."""
    compared = {
        (table.source, table.number.partition(": ")[0])
        for experiment in EXPERIMENTS.values()
        for table in experiment.tables
    }
    published = {(source, cell.table) for source in published_sources() for cell in load_published(source)}
    assert published - compared == {
        ("li2006", "claims"),  # cells of tables that are named after sections
        ("li2006", "settings"),
        ("barnes1999", "5.2"),  # settings: each test is a table here
        ("barnes1999", "claims"),
        ("pratap2008", "settings"),
        ("may2020", "text"),
    }


# The first trial of one cell for every protocol, generator and builder of the studies, and the key that it has had
# since the first store. A change here runs everything in every user's store again, with other random numbers.
KEYS = [
    ("barnes1999_pboost", "figure 3.3", "200 points of a ring", "AdaBoost", "4f4f6628d412d698"),
    ("barnes1999_pboost", "table 5.1", "sonar", "I (dimension)", "5358571d55a59085"),
    ("barnes1999_pboost", "table 5.2 tests 1-4", "ring20", "AdaBoost", "847f1e6c3247c980"),
    ("barnes1999_pboost", "table 5.2 test 6", "wpbc", "AdaBoost", "dd567a3558e41f84"),
    ("li2005_perceptrons", "figure 1", "pima", "CCD", "66feca1c3fa54810"),
    ("li2005_perceptrons", "table 2", "australian", "RCD", "ae5acb73596b0f0f"),
    ("li2005_perceptrons", "table 2", "australian", "soft-SVM", "9bcca20f2d6a8771"),
    ("li2006_cgboost", "figure 3.1", "network target", "CGBoost exponential", "9368411779574e2b"),
    ("li2006_cgboost", "table 3.1", "pima", "exponential", "a072b1eb3825ef60"),
    ("li2006_cgboost", "table 3.2", "pima", "exp. anyboost", "e0291f6d094d4f64"),
    (
        "li2006_complexity",
        "figure 1.13",
        "Yin-Yang, 400 examples",
        "average contribution",
        "414ec1d7332a6aac",
    ),
    (
        "li2006_complexity",
        "table 1.4.3 disks",
        "concentric disks, 31 examples",
        "principal points",
        "43e1a1a536d97796",
    ),
    ("li2006_complexity", "table 1.5.3", "Yin-Yang, 400 examples", "flipped", "2cdc9b0d9dacbfce"),
    ("li2006_complexity", "table flips", "Yin-Yang, 400 examples", "10-NN disagreement", "bd08f0fd1c1f1277"),
    ("li2006_complexity", "table flips", "Yin-Yang, 400 examples", "AdaBoost weight", "cccc1db69693cb57"),
    ("li2006_complexity", "table flips", "Yin-Yang, 400 examples", "cleanlab", "7d157ca57d214dbf"),
    (
        "li2006_complexity",
        "table flips",
        "Yin-Yang, 400 examples",
        "out-of-fold SVM margin",
        "6c9560208c27a427",
    ),
    ("li2006_complexity", "table flips", "Yin-Yang, 400 examples", "surprise", "f34d277023fd6b5a"),
    ("li2006_multiclass", "figure 4.2", "tangram", "max-cut", "42a359f9cdc961d9"),
    ("li2006_multiclass", "table 4.2", "dna", "one-vs-one one-vs-all", "720a6bcb348208d8"),
    ("li2006_multiclass", "table 4.5", "iris", "one-vs-one one-vs-all", "c0ff7e9d9cffd178"),
    ("may2020_digits", "figure 1", "digits", "digits", "3117244797bfe8ee"),
    ("may2020_digits", "table 1", "polynomial degree=1", "Train error", "3180d486a6a85acf"),
    ("may2020_digits", "table 14", "c=4; kernel width=0.0156", "Train error", "846b65b1b6fb491a"),
    ("may2020_digits", "table 3", "run 1", "Polynomial degree", "61b67f0180849688"),
    ("may2020_samme", "table 21", "digits", "25 x depth 1, train", "7d020f0fcfe2c6da"),
    ("may2020_samme", "table 23", "digits", "Mean test error", "58b29fc52bfb9210"),
    ("may2020_sample_complexity", "table fits", "just a little bit", "Perceptron a", "93770296f770669b"),
    ("noisy_tables", "table error, 20%", "cleveland", "logistic regression", "5de1cc5527ba36f3"),
    ("pratap2008_cloning", "figure 4.10", "0", "network or SVM", "fe711a244a3e737f"),
    ("pratap2008_cloning", "table 4.1", "# choices=5", "In-Sample", "680a00270ee0f9c6"),
    ("pratap2008_cloning", "figure 4.1b", "leftsin, 400 examples", "AdaBoost-Cloner", "bd0e72ffb5fbea08"),
    ("pratap2008_margins", "figure 2.1", "network target, complexity 1", "AlphaBoost", "0d1177afe82c9e16"),
    ("pratap2008_corrections", "figure 2.10", "wdbc, 300 training examples", "AdaBoost", "72eca93fe169b146"),
    ("pratap2008_margins", "table 2.2", "pima indian", "AlphaBoost Cost", "8beac43e1f9b3635"),
    ("pratap2008_monotone", "figure 3.2", "linear", "MonFit", "7ded52102ae09048"),
    ("pratap2008_monotone", "table 3.3", "linear", "Equal-Logfit bias", "78f269326bda96d3"),
    ("zero_one_frontier", "table 1", "clouds, m=6, N=40", "RCD", "552612dbb72da0e3"),
    ("zero_one_frontier", "table 4", "australian", "0/1, noise=auto", "1ad80a92249ad6b9"),
]


@pytest.mark.parametrize(("name", "item", "row", "column", "key"), KEYS)
def test_keys_are_the_same_for_ever(name, item, row, column, key):
    (part,) = (part for part in EXPERIMENTS[name].parts if part.item == item)
    (chosen_row,) = (some for some in part.rows if some.label == row)
    (chosen_column,) = (some for some in part.columns if some.name == column)
    (trial,) = cell_trials(part, chosen_row, chosen_column, 1)
    assert trial.key.startswith(key)
