"""Amrit Pratap, Adaptive Learning Algorithms and Data Cloning (2008)."""
