"""li2006, Figures 1.14 to 1.16 (appendix 1.A, pages 45 to 47): principal subsets of the two small sets of chapter 1.

As in the document, at most two subsets of a principal point of the Yin-Yang set are drawn. Figure 1.15 has the first
half, by complexity, and Figure 1.16 the second.
"""

from weaklearn.lab import Figure, Protocol

__all__ = ["all_subsets_figures"]

TRIALS = "weaklearn.studies.li2006.all_subsets_trials:every_subset"
DRAW = "weaklearn.studies.li2006.drawings:subsets_of_part"


def all_subsets_figures(disks, yinyang, measure):
    """The figures, of the rows and the measure of the experiment."""
    small = Protocol(TRIALS, {"n_clusters": 15})
    large = Protocol(TRIALS, {"n_clusters": 32, "max_subsets": 60_000, "most": 2})
    plan = (
        ("1.14", "All principal subsets of the concentric disks", disks, small, [1, 1]),
        ("1.15", "Principal subsets of the small Yin-Yang set, part I", yinyang, large, [1, 2]),
        ("1.16", "Principal subsets of the small Yin-Yang set, part II", yinyang, large, [2, 2]),
    )
    return tuple(
        Figure(
            source="li2006",
            number=number,
            title=title,
            rows=(row,),
            columns=(measure,),
            protocol=trials,
            draw=DRAW,
            options={"part": part},
        )
        for number, title, row, trials, part in plan
    )
