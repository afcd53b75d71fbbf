"""Stable names: what keys and seeds are made from when code has moved or was renamed.

A trial's description names code by ``"module:name"``, and its key and seeds are hashes of the description. A moved
function would therefore run everything again, with other random numbers. So descriptions keep the name that the code
had first, and the tables here say where it lives now. After moving a protocol, a generator or a builder, add it to
`HOMES` under its old name; new code needs no entry.

The other tables keep what descriptions said before rows had settings and before data, splits and algorithms were
optional. They are history: do not add to them.
"""

from collections.abc import Mapping
from typing import Any

__all__ = ["describe_data", "home_of", "params_now", "params_then", "settings_of", "stable_name", "stand_in"]

_STUDIES = "weaklearn.studies"
# From the name in descriptions to where the code lives.
HOMES = {
    # protocols, once known by short names
    "holdout": "weaklearn.lab.protocols:holdout",
    "curve": "weaklearn.lab.protocols:curve",
    "boosted_rounds": "weaklearn.lab.rounds:boosted_rounds",
    "best_p": f"{_STUDIES}.barnes1999.pboost_trials:best_p",
    "data_facts": f"{_STUDIES}.barnes1999.pboost_trials:data_facts",
    "snapshots": f"{_STUDIES}.barnes1999.pboost_trials:snapshots",
    "cost_ratio": f"{_STUDIES}.li2006.cgboost_trials:cost_ratio",
    "validated_size": f"{_STUDIES}.li2006.cgboost_trials:validated_size",
    "flipped_labels": f"{_STUDIES}.li2006.complexity_trials:flipped_labels",
    "contribution_by_size": f"{_STUDIES}.li2006.complexity_trials:contribution_by_size",
    "decomposition": f"{_STUDIES}.li2006.complexity_trials:decomposition",
    "fingerprint": f"{_STUDIES}.li2006.complexity_trials:fingerprint",
    "multiclass": f"{_STUDIES}.li2006.multiclass_trials:multiclass_holdout",
    "tangram": f"{_STUDIES}.li2006.multiclass_trials:tangram_rounds",
    "staged": f"{_STUDIES}.may2020.samme_trials:staged_holdout",
    "samme-selection": f"{_STUDIES}.may2020.samme_trials:samme_selection",
    "setting": f"{_STUDIES}.may2020.digits_trials:setting_holdout",
    "kernel-selection": f"{_STUDIES}.may2020.digits_trials:kernel_selection",
    "digits-overview": f"{_STUDIES}.may2020.digits_trials:digits_overview",
    "growth": f"{_STUDIES}.may2020.sample_complexity_trials:growth_trial",
    "ensemble_margins": f"{_STUDIES}.pratap2008.margins_trials:ensemble_margins",
    "round_coefficients": f"{_STUDIES}.pratap2008.margins_trials:round_coefficients",
    "threshold": f"{_STUDIES}.pratap2008.monotone_trials:threshold",
    "deviation": f"{_STUDIES}.pratap2008.monotone_trials:deviation",
    "clone_complexity": f"{_STUDIES}.pratap2008.cloning_trials:clone_complexity",
    "clone_selection": f"{_STUDIES}.pratap2008.cloning_trials:clone_selection",
    "algorithm_choice": f"{_STUDIES}.pratap2008.cloning_trials:algorithm_choice",
    # generators of data
    "weaklearn.lab.boosting_trials:ring_pool": f"{_STUDIES}.barnes1999.pboost_trials:ring_pool",
    "weaklearn.lab.boosting_trials:engine_examples": "weaklearn.lab.rounds:engine_examples",
    "weaklearn.lab.cloning_trials:make_problem": f"{_STUDIES}.pratap2008.cloning_trials:make_problem",
    "weaklearn.lab.cloning_trials:make_engine_target": (
        f"{_STUDIES}.pratap2008.cloning_trials:make_engine_target"
    ),
    "weaklearn.lab.thresholds:make_target": f"{_STUDIES}.pratap2008.monotone_trials:make_target",
    "weaklearn.lab.catalog.zero_one_frontier:draws": f"{_STUDIES}.own.zero_one_trials:draws",
    # builders of estimators
    "weaklearn.complexity:LabelAuditor": "weaklearn.labels:LabelAuditor",
    "weaklearn.cloning._compare_models:EarlyStoppedBoosting": (
        f"{_STUDIES}.own.early_stopped_boosting:EarlyStoppedBoosting"
    ),
    "weaklearn.lab.catalog.li2005_perceptrons:soft_svm": f"{_STUDIES}.li2005.perceptrons_trials:soft_svm",
    "weaklearn.lab.catalog.zero_one_frontier:FarFlips": f"{_STUDIES}.own.zero_one_trials:FarFlips",
    **{
        f"weaklearn.lab.complexity_trials:{name}": f"{_STUDIES}.li2006.detectors_trials:{name}"
        for name in ("NeighbourDisagreement", "OutOfFoldMargin", "AdaBoostWeight", "CleanlabScore")
    },
    **{
        f"weaklearn.multiclass:{name}": f"{_STUDIES}.li2006.reductions:{name}"
        for name in ("OneVsOneClassifier", "OneVsRestClassifier")
    },
    "weaklearn.lab.multiclass_trials:validated_svm": f"{_STUDIES}.li2006.multiclass_trials:validated_svm",
    "weaklearn.lab.kernel_trials:Selection": f"{_STUDIES}.may2020.digits_trials:Selection",
    "weaklearn.lab.kernel_trials:BalancedRestSVC": f"{_STUDIES}.may2020.digits_trials:BalancedRestSVC",
    "weaklearn.lab.kernel_trials:LearnerOnProblem": (
        f"{_STUDIES}.may2020.sample_complexity_trials:LearnerOnProblem"
    ),
}
_NAMES = {home: name for name, home in HOMES.items()}

