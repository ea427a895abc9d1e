#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The FFT and the simplex method under the three transfers and the other designs, beside the paper's figures.

applications.py [fft|simplex]... [--nodes 1,2,4,8] [--clock counted|free] [--samples N]

All processors share one clock that counts instructions, so a table repeats to the last digit. It says how
much work a design makes, on all processors together; it knows no caches and no parallel speed.
"""

import argparse
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "tools"))

from paper import batch, measurements, published  # noqa: E402
from parley_study import closing  # noqa: E402
from parley_study.tables import show  # noqa: E402

SIZES = (128, 256, 512, 1024, 2048)
POINT = 16  # bytes
NAMES = {**published.TRANSFERS, "nx2": "NX/2"}
DESIGNS = (*NAMES, "exp3", "exp4", "exp5")


def measure(app: str, args: str, arguments: argparse.Namespace, designs=DESIGNS) -> dict:
    """(nodes, design) -> rows"""
    measured = {}
    for nodes in arguments.nodes:
        jobs = [{"name": design, "design": design, "args": args} for design in designs]
        common = {"app": app, "nodes": nodes, "clock": arguments.clock, "limit": 300}
        for design, rows in zip(designs, batch.run(jobs, **common)):
            measured[nodes, design] = rows
    return measured


def keep(arguments: argparse.Namespace, name: str, found: dict) -> None:
    """For the pictures."""
    measurements.keep(arguments.data, name, {"measured": measurements.plain(found)})


def relative(title: str, times: dict, printed: dict, nodes: list[int]) -> None:
    heads = ["nodes"] + [word for name in published.TRANSFERS.values() for word in (name, "paper")]
    lines = []
    for count in nodes:
        line: list = [count]
        for place, design in enumerate(published.TRANSFERS):
            line += [f"{times[count, design] / times[count, 'exp2']:.2f}"]
            line += [f"{printed[count][place]:.2f}" if count in printed else "-"]
        lines.append(line)
    show(title, heads, lines)
    every = sorted(DESIGNS)
    ratios = [[f"{times[count, design] / times[count, 'exp2']:.2f}" for design in every] for count in nodes]
    show(
        "  all designs, exp2 = 1", ["nodes", *every], [[count, *line] for count, line in zip(nodes, ratios)]
    )


def work(title: str, times: dict, nodes: list[int]) -> None:
    """With one clock for all processors time is their work: P processors are P times as fast at best."""
    if 1 not in nodes:
        return
    heads = ["nodes", *NAMES.values()]
    bounds = [
        [count, *(f"{count * times[1, design] / times[count, design]:.2f}" for design in NAMES)]
        for count in nodes
    ]
    show(title, heads, bounds)


def same(what: str, measured: dict, key: tuple) -> bool:
    values = {rows[key] for rows in measured.values()}
    if len(values) > 1:
        print(f"{what} differs between designs or numbers of nodes: {sorted(values)}")
    return len(values) == 1


def fft_sizes(measured: dict, nodes: list[int]) -> None:
    lines = []
    for count in nodes:
        rows = measured[count, "exp6"]
        for points in SIZES if count > 1 else ():
            key = points * POINT
            bytes_each = rows["bytes sent", key] / rows["messages", key]
            paper = published.FFT_MESSAGE_BYTES.get(count, {}).get(points, "-")
            lines.append([count, points, f"{rows['messages', key]:.0f}", f"{bytes_each:.0f}", paper])
    show("Figure 2: FFT messages", ["nodes", "points", "messages", "bytes", "paper"], lines)


def fft_shares(measured: dict, nodes: list[int]) -> None:
    for count in nodes:
        lines = []
        for design, name in NAMES.items():
            rows = measured[count, design]
            lines.append([name, *(f"{rows['share', points * POINT]:.1f}" for points in SIZES)])
        title = f"Figure 19: percent of the time in the message system, {count} nodes (falls with the points)"
        show(title, ["points", *map(str, SIZES)], lines)


def fft(arguments: argparse.Namespace) -> bool:
    sizes = ",".join(map(str, SIZES))
    measured = measure("fft", f"--points {sizes} --samples {arguments.samples} --check no", arguments)
    keep(arguments, "fft", measured)
    times = {key: rows["fft time", 1024 * POINT] for key, rows in measured.items()}
    fft_sizes(measured, arguments.nodes)
    nodes, points = arguments.nodes, "1024 points"
    relative(f"Figure 18: time of the FFT, {points}, pointer = 1", times, published.FFT_RELATIVE, nodes)
    work(f"Figure 17: speed-up of the FFT at best, {points} (work of 1 node / work of each)", times, nodes)
    fft_shares(measured, [count for count in nodes if count > 1])
    return all([same(f"The spectrum of {size}", measured, ("spectrum", size * POINT)) for size in SIZES])


def simplex_messages(measured: dict, nodes: list[int]) -> None:
    lines, small, large, sent = [], 0.0, 0.0, 0.0
    for count in (count for count in nodes if count > 1):
        rows = measured[count, "exp6"]
        of_kind = {name: value for (name, _), value in rows.items()}
        messages, selection = of_kind["messages"], of_kind["selection messages"]
        pivot_bytes = next(size for name, size in rows if name == "pivot messages")
        paper = published.SIMPLEX_MESSAGES.get(count, "-")
        a_pivot, share = messages / of_kind["pivots"], 100 * selection / messages
        lines.append([count, f"{messages:.0f}", f"{a_pivot:.2f}", paper, f"{share:.1f}"])
        small, large = small + selection, large + of_kind["pivot messages"]
        sent += of_kind["bytes sent"]
    show("Figure 3: simplex messages", ["nodes", "here", "a pivot", "paper", "selection %"], lines)
    if not lines:
        return
    mean = f"{sent / (small + large):.0f}"
    peaks = [[128, f"{100 * small / (small + large):.2f}", 128, 81.99]]
    peaks += [[pivot_bytes, f"{100 * large / (small + large):.2f}", 814, 18.0]]
    show("Figure 4: sizes over all these", ["bytes", "percent", "paper's", "percent"], peaks)
    print(f"  mean {mean} bytes, paper's {published.SIMPLEX_MEAN_BYTES}")


def simplex(arguments: argparse.Namespace) -> bool:
    measured = measure("simplex", f"--samples {arguments.samples}", arguments)
    keep(arguments, "simplex", measured)
    times = {key: rows["simplex time", 0] for key, rows in measured.items()}
    simplex_messages(measured, arguments.nodes)
    nodes = arguments.nodes
    relative("Figure 21: time of the simplex method, pointer = 1", times, published.SIMPLEX_RELATIVE, nodes)
    work("Figure 20: speed-up at best (work of 1 node / work of each)", times, nodes)
    shares = {key: f"{rows['share', 0]:.1f}" for key, rows in measured.items()}
    lines = [[count, *(shares[count, design] for design in NAMES)] for count in nodes]
    title = "Figure 22: percent of the time in the message system (rises with the nodes)"
    show(title, ["nodes", *NAMES.values()], lines)
    return all([same(f"The {name}", measured, (name, 0)) for name in ("objective", "pivots", "verdict")])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("apps", nargs="*", metavar="fft|simplex")
    parser.add_argument("--nodes", default="1,2,4,8", help="numbers of nodes (default 1,2,4,8)")
    parser.add_argument("--clock", choices=("counted", "free"), default="counted")
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--data", default="", help="folder that gets the measurements for draw.py")
    arguments = parser.parse_args()
    arguments.nodes = [int(word) for word in arguments.nodes.split(",")]
    wanted = {"fft": fft, "simplex": simplex}
    if set(arguments.apps) - set(wanted):
        parser.error("the applications are fft and simplex")
    try:
        good = [wanted[name](arguments) for name in arguments.apps or wanted]
    except batch.Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    if arguments.clock == "counted":
        print("\nEvery instruction of every processor takes 1 ns: work is compared, not parallel speed.")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(closing.of(main))
