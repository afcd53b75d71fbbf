"""
How does boosting learn a code for many classes?
================================================

AdaBoost.ERP learns a column of the code matrix in every round: which classes are told from which.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from weaklearn.display import CodeMatrixDisplay
from weaklearn.multiclass import AdaBoostERPClassifier

X_train, X_test, y_train, y_test = train_test_split(*load_wine(return_X_y=True), random_state=0)
model = AdaBoostERPClassifier(n_estimators=40, random_state=0).fit(X_train, y_train)
print(f"test error {1 - model.score(X_test, y_test):.1%}")
CodeMatrixDisplay.from_estimator(model)
plt.show()