# Parameters of builders: from the name in descriptions to the name in the signature.
_RENAMED = {"weaklearn.lab.kernel_trials:Selection": {"everything": "record_mistakes"}}

# Settings of rows that descriptions hold among the parameters of the data.
_SETTINGS = {
    "weaklearn.lab.boosting_trials:ring_pool": ("flip",),
    "weaklearn.lab.cloning_trials:make_problem": ("n_choices",),
    "weaklearn.lab.thresholds:make_target": ("level",),
}
# The split in the descriptions of data that no trial splits.
_HALVES = {"features": "raw", "test_share": 0.5, "train_size": None}
_UNSPLIT = {
    "weaklearn.lab.cloning_trials:make_problem",
    "weaklearn.lab.cloning_trials:make_engine_target",
    "weaklearn.lab.thresholds:make_target",
}
_SVC = {"builder": "sklearn.svm:SVC", "params": {"kernel": "rbf"}, "version": 1}
# What the descriptions of a protocol's trials name where a row has no data or a column no algorithm.
_STAND_INS: dict[str, dict[str, Any]] = {
    "digits-overview": {
        "algorithm": {"builder": "sklearn.dummy:DummyClassifier", "params": {}, "version": 1}
    },
    "clone_selection": {"algorithm": _SVC},
    "algorithm_choice": {"algorithm": _SVC},
    "data_facts": {
        "algorithm": {
            "builder": "weaklearn.boosting:AdaBoostClassifier",
            "params": {"n_estimators": 1},
            "version": 1,
        }
    },
    "growth": {
        "data": {"kind": "artificial", "name": "little_bit", "params": {"n_samples": 4}, "split": _HALVES}
    },
}


def stable_name(path: str) -> str:
    """The name of ``"module:name"`` in descriptions."""
    return _NAMES.get(path, path.replace("weaklearn.studies.", "weaklearn.lab.studies."))


def home_of(name: str) -> str:
    """Where the code of a name in a description lives, as ``"module:name"``."""
    return HOMES.get(name, name.replace("weaklearn.lab.studies.", "weaklearn.studies."))


def params_then(builder: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """A builder's parameters by their names in descriptions."""
    names = {now: then for then, now in _RENAMED.get(builder, {}).items()}
    return {names.get(name, name): value for name, value in params.items()}


def params_now(builder: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """A described builder's parameters by the names of its signature."""
    names = _RENAMED.get(builder, {})
    return {names.get(name, name): value for name, value in params.items()}


def describe_data(data: Mapping[str, Any], setting: Mapping[str, Any]) -> dict[str, Any]:
    """The data and the setting of a row as one part of a description."""
    inside = {name: setting[name] for name in _SETTINGS.get(data["name"], ()) if name in setting}
    outside = {name: value for name, value in setting.items() if name not in inside}
    described = {**data, "params": {**data["params"], **inside}}
    if described["split"] is None and data["name"] in _UNSPLIT:
        described["split"] = _HALVES
    return {**described, "setting": outside} if outside else described


def settings_of(data: Mapping[str, Any]) -> tuple[str, ...]:
    """The settings among the described parameters of the data, which its generator does not take."""
    return _SETTINGS.get(data["name"], ())


def stand_in(protocol: str, part: str) -> dict[str, Any] | None:
    """What descriptions of a protocol (its stable name) hold where there is no data or no algorithm."""
    return _STAND_INS.get(protocol, {}).get(part)
