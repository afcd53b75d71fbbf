"""Rows in blocks, so that what is computed from a large table takes little memory at a time."""

__all__ = ["row_blocks"]

_BLOCK_NUMBERS = 1 << 20


def row_blocks(n_rows, n_numbers_per_row):
    """Slices of rows that keep a block at about 8 MB, which the allocator reuses."""
    step = max(256, _BLOCK_NUMBERS // max(n_numbers_per_row, 1))
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]
