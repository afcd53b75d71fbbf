"""
What does weaklearn make of my columns?
=======================================

Every column gets a kind, a treatment and a reason. Nothing is guessed silently.
"""

from weaklearn.tables import TableEncoder, describe, labelled, read_table

table = read_table(
    {
        "age": [31, "?", 45, 62] * 5,
        "city": ["Rome", "Oslo", "Rome", "Bonn"] * 5,
        "income": ["1.200,50", "900,00", "2.000,10", "1.500,00"] * 5,
        "ill": ["no", "yes"] * 10,
    }
)
for column in table.columns:
    print(f"{column.name}: {column.kind.value}, {column.treatment.value}. {describe(column)}")

# %%
# The encoder learns medians, scales and categories from training rows only.
data = labelled(table, "ill")
print(TableEncoder(columns=data.used).fit_transform(data.X, data.y)[:3].round(2))
