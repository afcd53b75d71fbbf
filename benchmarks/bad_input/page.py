"""The kinds of input of the matrix as a page of the documentation."""

from benchmarks.bad_input.kinds import FIT_KINDS, METHODS, NEW_ROWS
from benchmarks.bad_input.session_kinds import SESSION_KINDS

__all__ = ["page"]

_HEAD = """# Bad input

Every estimator, sampler and function of X and y is tried with the input below (`python -m benchmarks.bad_input`; a
sample of it in every run of the tests, all of it in `make test-slow`). No answer may be a raw error, nonsense in
silence, or a fit without end.

What is expected is one of

- *refuse*: an error that names the problem;
- *same*: the answer of the equivalent clean input;
- *learned*: classes that a plane separates are still told apart;
- *finite*: finite numbers and known classes.

"or refuse" means that an error that says why is fine, too: not every method can use the input.
"""


def page() -> str:
    """The text of ``docs/bad_input.md``."""
    methods = ", ".join(f"`{method}`" for method in METHODS)
    parts = [
        ("Given to `fit`", FIT_KINDS),
        (f"Given to {methods} after a fit to clean data", NEW_ROWS),
        ("Given to the samplers of experiments", SESSION_KINDS),
    ]
    return _HEAD + "".join(f"\n## {title}\n\n{_table(kinds)}" for title, kinds in parts) + _PARAMETERS


def _table(kinds):
    rows = [f"| {kind.name} | {kind.oracle}{' or refuse' * kind.may_refuse} |" for kind in kinds]
    return "\n".join(["| input | expected |", "|---|---|", *rows, ""])


_PARAMETERS = """
## Parameters

Every number is set to nan, a word and 1j (refuse), and to -1, None, infinity, True and an empty list (finite or
refuse); every choice to a word that is none and nan (refuse), None, 3, an empty list and -1.0 (finite or refuse);
every switch to a word, nan and an empty list (refuse), None and 2 (finite or refuse); what is None by default to a
word, nan and -1 (finite or refuse). Class weights are negative, zero, nan, infinite and a word (refuse), jobs 0
(refuse) and a billion (same). Who refuses a parameter names it.
"""
