"""Where members are fitted: in this process, or on an engine of `weaklearn.engines`, with the same numbers."""

from weaklearn.engines import EngineError

__all__ = ["fit_member", "fitted"]


def fit_member(member, data):
    """The member, fitted, and its held-out scores; what an engine's workers run."""
    held_out = member.fit(data)
    return member, held_out


def fitted(members, data, engine=None):
    """Yield a position, a fitted member and its held-out scores, each as soon as it is there.

    Parameters
    ----------
    members : list
    data : MemberData
    engine : Engine, default=None
        An open engine; None is this process.
    """
    if engine is None:
        for k, member in enumerate(members):
            yield k, *fit_member(member, data)
        return
    for outcome in engine.run("weaklearn.robust._fitting:fit_member", members, shared=data):
        if outcome.failure is not None:
            name = members[outcome.index].name
            raise EngineError(f"the learner {name!r} could not be fitted: {outcome.failure}")
        yield outcome.index, *outcome.value
