"""Running an experiment: threshold sessions in the terminal, in the browser and by a JSON interface.

The samplers and the session file are science and live in `weaklearn.adaptive`; here is what people and programs see of
them. ``command.py`` is ``weaklearn threshold``, ``pages.py`` the door of the application, `_setup` reads what a person
typed, `_terminal` asks in the terminal, `_api` speaks JSON. Guide: ``docs/threshold_app.md``.
"""

__all__: list[str] = []
