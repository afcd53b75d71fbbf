"""Data: generators of the artificial problems of the source documents, and real sets by name.

The generators follow scikit-learn: ``make_x(n_samples, *, ..., random_state=None)`` gives ``(X, y)`` with y
in {-1, +1}, except the tangram with its seven pieces; `make_noisy_table`
gives a table of mixed columns with wrong labels. `load` gives a real set from the first source that has
it and proves by a checksum that it is the right one; `available` lists the sets and where they are found. No data file
comes with the package.

>>> from weaklearn.datasets import load, make_yinyang
>>> X, y = make_yinyang(100, random_state=0)
>>> load("wine").y[:3].tolist()
[1, 1, 1]
"""

# Names imported "as" themselves are for other rooms of weaklearn.
from ._content import content_sha256
from ._engine import DataEngine
from ._flips import flip_labels
from ._hypercube import make_little_bit
from ._loading import (
    Dataset,
    DatasetCorruptedError,
    DatasetNotFoundError,
    DatasetRecord,
    available,
    download,
    load,
)
from ._loading import hand_over as hand_over
from ._noisy_table import make_noisy_table
from ._normals import make_ringnorm, make_threenorm, make_twonorm
from ._plane import (
    make_concentric_disks,
    make_leftsin,
    make_ring,
    make_tangram,
    make_yinyang,
)

__all__ = [
    "make_yinyang",
    "make_leftsin",
    "make_ring",
    "make_concentric_disks",
    "make_tangram",
    "make_twonorm",
    "make_threenorm",
    "make_ringnorm",
    "make_little_bit",
    "flip_labels",
    "make_noisy_table",
    "DataEngine",
    "load",
    "available",
    "download",
    "content_sha256",
    "Dataset",
    "DatasetRecord",
    "DatasetNotFoundError",
    "DatasetCorruptedError",
]
