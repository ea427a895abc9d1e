# SPDX-License-Identifier: MIT
"""Cedar Fortran, fixed form, as gfortran takes it with our loop runtime: its loops (cedar_loops.py) and what
they call (cedar_functions.py), its tasks (cedar_tasks.py), and the places of its data (cedar_places.py,
cedar_commons.py). Lines keep their numbers in the compiler's messages."""

import cedar_functions
import cedar_tasks
from cedar_commons import Commons
from cedar_loops import Loops
from cedar_places import Places
from fortran_edits import Edits, Unreadable
from fortran_source import lines_of, statements, units


def translate(text: str | None, path: str, width: int) -> str | None:
    """The translation of the text, or of the file where there is none; the text, where it has nothing of
    Cedar's. What cannot be translated ends in ValueError with file, line and reason."""
    lines = text.splitlines(keepends=True) if text is not None else lines_of(path, width)
    edits = Edits(lines, path)
    kinds: dict[str, bool] = {}
    try:
        for unit in units(statements(lines)):
            commons = Commons(edits, unit, kinds)
            commons.translate()
            cedar_functions.translate(edits, unit)
            Loops(edits, commons).translate(unit)
            cedar_tasks.translate(edits, unit)
            Places(edits, unit).translate()
    except Unreadable as problem:
        raise ValueError(f"{edits.where(problem.statement)}: {problem}.") from problem
    return edits.text() if edits else text
