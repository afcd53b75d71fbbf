"""Ling Li, Perceptron Learning with Random Coordinate Descent (2005)."""
