"""The table with planted errors: the promised number of them, and columns of every kind."""

import numpy as np
import pytest

from weaklearn.datasets import make_noisy_table
from weaklearn.tables import Kind, labelled


def test_exactly_the_share_is_wrong_and_nothing_else_changes():
    clean, none = make_noisy_table(400, share=0.0, random_state=3)
    table, wrong = make_noisy_table(400, share=0.1, random_state=3)
    assert not none.any()
    assert wrong.sum() == 40
    for name in ("temperature", "pressure", "speed", "supplier"):
        np.testing.assert_array_equal(clean[name], table[name])
    np.testing.assert_array_equal(clean["result"] != table["result"], wrong)
    with pytest.raises(ValueError, match="share"):
        make_noisy_table(share=2)


def test_columns_of_every_kind():
    table, _ = make_noisy_table(300, random_state=0)
    kinds = {column.name: column.kind for column in labelled(table, "result").columns}
    assert kinds["part"] is Kind.IDENTIFIER
    assert kinds["temperature"] is Kind.NUMBER
    assert kinds["supplier"] is Kind.CATEGORY
    assert kinds["made on"] is Kind.DATE
