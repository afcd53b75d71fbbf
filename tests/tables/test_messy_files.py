"""Messy files: each is handled, or refused with a message that says what to do."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from weaklearn.tables import TableError, labelled, read_table

FILES = runpy.run_path(str(Path(__file__).with_name("messy.py")))["FILES"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.what)
def test_handled_or_refused(file, tmp_path):
    path = tmp_path / file.name
    path.write_bytes(file.content)
    if file.error:
        with pytest.raises(TableError, match=file.error):
            labelled(read_table(path, **file.options), file.label)
        return
    data = labelled(read_table(path, **file.options), file.label)
    assert {column.name: column.kind for column in data.columns} == file.kinds
    for name, n_missing in file.n_missing.items():
        assert {column.name: column.n_missing for column in data.columns}[name] == n_missing
    for name, values in file.values.items():
        np.testing.assert_allclose(data.table.values(name), values, rtol=1e-12)
    assert [note.sentence for note in data.notes] == list(file.notes)


def test_the_documentation_lists_them():
    page = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")
    for file in FILES:
        assert f"| {file.what} |" in page
