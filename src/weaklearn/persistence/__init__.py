"""Save a fitted estimator to a file and load it again without running code from the file.

A model file is a zip archive in the format of skops (needs the extra ``weaklearn[persistence]``) with a model card
beside the model. Loading creates objects of weaklearn's own models and of the types on skops's own list, nothing else:
a file that names another type is refused before anything is created. Never load a pickle or joblib file that someone
else made; those formats run code. Which types are trusted is decided in ``_trusted.py``.
"""

from weaklearn.persistence._files import load, model_card, save

__all__ = ["load", "model_card", "save"]
