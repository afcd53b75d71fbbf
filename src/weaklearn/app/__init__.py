"""The local application: ``weaklearn serve`` in the browser, and threshold experiments in the terminal.

`_application` puts the parts together: the guard (`_guard`), what all pages share (`_shell`), home, and four
doors. Tables that somebody has brought are in ``tables``, checks of their labels in ``audits``, ``comparisons`` of
classifiers, runs of the lab in ``laboratory``; all three are ``jobs``, which outlive the server. The pages of
threshold sessions are `_web`, their JSON interface `_api`, their terminal `_terminal`. Pages are thin: they call
the functions that the commands call. Guides: ``docs/application.md``, ``docs/threshold_app.md``.
"""

__all__: list[str] = []
