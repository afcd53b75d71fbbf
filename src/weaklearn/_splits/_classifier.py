"""What classifiers by exact splits share."""

from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context

from weaklearn._docstrings import documented
from weaklearn._training import signed_labels, training_set


class SplitClassifier(ClassifierMixin, BaseEstimator):
    """Base of the stump and the small tree: a subclass states the search, ``_search_kind``, for its hypotheses.

    Attributes
    ----------
    error_ : float
        Weighted training error, as a share.
    """

    # Boosting need not make a float64 copy of float32 rows.
    takes_float32 = True
    _search_kind: type
    _binary = True

    @documented
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Find the best splits of a training set."""
        X, codes, sample_weight = training_set(
            self, X, y, sample_weight, binary=self._binary, finite="allow-nan"
        )
        found, _, _ = self._searched(X, codes).fit(sample_weight)
        for name, value in vars(found).items():
            if name.endswith("_") and name not in ("classes_", "n_features_in_"):
                setattr(self, name, value)
        return self

    def _takes_many(self):
        """Whether more than two classes are taken."""
        return False

    def _searched(self, X, codes):
        return self.prepare(X, signed_labels(codes))

    def prepare(self, X, y):
        """The prepared form for boosting: fits with these parameters on one training set, many weights.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features), float64 or float32
        y : ndarray of shape (n_samples,), float64
            Labels in {-1.0, +1.0}.

        Returns
        -------
        object with ``fit(weights, rng)``
        """
        return self._search_kind(self, X, y)

    def prepare_relabelled(self, X):
        """The prepared form for multiclass boosting: one set of rows, new labels in every round.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features), float64 or float32

        Returns
        -------
        object with ``fit_labels(labels, weights, rng)``
        """
        return self._search_kind(self, X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self._takes_many()
        tags.input_tags.allow_nan = True
        return tags
