"""scikit-learn's callbacks in the loops of this package: progress bars, logs, early ends.

From scikit-learn 1.9 on, ``estimator.set_callbacks(ProgressBar())`` attaches callbacks to the estimators that derive
from `CallbackSupportMixin`. Their loops report to them: a fit is a task, its rounds or epochs are its subtasks, and a
callback that answers True ends the loop there. Without callbacks `fit_task` is None and a loop reports nothing; with
an older scikit-learn there are none.
"""

from collections.abc import Callable
from typing import Any

try:
    from sklearn.callback import CallbackSupportMixin
except ImportError:  # scikit-learn < 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """This scikit-learn has no callbacks."""


class FitTask:
    """A fit and its steps, as callbacks see them; ``stopped`` if one wanted it to end. Use `fit_task`."""

    def __init__(self, estimator: Any, step_name: str, n_steps: int | None, data: dict[str, Any]) -> None:
        self._estimator, self._step_name, self._data = estimator, step_name, data
        self._left = n_steps
        self._context = estimator._init_callback_context(max_subtasks=n_steps)
        self._context.call_on_fit_task_begin(estimator=estimator, **data)
        self._step: Any = None
        self.stopped = False
        self._begin_if_known()

    def _begin_if_known(self) -> None:
        # If the number of steps is unknown, so is whether another one follows.
        if self._left:
            self._left -= 1
            self._begin()

    def _begin(self) -> None:
        self._step = self._context.subcontext(task_name=self._step_name)
        self._step.call_on_fit_task_begin(estimator=self._estimator, **self._data)

    def step(self, fitted: Callable[[], dict[str, Any]] | None = None) -> bool:
        """A step is done; whether a callback wants the fit to end here.

        ``fitted`` returns the fitted attributes after this step; it is called only if a callback wants them.
        """
        if self._step is None:
            self._begin()
        step, self._step = self._step, None
        self.stopped = step.call_on_fit_task_end(
            estimator=self._estimator, **self._data, reconstruction_attributes=fitted
        )
        if not self.stopped:
            self._begin_if_known()
        return self.stopped

    def end(self) -> None:
        """The fit is done, and the estimator fitted."""
        if self._step is not None:  # a round that was begun and led nowhere
            self._step.call_on_fit_task_end(estimator=self._estimator, **self._data)
        self._context.call_on_fit_task_end(
            estimator=self._estimator, **self._data, reconstruction_attributes={}
        )


def fit_task(
    estimator: Any, step_name: str, n_steps: int | None, X: Any, y: Any, sample_weight: Any = None
) -> FitTask | None:
    """Tell the callbacks of an estimator that its fit begins; None if it has no callbacks.

    A step is called "round" or "epoch"; ``n_steps`` is None if their number is unknown. X and y, with the labels as
    users know them, may be callables that return them.
    """
    if not getattr(estimator, "_skl_callbacks", None):
        return None
    metadata = None if sample_weight is None else {"sample_weight": sample_weight}
    return FitTask(estimator, step_name, n_steps, {"X": X, "y": y, "metadata": metadata})
