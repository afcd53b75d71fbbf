"""Boosting whose coefficients solve a linear program: LPBoost and DLPBoost."""
