"""``weaklearn audit``: find the rows of a table whose labels do not belong."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from weaklearn.commands._terminal import (
    WRONG_CALL,
    Categorical,
    Drop,
    Header,
    Json,
    Numeric,
    Sheet,
    TableFile,
    check_output,
    fail,
    print_lines,
    print_table,
)

__all__ = ["EXAMPLES", "audit"]

EXAMPLES = """\b
Examples:
  weaklearn audit patients.csv --label diagnosis
  weaklearn audit survey.xlsx --sheet 2 --label answer --drop comment --out survey.html
  weaklearn audit sales.csv.gz --label returned --json > findings.json
"""


def audit(
    table: TableFile,
    label: Annotated[str, typer.Option(help="The column with the labels.")],
    out: Annotated[Path, typer.Option(help="Where to write the report.")] = Path("audit.html"),
    csv: Annotated[
        Path | None,
        typer.Option(help="Where to write all rows, ranked. Default: beside the report, as .csv."),
    ] = None,
    drop: Drop = None,
    categorical: Categorical = None,
    numeric: Numeric = None,
    header: Header = True,
    sheet: Sheet = None,
    permutations: Annotated[int, typer.Option(min=4, help="Random orders, at most.")] = 200,
    max_rows: Annotated[
        int, typer.Option(min=10, help="Larger tables are sampled down to this many rows.")
    ] = 50_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")] = 0,
    as_json: Json = False,
) -> None:
    """Find rows whose labels look wrong.

    Writes a report (HTML), and all rows of the table ranked by how clearly the others contradict their label (CSV).
    Ctrl-C ends the audit early and writes the report from what has been computed.
    """
    if not table.is_file():
        fail(f"there is no file {table}", WRONG_CALL)
    if csv is None:
        csv = out.with_suffix(".csv")
        if csv.resolve() == table.resolve():
            csv = out.with_name(f"{out.stem}_rows.csv")
    for path in (out, csv):
        check_output(path, table)
    from weaklearn.complexity import audit as run
    from weaklearn.tables import TableError, read_table

    try:
        given = read_table(
            table,
            sheet=sheet,
            header=header,
            drop=drop or (),
            categorical=categorical or (),
            numeric=numeric or (),
        )
        found = run(
            given,
            label,
            n_permutations=permutations,
            max_rows=max_rows,
            random_state=seed,
            verbose=sys.stderr.isatty(),
        )
    except TableError as error:
        fail(str(error))
    except MemoryError:
        fail("the table does not fit into memory: lower --max-rows")
    except KeyboardInterrupt:
        fail("stopped before anything was computed", code=130)
    try:
        found.to_html(out)
        found.to_csv(csv)
    except OSError as error:
        fail(f"the report cannot be written: {error}")
    if as_json:
        typer.echo(found.to_json())
    else:
        _print(found, out, csv)
    if found.interrupted:
        fail(f"stopped after {found.n_permutations} permutations; the report holds their results", code=130)


def _print(found, out: Path, csv: Path) -> None:
    print_lines(map(str, found.notes))
    rows = []
    for record in found.summary()["top"][:10]:
        error, price = record["surprise_standard_error"], record["contribution"]
        rows.append(
            (
                str(record["row"]),
                record["label"],
                f"{record['surprise']:+.2f}" + ("" if error is None else f" ± {error:.2f}"),
                "" if price is None else f"{price:.2f} ± {record['contribution_standard_error'] or 0:.2f}",
                f"row {record['nearest_disagreeing_row']}, {record['nearest_disagreeing_label']}",
            )
        )
    nearest = "nearest with another label"
    print_table(
        ("row", "label", "surprise", "contribution", nearest),
        rows,
        left=("label", nearest),
        title="most suspicious rows",
    )
    lines = [f"{len(found.suspicious)} of {len(found.table.y)} labels are contradicted by the other rows."]
    if found.complexity is not None:
        lines.append(f"The labels are {100 * found.complexity.share:.0f}% as complex as shuffled ones.")
    print_lines(lines)
    typer.echo(f"Report: {out}, all rows: {csv}")
