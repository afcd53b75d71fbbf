"""The record of a session that has not begun yet."""

import uuid

import numpy as np

from weaklearn.adaptive._registry import describe_target, plain_params, session_params
from weaklearn.adaptive._stopping import Budget
from weaklearn.adaptive.sessions._changes import now
from weaklearn.adaptive.sessions._session_file import FORMAT, VERSION

__all__ = ["new_record"]


def new_record(levels, question, target, *, sampler, sampler_params, task, stop, seed, increasing, about):
    """The settings of `Session.create` as plain data; ValueError for those that cannot be stored."""
    grid = sorted({float(level) for level in levels})
    if len(grid) < 2 or not np.isfinite(grid).all():
        raise ValueError(f"levels must be at least two different finite numbers, got {levels!r}")
    if seed is not None and int(seed) < 0:
        raise ValueError(f"seed must not be negative, got {seed!r}")
    targets = list(target) if isinstance(target, list | tuple) else [target]
    stop = Budget(3 * len(grid)) if stop is None else stop
    params = session_params(sampler, sampler_params, grid, stop, task)
    if task is not None:
        about = {"task": task, **about}
    return {
        "format": FORMAT,
        "version": VERSION,
        "id": uuid.uuid4().hex,
        "created": now(),
        "question": str(question),
        "levels": grid,
        "increasing": bool(increasing),
        "targets": [describe_target(one) for one in targets],
        "sampler": {"name": sampler, "params": plain_params(params)},
        "stop": stop.describe(),
        "seed": int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed),
        "revision": 0,
        "history": [],
        "undone": [],
        "notes": [],
        "about": {str(name): str(text) for name, text in about.items()},
    }
