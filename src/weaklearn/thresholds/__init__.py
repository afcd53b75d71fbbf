"""Running an experiment: threshold sessions in the terminal, in the browser and by a JSON interface.

The samplers and the session file are science and live in `weaklearn.adaptive`; here is what people and programs see of
them. `_options` declares the settings of a session once, for all of these. ``command.py`` is ``weaklearn threshold``,
``pages.py`` the door of the application, `_routes` its pages, `_api` the JSON interface, `_terminal` the dialogue.
Guide: ``docs/threshold_app.md``.
"""

__all__: list[str] = []
