"""Daniel May, coursework on supervised learning: kernel perceptrons, SVMs, SAMME, sample complexity (2020)."""
