# SPDX-License-Identifier: MIT
"""Cedar Fortran's cluster tasks, CALL CTSKSTART(TASK, SUBROUTINE, arguments) and CALL CTSKWAIT(TASK), as
calls of the loop runtime (userlib/loops/cedar), which is told how many arguments there are."""

import re

from cedar_loops import split_at_commas
from fortran_edits import Edits, Unreadable
from fortran_source import Statement, fixed_form

CALL = re.compile(r"(?P<before>if\(.*\))?callctsk(?P<name>start|wait)\((?P<arguments>.*)\)$", re.I)
MOST_ARGUMENTS = 8


def translate(edits: Edits, unit: list[Statement]):
    for statement in unit:
        call = CALL.match(statement.body)
        if not call:
            continue
        given = split_at_commas(call.group("arguments"))
        if call.group("name").lower() == "wait":
            name = "cedar_await_task"
            if len(given) != 1 or not given[0]:
                raise Unreadable(statement, "CTSKWAIT(TASK) is wanted")
        else:
            name = "cedar_start_task"
            if len(given) < 2 or not all(given) or len(given) > 2 + MOST_ARGUMENTS:
                raise Unreadable(statement, "CTSKSTART(TASK, SUBROUTINE, at most 8 arguments) is wanted")
            given.insert(2, str(len(given) - 2))
        text = f"{call.group('before') or ''}call {name}({','.join(given)})"
        edits.instead(statement, fixed_form(statement.label, text))
