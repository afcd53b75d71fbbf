"""The one folder for what weaklearn keeps between runs: downloaded data sets, digests of code."""

import os
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """The folder in the environment variable WEAKLEARN_CACHE, or the user's cache folder of the system."""
    chosen = os.environ.get("WEAKLEARN_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("weaklearn", appauthor=False)
