"""What ``weaklearn datasets`` does, apart from its options: the list of data sets, and downloads with progress."""

import json
from dataclasses import asdict
from difflib import get_close_matches

import typer
from rich.progress import DownloadColumn, TransferSpeedColumn

from weaklearn.console._terminal import WRONG_CALL, fail, print_table, progress_bar
from weaklearn.datasets import DatasetNotFoundError, available, download

__all__ = ["download_sets", "print_list"]


def print_list(as_json: bool) -> None:
    records = available()
    if as_json:
        typer.echo(json.dumps([asdict(record) for record in records]))
        return
    where = "where, or how to get it"
    print_table(
        ("name", "rows", "features", "classes", "found in", where),
        [
            (
                record.name,
                str(record.rows),
                str(record.features),
                str(record.classes),
                record.source or "not found",
                record.how_to_get,
            )
            for record in records
        ],
        left=("name", "found in", where),
        fold=(where,),
        width=160,
    )


def download_sets(names: list[str], as_json: bool) -> None:
    licences = {record.name: record.licence for record in available()}
    results = []
    for name in _chosen(names):
        try:
            with progress_bar(name, DownloadColumn(), TransferSpeedColumn()) as progress:
                path = download(name, progress=progress)
        except DatasetNotFoundError as error:
            results.append({"name": name, "path": None, "error": str(error)})
            typer.echo(f"weaklearn: {error}", err=True)
        else:
            results.append({"name": name, "path": str(path), "licence": licences[name]})
            if not as_json:
                typer.echo(f"{name}: {path}\n  Licence: {licences[name]}")
    if as_json:
        typer.echo(json.dumps(results))
    elif not results:
        typer.echo("Every data set is already found.")
    if any(result["path"] is None for result in results):
        raise typer.Exit(1)


def _chosen(names: list[str]) -> list[str]:
    """The names of the sets to download, each once; "all" stands for those that no source has."""
    records = available()
    known = [record.name for record in records]
    chosen: dict[str, None] = {}
    for name in names:
        if name == "all":
            chosen.update((record.name, None) for record in records if record.source is None)
            continue
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            fail(f"unknown data set {name!r}{hint}; known: {', '.join(known)}, all", WRONG_CALL)
        chosen[name] = None
    return list(chosen)
