"""Boosting: one loop of rounds, and classifiers that are presets of cost and step rule."""

from weaklearn.boosting._adaboost import AdaBoostClassifier

__all__ = ["AdaBoostClassifier"]
