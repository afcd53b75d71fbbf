"""Save a fitted estimator to a file and load it again without running code from the file.

A model file is a zip archive in the format of skops (needs the extra ``weaklearn[persistence]``) with a model card
beside the model. Loading creates objects of the types in `TRUSTED_TYPES` and of skops's own list, nothing else: a
file that names another type is refused before anything is created. Never load a pickle or joblib file that someone
else made; those formats run code. This room names the types of the rooms above it and imports none of them.
"""

from weaklearn.persistence._files import load, model_card, save
from weaklearn.persistence._trusted import TRUSTED_TYPES

__all__ = ["TRUSTED_TYPES", "load", "model_card", "save"]
