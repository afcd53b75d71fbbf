"""The types that a model file may hold, by name.

A type belongs here if setting its attributes to anything can do no more harm than a wrong prediction: plain classes
and tuples without `__reduce__` or `__del__`, whose `__setstate__`, if any, only stores. Functions that write, download
or run are never listed. Trees of scikit-learn are: `weaklearn.persistence._trees` checks their content.
"""

__all__ = ["TRUSTED_TYPES"]

_BY_MODULE = {
    "sklearn.metrics._scorer": "_PassthroughScorer",
    "sklearn.tree._tree": "Tree",
    "weaklearn._fast.active_set": "ActiveSet",
    "weaklearn._fast.complexity_paths": "Places",
    "weaklearn.adaptive._curve_model": "CurveModel UnitScale",
    "weaklearn.adaptive._dose": "DoseEscalation",
    "weaklearn.adaptive._equal": "EqualAllocation",
    "weaklearn.adaptive._hypotheses": "Hypotheses",
    "weaklearn.adaptive._minent": "MinEnt",
    "weaklearn.adaptive._pest": "BestPEST",
    "weaklearn.adaptive._posterior": "PosteriorMinEnt",
    "weaklearn.adaptive._sampler": "Answer Counts Outside",
    "weaklearn.adaptive._shapes": "Shapes",
    "weaklearn.adaptive._staircase": "Staircase",
    "weaklearn.adaptive._stopping": "Budget EntropyBelow IntervalWidth OutsideLevels Reversals _All _Any",
    "weaklearn.boosting._adaboost": "AdaBoostClassifier",
    "weaklearn.boosting._adaboost_reg": "AdaBoostRegClassifier SoftMargins",
    "weaklearn.boosting._alphaboost": "AlphaBoostClassifier",
    "weaklearn.boosting._anyboost": "AnyBoostClassifier",
    "weaklearn.boosting._arcing": "ArcGVClassifier ArcX4Classifier",
    "weaklearn.boosting._cgboost": "CGBoostClassifier",
    "weaklearn.boosting.linear_programs._dlpboost": "DLPBoostClassifier",
    "weaklearn.boosting._doom2": "Doom2Classifier HullStep",
    "weaklearn.boosting._logitboost": "LogitBoostClassifier",
    "weaklearn.boosting.linear_programs._lpboost": "LPBoostClassifier",
    "weaklearn.boosting._noise_tolerant": "NoiseTolerantBoostClassifier",
    "weaklearn.boosting._run": "Rounds",
    "weaklearn.boosting._stages": "Correction Move",
    "weaklearn.boosting._steps": "ArcGV Average ClosedForm ConjugateDirection LineSearch Newton",
    "weaklearn.boosting.p_hull._pboost": "PBoostClassifier",
    "weaklearn.boosting.p_hull._pnorm": "Gravity Naive Sloppy Strict",
    "weaklearn.boosting.p_hull._pnorm_costs": "NaiveCost SloppyCost StrictCost",
    "weaklearn.boosting.p_hull._sloppy_newton": "SloppyNewton",
    "weaklearn.cloning._adaboost": "AdaBoostCloner",
    "weaklearn.cloning._bootstrap": "SmoothedBootstrap _Grid",
    "weaklearn.cloning._cloner": "Setting",
    "weaklearn.cloning._rho": "RhoCloner _Networks",
    "weaklearn.cloning._search": "CloneSearchCV",
    "weaklearn.labels._label_auditor": "LabelAuditor",
    "weaklearn.complexity._measures": "LookupComplexity SVMComplexity",
    "weaklearn.complexity._pruner": "ComplexityPruner",
    "weaklearn.costs": (
        "ArcX4 Bisigmoid Exponential Hinge LeastSquares Logistic ModifiedLeastSquares PerceptronCriterion "
        "Sigmoid ZeroOne"
    ),
    "weaklearn.kernel._functions": (
        "gaussian_kernel linear_kernel perceptron_kernel polynomial_kernel stump_kernel"
    ),
    "weaklearn.kernel._incremental": "IncrementalSVC",
    "weaklearn.kernel._perceptron": "KernelPerceptronClassifier",
    "weaklearn.kernel._rcd": "KernelRCDClassifier",
    "weaklearn.kernel._svc": "KernelSVC",
    "weaklearn.linear._averaged": "AveragedPerceptron",
    "weaklearn.linear._fisher": "FisherDiscriminant",
    "weaklearn.linear._least_squares": "LeastSquaresClassifier",
    "weaklearn.linear._pocket": "PocketPerceptron",
    "weaklearn.linear._rcd": "RCDPerceptron",
    "weaklearn.linear._romma": "ROMMA",
    "weaklearn.linear._rosenblatt": "Perceptron",
    "weaklearn.linear._sgd": "SGDPerceptron",
    "weaklearn.linear._voted": "VotedPerceptron",
    "weaklearn.linear._winnow": "Winnow",
    "weaklearn.linear.zero_one._classifier": "ZeroOneClassifier",
    "weaklearn.linear.zero_one._probability": "NoisySigmoid",
    "weaklearn.monotone._bounded_jump": "BoundedJumpRegression",
    "weaklearn.monotone._functionals": "Crossing TradeOff",
    "weaklearn.monotone._hybrid": "HybridFit",
    "weaklearn.monotone._isotonic": "MonotoneFit",
    "weaklearn.monotone._logistic": "LogisticFit",
    "weaklearn.multiclass._ecc": "AdaBoostECCClassifier",
    "weaklearn.multiclass._erp": "AdaBoostERPClassifier",
    "weaklearn.multiclass._samme": "SAMMEClassifier",
    "weaklearn.robust._bins": "Bins",
    "weaklearn.robust._calibrated": "CalibratedClassifier",
    "weaklearn.robust._classifier": "RobustClassifier",
    "weaklearn.robust._columns": "NumericColumns Views",
    "weaklearn.robust._landmarks": "Landmarks",
    "weaklearn.robust._machine": "Machine MergedRows",
    "weaklearn.robust._members": "BoostingMember ForestMember MemberData RidgeMember",
    "weaklearn.robust._mistakes": "MistakeFit",
    "weaklearn.robust._noise_link": "NoiseLink Rate",
    "weaklearn.robust._ridge": "DualRidge PrimalRidge",
    "weaklearn.robust._stack": "Calibration Stack",
    "weaklearn.robust._wrong_labels": "WrongLabels",
    "weaklearn.stumps": "DecisionStump",
    "weaklearn.tables._column": "Column Kind Reason Treatment",
    "weaklearn.tables._encoder": "TableEncoder",
    "weaklearn.tables._layout": "Layout",
    "weaklearn.tables._parts": "DateParts OneHot Presence Scaled TargetEncoded _Scale",
    "weaklearn.trees": "SmallTree",
}

#: Names of the types that `load` creates, beside the numpy, scipy and scikit-learn types that skops trusts itself.
TRUSTED_TYPES: tuple[str, ...] = tuple(
    f"{module}.{name}" for module, names in _BY_MODULE.items() for name in names.split()
)
