# SPDX-License-Identifier: MIT
"""A null message taken apart as in the paper's figure 16: each executed instruction belongs to one
activity."""

from dataclasses import dataclass

import execution
from parley_runner import places

ACTIVITIES = ("proxy calls", "process identifications", "virtual function calls", "bookkeeping")
# A virtual call is three instructions: the load of the table's address, the call, and the return.
VIRTUAL_CALL = 3


@dataclass
class Breakdown:
    """Of one csend and one crecv, in instructions."""

    program: int = 0  # outside the kernel: libnx and the crossing
    entry: int = 0  # from the kernel's entry to the method and back
    identification: int = 0
    virtual_calls: int = 0
    bookkeeping: int = 0

    @property
    def total(self) -> int:
        virtual = VIRTUAL_CALL * self.virtual_calls
        return self.program + self.entry + self.identification + virtual + self.bookkeeping

    def rows(self, messages: int) -> list[tuple[str, int, float, float]]:
        """activity, count, each, total for that many messages, each with two proxy calls"""
        calls = 2 * messages
        totals = (
            (calls, messages * (self.program + self.entry)),
            (calls, messages * self.identification),
            (messages * self.virtual_calls, messages * VIRTUAL_CALL * self.virtual_calls),
            (calls, messages * self.bookkeeping),
        )
        return [
            (name, count, whole / max(count, 1), whole) for name, (count, whole) in zip(ACTIVITIES, totals)
        ]


def of(program: str, design: str) -> Breakdown:
    record, calls, kernel = execution.calls(program, design)
    pair = [execution.typical(calls, kernel, name) for name in ("send", "receive")]
    executed = [address for call in pair for address in call.addresses]
    sources = execution.sources(places.kernel("virtual"), set(executed))
    watched = [f for f in kernel if execution.ON_THE_WAY.search(f.name) and any(c.executes(f) for c in pair)]
    what = execution.instructions(places.kernel("virtual"), watched)
    result = Breakdown(program=outside(record, len(executed)))
    for address in executed:
        function = execution.function_at(kernel, address).name
        indirect = execution.is_indirect(what.get(address, ""))
        if "parley::messaging::" in function:
            result.virtual_calls += indirect
            result.bookkeeping += 1 - VIRTUAL_CALL * indirect
        elif identifies(sources[address], what.get(address, "")):
            result.identification += 1
        elif "parley_calls::" in function:  # the handler, whose call into the message system is virtual too
            result.virtual_calls += indirect
            result.entry += 1 - VIRTUAL_CALL * indirect
        else:
            result.entry += 1
    return result


def identifies(place: str, instruction: str) -> bool:
    """Who calls, and whether the proxy is its own."""
    return "proxy_table" in place or ("processor.hpp" in place and "%gs:" in instruction)


def outside(record: dict, in_kernel: int) -> int:
    whole = sum(row["median"] for row in record["rows"] if row["name"] in ("csend", "crecv"))
    return round(whole) - in_kernel
