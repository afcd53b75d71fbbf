"""Ling Li, Data Complexity in Machine Learning and Novel Classification Algorithms (2006)."""
