#!/usr/bin/python3 -S
# SPDX-License-Identifier: MIT
"""Stands in for QEMU in the runner's tests: plays the script named by FAKE_SCRIPT, a Python file with a
function play(machine), where `machine` writes frames and console text and ends with a status."""

import sys

# Half of its processes are asked for this alone, so nothing is read before.
if __name__ == "__main__" and "--version" in sys.argv:
    print("fake emulator version 1")
    sys.exit(0)

import os  # noqa: E402
import re  # noqa: E402
import struct  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from parley_runner import frames  # noqa: E402


class Machine:
    def __init__(self, arguments: list[str]):
        self.arguments = arguments
        devices = {
            name: int(fd) for fd, name in re.findall(r"file,path=/dev/fd/(\d+),id=(\w+)", " ".join(arguments))
        }
        self.results, self.consoles = devices["results"], devices["console"]
        self.sequence = 0

    def raw(self, data: bytes) -> None:
        os.write(self.results, data)

    def frame(self, kind: int, payload: bytes | dict) -> None:
        if isinstance(payload, dict):
            payload = "".join(f"{key}={value}\n" for key, value in payload.items()).encode()
        self.raw(frames.encode(kind, self.sequence, payload))
        self.sequence += 1

    def heartbeat(self, nanoseconds: int = 1_000_000_000, overdue: int = 0) -> None:
        self.frame(frames.HEARTBEAT, struct.pack("<QQ", nanoseconds, overdue))

    def plan(self, **changes) -> None:
        self.frame(
            frames.PLAN,
            {
                "version": frames.VERSION,
                "processors": 2,
                "clock": "free",
                "checks": "full",
                "dispatch": "virtual",
                "memory": 536870912,
                "pause": 0,
                "jobs": 1,
                **changes,
            },
        )

    def job(self, number: int = 0, name: str = "ring") -> None:
        self.frame(
            frames.JOB,
            {"job": number, "name": name, "design": "location=kernel", "app": "bin/ring", "nodes": 2},
        )

    def row(self, size: int = 64, median: float = 1500.0, name: str = "round trip", job: int = 0) -> None:
        head = frames.ROW_HEAD.pack(job, 0)
        self.frame(
            frames.ROW,
            head
            + frames.ROW_BODY.pack(
                name.encode(),
                b"ns",
                b"none",
                size,
                100,
                median,
                median - 100,
                median + 100,
                median - 200,
                median + 900,
            ),
        )

    def file(
        self, name: bytes, content: bytes, job: int = 0, size: int | None = None, offset: int = 0
    ) -> None:
        whole = len(content) if size is None else size
        self.frame(frames.FILE, frames.FILE_HEAD.pack(job, len(name), whole, offset) + name + content)

    def job_end(self, number: int = 0, status: str = "ok", **more) -> None:
        self.frame(
            frames.JOB_END, {"job": number, "status": status, "frames_leaked": 0, "objects_leaked": 0, **more}
        )

    def end(self, jobs: int = 1, failed: int = 0, rows: int = 1) -> None:
        self.frame(frames.END, {"jobs": jobs, "failed": failed, "rows": rows})

    def good(self) -> None:
        """The whole story of a successful run with one measurement."""
        self.plan()
        self.job()
        self.row()
        self.job_end()
        self.end()

    def say(self, text: str) -> None:
        os.write(self.consoles, text.encode())

    def exit(self, status: int) -> None:
        os._exit(status)


if __name__ == "__main__":
    script = {}
    with open(os.environ["FAKE_SCRIPT"], encoding="utf-8") as file:
        exec(compile(file.read(), file.name, "exec"), script)
    script["play"](Machine(sys.argv))
