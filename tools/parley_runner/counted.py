# SPDX-License-Identifier: MIT
"""Numbers with their nouns, as sentences say them."""


def counted(number: int | str, noun: str, several: str = "") -> str:
    """As in 1 node, 2 nodes. `several`: what more than one are called, if not the noun with an s."""
    return f"{number} {noun if str(number) == '1' else several or noun + 's'}"
