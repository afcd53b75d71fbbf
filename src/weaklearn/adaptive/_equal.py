"""EqualAllocation: every level equally often."""

from weaklearn.adaptive._counts import CountSampler, random_argmin


class EqualAllocation(CountSampler):
    """Ask every level equally often, in random order: the baseline that looks at no answer.

    Parameters
    ----------
    levels, functional, fit, increasing, random_state
        See `Sampler`; the default fit is `MonotoneFit`.

    References
    ----------
    pratap2008, section 3.6 (Equal-LogFit, Equal-MonFit).

    Examples
    --------
    >>> sampler = EqualAllocation([1, 2, 3], random_state=0)
    >>> for _ in range(3):
    ...     level = sampler.ask()
    ...     sampler = sampler.tell(level, level > 1.5)
    >>> sorted(answer.level for answer in sampler.history)
    [1.0, 2.0, 3.0]
    >>> sampler.estimate()
    1.5
    """

    def _choose_adaptively(self, x, yes, asked, places, rng):
        return places[random_argmin(asked[:, places], rng)]
