"""Problems in the plane with a known, noise-free target.

Conventions shared by all of them: inputs are uniform over the stated region; the functions named
``*_target`` give the noise-free class of any point of the plane, and points exactly on a boundary (an
event of probability zero) belong to the side that the formula of the docstring names with "<=".
"""

import numpy as np

from ._flips import flip_labels
from ._parameters import PLANAR, checked_count, checked_positive, checked_real, random_generator

YINYANG_PLATE_RADIUS = 1.0
YINYANG_SMALL_RADIUS = 0.18
RING_RADIUS = np.sqrt(1 / 8)


def _signs(positive):
    return np.where(positive, 1, -1)


def _uniform_in_disc(rng, n_samples, radius):
    # The square root makes the density constant over the area rather than along the radius.
    distance = radius * np.sqrt(rng.uniform(size=n_samples))
    angle = rng.uniform(0.0, 2 * np.pi, size=n_samples)
    return np.column_stack((distance * np.cos(angle), distance * np.sin(angle)))


def yinyang_target(X):
    """Class of each row of `X` in the Yin-Yang figure (see `make_yinyang`)."""
    lobe_radius, small_radius = YINYANG_PLATE_RADIUS / 2, YINYANG_SMALL_RADIUS
    to_right = np.hypot(X[:, 0] - lobe_radius, X[:, 1])
    to_left = np.hypot(X[:, 0] + lobe_radius, X[:, 1])
    in_right_eye = to_right <= small_radius
    in_left_lobe = (small_radius < to_left) & (to_left <= lobe_radius)
    above_lobes = (X[:, 1] > 0) & (to_right > lobe_radius) & (to_left > lobe_radius)
    return _signs(in_right_eye | in_left_lobe | above_lobes)


@PLANAR
def make_yinyang(n_samples=400, *, input_radius=1.1, flip=0.0, random_state=None):
    """The Yin-Yang problem: two interlocked lobes, each with a small disc of the other class.

    With plate radius R = 1, small radius r = 0.18 and d+, d- the distances of a point to (R/2, 0) and
    (-R/2, 0), the class is +1 where ::

        d+ <= r,  or  r < d- <= R/2,  or  (x2 > 0 and d+ > R/2 and d- > R/2)

    and -1 elsewhere. Outside the plate the upper half-plane is therefore +1. The point reflection x -> -x
    swaps the classes, so each has probability 1/2.

    Parameters
    ----------
    input_radius : float, default=1.1
        Inputs are uniform in the disc of this radius about the origin.
    flip : float in [0, 1], default=0.0
        Share of labels that are flipped: those of the last ``round(flip * n_samples)`` examples, so that it
        is known which ones they are. As the inputs are exchangeable, this loses no generality.

    Notes
    -----
    Definition: pratap2008 section 2.6.5.1; the plane outside the plate and the "circle slightly larger than
    the plate": li2006 section 1.4.3; flipping the last indices: li2006 section 1.5.3. The published formula
    leaves out ``d- > R/2`` in its last clause. That puts the upper half of the left small disc in the class
    of the lobe around it and breaks the symmetry of the figure, so the clause is added here. The radius 1.1
    is our reading of "slightly larger".

    Examples
    --------
    >>> from weaklearn.datasets import make_yinyang
    >>> X, y = make_yinyang(200, flip=0.1, random_state=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((200, 2), [-1, 1])
    """
    n_samples = checked_count("n_samples", n_samples)
    input_radius = checked_positive("input_radius", input_radius)
    flip = checked_real("flip", flip, low=0.0, high=1.0)
    X = _uniform_in_disc(random_generator(random_state), n_samples, input_radius)
    y = yinyang_target(X)
    y[n_samples - round(flip * n_samples) :] *= -1
    return X, y


def leftsin_target(X):
    """Class of each row of `X` in the LeftSin problem (see `make_leftsin`)."""
    boundary = np.where(X[:, 0] < 0, 2 * np.sin(3 * X[:, 0]), 0.0)
    return _signs(X[:, 1] > boundary)


@PLANAR
def make_leftsin(n_samples=400, *, random_state=None):
    """The LeftSin problem: a sine boundary on the left, a straight one on the right.

    Inputs are uniform in [-10, 10] x [-5, 5]. The class is +1 where x2 > b(x1) and -1 elsewhere, with the
    boundary b(x1) = 2 sin(3 x1) for x1 < 0 and b(x1) = 0 for x1 >= 0.

    Notes
    -----
    Definition: pratap2008 section 2.6.5.1. The text does not say which side is the first class; the upper
    one is +1 here.

    Examples
    --------
    >>> from weaklearn.datasets import make_leftsin
    >>> X, y = make_leftsin(3, random_state=0)
    >>> X.round(2).tolist(), y.tolist()
    ([[0.98, 2.15], [2.06, 0.45], [-1.53, 1.46]], [1, 1, -1])
    """
    n_samples = checked_count("n_samples", n_samples)
    X = random_generator(random_state).uniform((-10.0, -5.0), (10.0, 5.0), size=(n_samples, 2))
    return X, leftsin_target(X)


def ring_target(X):
    """Class of each row of `X` in the ring problem (see `make_ring`)."""
    return _signs(np.hypot(X[:, 0] - 0.5, X[:, 1] - 0.5) <= RING_RADIUS)


