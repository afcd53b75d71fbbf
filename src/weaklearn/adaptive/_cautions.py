"""What a reader of an estimate should know, in sentences."""

__all__ = ["cautions"]


def cautions(sampler, functionals):
    """Sentences about thresholds outside the levels and curves that are not S-shaped; an empty list if all is well."""
    low, high = sampler._range()
    said = []
    for functional in functionals:
        outside = sampler.outside(functional)
        if outside.side is not None:
            end = low if outside.side == "below" else high
            said.append(
                f"The threshold lies {outside.side} every level (p = {max(outside):.2f}): add levels beyond {end:g}."
            )
    misfit = getattr(sampler, "misfit_", None)
    if misfit is not None and misfit.found:
        said.append(misfit.message)
    return said
