"""Names that no other record of the run has."""

import itertools

_numbers = itertools.count(1)


def unique(stem):
    """stem-1, stem-2 and so on."""
    return f"{stem}-{next(_numbers)}"