@PLANAR
def make_ring(n_samples=50, *, noise=0.0, random_state=None):
    """The ring problem: a disc in the unit square, with a fixed share of wrong labels.

    Inputs are uniform in the unit square. The class is +1 where the distance to (1/2, 1/2) is at most
    sqrt(1/8), which has probability pi/8, and -1 elsewhere. Then ``round(noise * n_samples)`` examples are
    drawn without replacement and their labels flipped: the number of wrong labels is fixed, not binomial.

    Parameters
    ----------
    noise : float in [0, 1], default=0.0
        Share of flipped labels. The published ring0, ring10, ring20 and ring30 are 0, 0.1, 0.2 and 0.3;
        their test sets have no noise.
    random_state : int, RandomState instance or None, default=None
        Source of the random inputs and of the choice of flipped examples. For the same seed the inputs are
        the same whatever the noise.

    Notes
    -----
    Definition: barnes1999 appendix C.1 and Table 5.1 (50 training examples).

    Examples
    --------
    >>> from weaklearn.datasets import make_ring
    >>> _, clean = make_ring(50, random_state=0)
    >>> _, noisy = make_ring(50, noise=0.2, random_state=0)
    >>> int((clean != noisy).sum())
    10
    """
    n_samples = checked_count("n_samples", n_samples)
    noise = checked_real("noise", noise, low=0.0, high=1.0)
    rng = random_generator(random_state)
    X = rng.uniform(size=(n_samples, 2))
    y, _ = flip_labels(ring_target(X), noise, classes=(-1, 1), random_state=rng)
    return X, y


def concentric_disks_target(X, radii=(1 / 3, 2 / 3, 1.0)):
    """Class of each row of `X` in the concentric disks problem (see `make_concentric_disks`)."""
    # The outermost circle only bounds the inputs; rounding may put a point just outside it.
    circles_within = np.searchsorted(radii[:-1], np.hypot(X[:, 0], X[:, 1]), side="left")
    return _signs(circles_within % 2 == 1)


@PLANAR
def make_concentric_disks(n_samples=31, *, radii=(1 / 3, 2 / 3, 1.0), random_state=None):
    """The concentric disks problem: an inner disk and rings around it, with alternating classes.

    Inputs are uniform in the disk of the largest radius. The inner disk is -1, the ring around it +1, the
    next one -1, and so on; a point on a circle belongs to the disk within.

    Parameters
    ----------
    radii : sequence of float, default=(1/3, 2/3, 1)
        Radii of the disks: positive and increasing.

    Notes
    -----
    li2006 section 1.4.1 and Figure 1.1: three disks, 31 random examples. The text gives no radii and does
    not say which ring has which class. Equal steps are our choice; the middle ring is +1 because the text
    calls the constant negative class the simplest best hypothesis, so the negative examples are the many.

    Examples
    --------
    >>> from weaklearn.datasets import make_concentric_disks
    >>> X, y = make_concentric_disks(random_state=0)
    >>> X.shape
    (31, 2)
    """
    n_samples = checked_count("n_samples", n_samples)
    disk_radii = np.array([checked_positive(f"radii[{i}]", radius) for i, radius in enumerate(radii)])
    if disk_radii.size == 0 or (np.diff(disk_radii) <= 0).any():
        raise ValueError(f"radii must be one or more increasing numbers; got {radii!r}.")
    X = _uniform_in_disc(random_generator(random_state), n_samples, disk_radii[-1])
    return X, concentric_disks_target(X, disk_radii)


def tangram_target(X):
    """Piece, 1 to 7, of each row of `X` in the unit square (see `make_tangram`)."""
    u, v = 4 * X[:, 0], 4 * X[:, 1]
    conditions = [
        (u + v <= 4) & (v >= u),
        u + v <= 4,
        u + v >= 6,
        u - v >= 2,
        u >= v,
        v <= 3,
    ]
    # The first condition that holds decides; what is left is the parallelogram.
    return np.select(conditions, [1, 2, 6, 5, 3, 4], default=7)


@PLANAR
def make_tangram(n_samples=500, *, random_state=None):
    """The tangram problem: points of the unit square, assorted into the seven pieces of the puzzle.

    Inputs are uniform in the unit square, cut as usual. In sixteenths of the area the pieces are:
    1 and 2 the large triangles (4 each), 3 the square (2), 4 and 5 the small triangles (1 each), 6 the
    medium triangle (2), 7 the parallelogram (2).

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
        Inputs.
    y : ndarray of shape (n_samples,)
        Pieces, 1 to 7.

    Notes
    -----
    li2006 section 4.2 and Figure 4.1, with 500 examples. The text says "a rectangle" and does not give the
    numbering. Here the four pieces that meet at the centre are 1, 2, 3, 4 in cyclic order, for which the
    remark of section 4.3 is true: with lines, 1 and 3 against 2 and 4 is much harder than 1 and 2 against
    3 and 4.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn.datasets import make_tangram
    >>> X, y = make_tangram(random_state=0)
    >>> np.unique(y).tolist()
    [1, 2, 3, 4, 5, 6, 7]
    """
    n_samples = checked_count("n_samples", n_samples)
    X = random_generator(random_state).uniform(size=(n_samples, 2))
    return X, tangram_target(X)
