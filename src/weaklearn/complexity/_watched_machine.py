"""The machine of `weaklearn.robust` with a callback after each learner, and a first result that Ctrl-C cannot undo."""

from weaklearn.robust._machine import Machine

__all__ = ["WatchedMachine"]


class _InTurn(list):
    """Learners that report when the next one is asked for."""

    def __init__(self, learners, report):
        super().__init__(learners)
        self._report = report

    def __iter__(self):
        for learner in super().__iter__():
            yield learner
            self._report()


class WatchedMachine(Machine):
    """A `Machine` that calls ``callback(done, total)`` after each learner of its two rounds.

    Ctrl-C in the second round, which only refines the first, leaves the log-odds ``S`` of the first in place.
    """

    def __init__(self, callback, **options):
        super().__init__(**options)
        self._callback = callback
        self._done = 0
        self.interrupted = False

    @property
    def members(self):
        return self._members

    @members.setter
    def members(self, learners):
        self._members = _InTurn(learners, self._report)

    def _report(self):
        self._done += 1
        self._callback(self._done, 2 * len(self._members))

    def fit(self, rows, n_classes, seed, class_factor=None):
        try:
            return super().fit(rows, n_classes, seed, class_factor)
        except KeyboardInterrupt:
            if not hasattr(self, "S"):
                raise
            self.interrupted = True
            return self
