"""
Which classes are confused, over several runs?
==============================================

Mean confusion of a kernel perceptron on small digits over five splits; errors only.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from weaklearn.display import ClassConfusionDisplay
from weaklearn.kernel import KernelPerceptronClassifier

X, y = load_digits(return_X_y=True)
truths, answers = [], []
for seed in range(5):
    X_train, X_test, y_train, y_test = train_test_split(X / 16, y, test_size=0.3, random_state=seed)
    truths.append(y_test)
    answers.append(
        KernelPerceptronClassifier("polynomial", degree=4, random_state=seed)
        .fit(X_train, y_train)
        .predict(X_test)
    )
ClassConfusionDisplay.from_runs(truths, answers, of="errors")
plt.show()
