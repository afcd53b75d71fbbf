"""``weaklearn datasets``: which real data sets there are, where each is read, how to get it, and getting it."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

import typer

from weaklearn.console._terminal import WRONG_CALL, Json, did_you_mean, fail, print_table, progress_bar

__all__ = ["COMMAND", "EXAMPLES"]

EXAMPLES = """\b
Examples:
  weaklearn datasets
  weaklearn datasets --json
  weaklearn datasets --download sonar
  weaklearn datasets --download all
"""

Download = Annotated[
    list[str] | None,
    typer.Option(
        "--download",
        metavar="NAME|all",
        help="Download a set from its public source, check its content and keep it; can be given again.",
    ),
]


def datasets(names: Download = None, as_json: Json = False) -> None:
    """List the real data sets, or download them.

    For each one: its size, and where it is read or how to get it. Downloads go to the folder in WEAKLEARN_CACHE, or
    else to the cache folder of the user. "all" gets those that are not found yet. The exit code is 1 if one fails.
    """
    if names:
        _download(names, as_json)
    else:
        _print_list(as_json)


def _print_list(as_json: bool) -> None:
    from weaklearn.datasets import available

    records = available()
    if as_json:
        typer.echo(json.dumps([asdict(record) for record in records]))
        return
    where = "where, or how to get it"
    rows = []
    for record in records:
        sizes = map(str, (record.rows, record.features, record.classes))
        rows.append((record.name, *sizes, record.source or "not found", record.how_to_get))
    heads = ("name", "rows", "features", "classes", "found in", where)
    print_table(heads, rows, left=("name", "found in", where), fold=(where,), width=160)


def _download(names: list[str], as_json: bool) -> None:
    from rich.progress import DownloadColumn, TransferSpeedColumn

    from weaklearn.datasets import DatasetNotFoundError, available, download

    records = {record.name: record for record in available()}
    results = []
    for name in _chosen(names, records):
        try:
            with progress_bar(name, DownloadColumn(), TransferSpeedColumn()) as progress:
                path = download(name, progress=progress)
        except DatasetNotFoundError as error:
            results.append({"name": name, "path": None, "error": str(error)})
            typer.echo(f"weaklearn: {error}", err=True)
        else:
            licence = records[name].licence
            results.append({"name": name, "path": str(path), "licence": licence})
            if not as_json:
                typer.echo(f"{name}: {path}\n  Licence: {licence}")
    if as_json:
        typer.echo(json.dumps(results))
    elif not results:
        typer.echo("Every data set is already found.")
    if any(result["path"] is None for result in results):
        raise typer.Exit(1)


def _chosen(names: list[str], known: Mapping[str, Any]) -> list[str]:
    """The names of the sets to download, each once; "all" stands for those that no source has."""
    chosen: list[str] = []
    for name in names:
        if name == "all":
            chosen += [known_name for known_name, record in known.items() if record.source is None]
        elif name in known:
            chosen.append(name)
        else:
            hint = did_you_mean(name, known)
            fail(f"unknown data set {name!r}{hint}; known: {', '.join(known)}, all", WRONG_CALL)
    return list(dict.fromkeys(chosen))


COMMAND = datasets
