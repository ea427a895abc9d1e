# SPDX-License-Identifier: MIT
"""Records of the schema without a machine, for the tests of what reads them."""

import json

FORMAT = "parley-record-1"


def row(name, size, median, spread=0.05, unit="ns", access="", samples=15, **more):
    half = median * spread
    return {
        "job": 0,
        "node": 0,
        "name": name,
        "unit": unit,
        "access": access,
        "bytes": size,
        "samples": samples,
        "median": median,
        "lower_quartile": median - half,
        "upper_quartile": median + half,
        "minimum": median - 2 * half,
        "maximum": median + 3 * half,
        **more,
    }


def ring(factor=1.0, unit=60.0, sizes=(0, 128, 1024), spread=0.05):
    """Round trips beside the bare ping-pong `unit`, of which they are a multiple."""
    trips = [
        row("round trip", size, (30 + size / 50) * unit * factor, spread, access="none") for size in sizes
    ]
    return [row("bare ping-pong", 0, unit, spread), *trips]


def boot(rows, design="exp6", app="ring", clock="free", **more):
    args = more.pop("args", "")
    nodes = more.pop("nodes", 2)
    return {
        "format": FORMAT,
        "status": "success",
        "exit_status": 0,
        "sentence": "All jobs succeeded.",
        "design": "kernel,heavy",
        "app": f"bin/{app}",
        "nodes": nodes,
        "processors": nodes,
        "clock": clock,
        "dispatch": "virtual",
        "checks": "full",
        "kernel": "1",
        "memory": 1 << 29,
        "pause": 0,
        "plan": {},
        "jobs": [{"job": 0, "name": app, "design": "kernel,heavy", "row": design, "app": f"bin/{app}",
                  "nodes": nodes, "pids": 1, "status": "ok"}],
        "processes": [],
        "rows": rows,
        "times": [],
        "host": {"emulator": "QEMU emulator version 7.2", "threads": "multi" if clock == "free" else "single",
                 "cores": 2, "seconds": 1.0},
        "asked": {"jobs": [{"name": app, "design": design, "app": app, "nodes": nodes, "args": args}],
                  "clock": clock, "processors": nodes},
        **more,
    }  # fmt: skip


def written(path: str, *boots: dict) -> str:
    whole = boots[0] if len(boots) == 1 else {"format": FORMAT, "runs": list(boots)}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(whole, file)
    return path


def times(nodes=2, life=1000):
    return [
        {
            "job": 0,
            "endpoint": node,
            "life": life,
            "inside": 600,
            "waiting": 200,
            "calls": 3,
            "clock_hertz": 10**9,
        }
        for node in range(nodes)
    ]
