"""What the user has chosen on the page of a table: the label column, and what to do with each other column."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from weaklearn.web._shell import FormError
from weaklearn.web.jobs import JobError
from weaklearn.web.uploads._stored import StoredTable

if TYPE_CHECKING:
    from weaklearn.tables import Table

__all__ = ["CHOICES", "chosen", "chosen_table"]

# What a column may be taken as, and the option of read_table that says so; "" leaves it as found.
CHOICES = {"": "as found", "numeric": "numbers", "categorical": "categories", "drop": "leave out"}


def chosen(form: Mapping[str, str], table: StoredTable) -> dict[str, Any]:
    """Settings of a job from the form, whose fields are numbered like the columns: names may hold any characters."""
    names = [column["name"] for column in table.preview["columns"]]
    place = form.get("label", "")
    if not place.isascii() or not place.isdigit() or int(place) >= len(names):
        raise JobError("Choose the column with the labels first.")
    label = names[int(place)]
    settings: dict[str, Any] = {"table": table.key, "label": label, **table.options()}
    options: dict[str, list[str]] = {option: [] for option in CHOICES if option}
    for k, name in enumerate(names):
        choice = form.get(f"column-{k}", "")
        if choice not in CHOICES:
            raise FormError("The form holds an unknown choice for a column.")
        if choice and name != label:
            options[choice].append(name)
    return {**settings, **options}


def chosen_table(table: StoredTable, settings: Mapping[str, Any]) -> "Table":
    """The table, read as it was chosen."""
    from weaklearn.tables import read_table  # jobs read tables; the server does not wait for this import

    return read_table(
        table.path,
        sheet=settings["sheet"],
        header=settings["header"],
        drop=settings["drop"],
        categorical=settings["categorical"],
        numeric=settings["numeric"],
    )
