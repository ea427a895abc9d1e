# SPDX-License-Identifier: MIT
"""The paper's base costs and round trips on the modelled Multimax, beside what is printed: first what the
machine was calibrated on, then what was not. No number of the second part has been fitted."""

import os
import sys
import tempfile

TOOLS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "tools")
sys.path[1:1] = [TOOLS, os.path.join(TOOLS, "benchmark")]

import boots  # noqa: E402
from paper import orderings, published  # noqa: E402
from parley_runner import places, table  # noqa: E402

MACHINE = {"clock": "modelled", "machine": "multimax", "memory": 64, "limit": 600}
SIZES = (128, 1024, 2048, 4096)
SWITCHING = os.path.join(places.ROOT, "studies", "paper", "tools", "paper", "switching.c")
DESIGNS = ("exp1", "exp2", "exp3", "exp4", "exp5", "exp6")
CALIBRATED_ON = ("read", "write", "proxy call")  # as tools/machines/multimax.toml says


def trips(design: str, access: str = "none") -> tuple[dict[int, float], dict[str, float]]:
    """Round trips in us by size; what else the boot measured, in us."""
    sizes = ",".join(map(str, SIZES))
    arguments = f"--sizes {sizes} --trips 2 --samples 5 --access {access}"
    record = boots.run(app="ring", design=design, nodes=2, args=arguments, **MACHINE).record
    others = {row["name"]: row["median"] / 1000 for row in record["rows"] if row["bytes"] == 0}
    return {size: time / 1000 for size, time in boots.rows(record, "round trip").items()}, others


def buffers() -> dict[str, float]:
    """read, write and copy of 4096 bytes in words of 4, in us."""
    record = boots.run(app="buffer", nodes=1, args="--maximum 4096", **MACHINE).record
    rows = {row["name"].split()[0]: row for row in record["rows"] if row["bytes"] == 4096}
    return {name: row["median"] / 1000 for name, row in rows.items()}


def switch() -> float:
    """A context switch in us: blocking, waking and switching."""
    with tempfile.TemporaryDirectory(prefix="parley-switch-") as folder:
        program = boots.program(folder, SWITCHING)
        shared = {"design": "exp4", "nodes": 2, "processors": 1, "schedule": "timeshared"}
        return boots.rows(boots.run(app=program, **shared, **MACHINE).record, "context switch")[0] / 1000


def compared(title: str, rows: list[tuple[str, float, float]]) -> None:
    """(what, ours, printed)"""
    lines = [["", "modelled", "printed", "ratio"]]
    for what, ours, theirs in rows:
        lines.append([what, table.number(ours), f"{theirs:g}", f"{ours / theirs:.2f}"])
    print("\n".join(["", f"{title}, in us", *table.grid(lines)]))


def main() -> int:
    measured = {design: trips(design) for design in DESIGNS}
    times = {design: found for design, (found, _) in measured.items()}
    base = {**buffers(), "proxy call": measured["exp6"][1]["null proxy call"], "context switch": switch()}
    rows = [(name, base[name], printed) for name, printed in published.BASE_US.items()]
    compared("Calibrated on", [row for row in rows if row[0] in CALIBRATED_ON])
    ring = [
        (f"{design}, {size} bytes", times[design][size], printed)
        for design, sizes in published.RING_US.items()
        for size, printed in sizes.items()
    ]
    ours = {
        "exp2, read access, 4096 bytes": trips("exp2", "read")[0][4096],
        "exp6, write access, 4096 bytes": trips("exp6", "write")[0][4096],
        "exp6 - exp1, 2048 bytes": times["exp6"][2048] - times["exp1"][2048],
        "exp1 - exp5": times["exp1"][128] - times["exp5"][128],
    }
    ring += [(name, ours[name], printed) for name, printed in published.RING_OTHERS_US.items()]
    compared("Not calibrated: base costs", [row for row in rows if row[0] not in CALIBRATED_ON])
    compared("Not calibrated: round trips", ring)
    return verdicts([*orderings.statements(times), *touched(times, ours)])


def touched(times: dict[str, dict[int, float]], ours: dict[str, float]) -> list[tuple[str, str]]:
    """What the paper says of reading and writing messages: figure 12."""

    def above(what: str, more: float, less: float) -> tuple[str, str]:
        return what, "" if more > less else f"{more:.0f} us are not above {less:.0f}"

    read = ours["exp2, read access, 4096 bytes"]
    written = ours["exp6, write access, 4096 bytes"]
    return [
        above("exp2 takes longer when 4096 bytes are read", read, times["exp2"][4096]),
        above("exp2 is no longer flat when its messages are read", read, orderings.FLAT * times["exp2"][128]),
        above("exp6 takes longer when 4096 bytes are written", written, times["exp6"][4096]),
    ]


def verdicts(statements: list[tuple[str, str]]) -> int:
    """Prints each (statement, why it does not hold, or nothing); the exit status: 1 when one does not."""
    print("\nOrderings")
    for said, why_not in statements:
        print(f"  {said}: {f'does not hold: {why_not}' if why_not else 'holds'}")
    return int(any(why_not for _, why_not in statements))


if __name__ == "__main__":
    sys.exit(main())
