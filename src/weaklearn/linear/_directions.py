"""Direction schedules: which line the next coordinate descent step searches.

A schedule is an object with one method: ``stream(rng, size)``, a generator that yields blocks of
directions, arrays of shape (any number, size), from which the descent takes rows as it needs them; or, if the
next direction depends on the present scores, ``direction(A, yw, scores)``, with A the (n, size) examples and
yw = y * weight.

The directions are for features scaled to [-1, 1]; the last component is the bias (li2005, sections 3.2
and 3.3). Because a stream is consumed row by row, the directions of a fit depend on the seed alone and
not on the number of examples.
"""

import numpy as np

_ROWS = 64


class UniformDirections:
    """Each component uniform in [-1, 1], the range of the scaled features (li2005, section 3.2)."""

    def stream(self, rng, size):
        while True:
            yield rng.uniform(-1.0, 1.0, size=(_ROWS, size))


class GaussianDirections:
    """Each component standard normal: the angle is uniformly distributed (li2005, section 3.2)."""

    def stream(self, rng, size):
        while True:
            yield rng.standard_normal(size=(_ROWS, size))


class ConjugateDirections:
    """A new random orthogonal basis every ``size`` epochs: RCD-conj (li2005, section 3.3)."""

    def stream(self, rng, size):
        while True:
            basis, triangle = np.linalg.qr(rng.standard_normal(size=(size, size)))
            # Without the signs of the diagonal, QR does not give uniformly distributed bases.
            yield (basis * np.where(np.diag(triangle) < 0, -1.0, 1.0)).T


class CyclicDirections:
    """The coordinate axes in turn, the bias first: cyclic coordinate descent (li2005, section 3.2)."""

    def stream(self, rng, size):
        axes = np.roll(np.eye(size), 1, axis=0)
        while True:
            yield axes


class GradientDirections:
    """The negative gradient of the perceptron criterion at the present point: RCD-grad (li2005, section 3.3)."""

    def direction(self, A, yw, scores):
        return (yw * (yw * scores <= 0)) @ A


SCHEDULES = {
    "uniform": UniformDirections,
    "gaussian": GaussianDirections,
    "conjugate": ConjugateDirections,
    "cyclic": CyclicDirections,
    "gradient": GradientDirections,
}


def follows_scores(schedule):
    """Whether the next direction of a schedule depends on the present scores."""
    return hasattr(schedule, "direction")


def direction_source(schedule, rng, size, bias_every, bias_component):
    """A function ``take(epoch, count, A, yw, scores)`` that returns the directions of the next ``count`` epochs.

    Every ``bias_every``-th epoch, from the first on, searches along the bias alone and takes nothing from
    the schedule (RCD-bias; None: never). With ``bias_component`` false the schedule's directions leave the
    bias as it is: a stream then fills only the first ``size - 1`` components.
    """
    width = size if bias_component else size - 1
    rows = None if follows_scores(schedule) else _Rows(schedule, rng, width)

    def take(epoch, count, A, yw, scores):
        directions = np.zeros((count, size))
        on_bias = np.zeros(count, dtype=bool)
        if bias_every is not None:
            on_bias = np.arange(epoch, epoch + count) % bias_every == 0
            directions[on_bias, -1] = 1.0
        if rows is not None:
            directions[~on_bias, :width] = rows.take(int((~on_bias).sum()))
        elif not on_bias[0]:
            directions[0, :width] = schedule.direction(A, yw, scores)[:width]
        return directions

    return take


class _Rows:
    """The blocks of a stream, checked and handed out row by row."""

    def __init__(self, schedule, rng, width):
        self.name, self.stream = type(schedule).__name__, schedule.stream(rng, width)
        self.left = np.empty((0, width))

    def take(self, count):
        width = self.left.shape[1]
        while len(self.left) < count:
            block = next(self.stream, None)
            if block is None:
                raise ValueError(f"{self.name}.stream ended; it must yield directions without end.")
            block = np.asarray(block, dtype=np.float64)
            if block.ndim != 2 or block.shape[1] != width or not np.isfinite(block).all():
                raise ValueError(
                    f"{self.name}.stream must yield finite arrays of shape (any number, {width}); "
                    f"got shape {block.shape}."
                )
            self.left = np.concatenate([self.left, block])
        taken, self.left = self.left[:count], self.left[count:]
        return taken
