# SPDX-License-Identifier: MIT
"""gdb's command `parley processes`: each process of each job, its processor, its state, what it waits
for and its queue; and a line that says how the machine has ended, when it has. Loaded by `make debug`; reads
the stopped machine's memory and changes nothing."""

import os
import sys

import gdb

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [HERE, os.path.dirname(HERE)]

import kernel_view  # noqa: E402
from parley_runner import frames  # noqa: E402


class ParleyPrefix(gdb.Command):
    """Questions about the machine's processes."""

    def __init__(self):
        super().__init__("parley", gdb.COMMAND_STATUS, prefix=True)


class ParleyProcesses(gdb.Command):
    """List each process: node, processor, state, what it waits for, and the messages in its queue."""

    def __init__(self):
        super().__init__("parley processes", gdb.COMMAND_STATUS)

    def invoke(self, arguments, from_terminal):
        try:
            jobs = list(kernel_view.jobs())
        except gdb.MemoryError:
            print("No job runs: the kernel's memory is not mapped yet.")
            return
        if not jobs:
            print("No job runs.")
        for job in jobs:
            print(f"Job {job.number}, {job.name}: {job.design}")
            lines = [["node", "pid", "processor", "state", "waits for", "queue"]]
            lines += [row(process) for process in job.processes()]
            widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
            for line in lines:
                print("  " + "  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())


def row(process: kernel_view.Process) -> list[str]:
    processor = "-" if process.processor is None else str(process.processor)
    node = "delivery" if process.carries else str(process.node)
    return [node, str(process.pid), processor, process.state(), process.waits_for(), queue(process)]


def queue(process: kernel_view.Process, most: int = 4) -> str:
    messages = process.queue()
    shown = "; ".join(f"type {m.type}, {m.length} bytes, from node {m.node}" for m in messages[:most])
    more = f"; and {len(messages) - most} more" if len(messages) > most else ""
    return f"{len(messages)}" + (f": {shown}{more}" if messages else "")


def how_it_ended(results: bytes) -> str:
    """By its results, which are whole when its processors are gone."""
    found = frames.Decoder().feed(results)
    panics = [frame.text().strip() for frame in found if frame.kind == frames.PANIC]
    if panics:
        return f"The machine has ended: the kernel panicked: {panics[0]}"
    ends = [frame.fields().get("status", "unknown") for frame in found if frame.kind == frames.JOB_END]
    if not any(frame.kind == frames.END for frame in found):
        return "The machine has ended before its jobs have."
    failed = sum(status != "ok" for status in ends)
    if len(ends) == 1:
        return f"The machine has ended: its job is over, {'and did not end' if failed else 'and ended'} well."
    well = f"{failed} of them did not end well" if failed else "and all ended well"
    return f"The machine has ended: its {len(ends)} jobs are over, {well}."


def tell_the_end_by(path: str) -> None:
    """When the machine is gone, by itself or killed, says what its results in this file tell of the end."""

    def tell(_event) -> None:
        try:
            with open(path, "rb") as file:
                results = file.read()
        except OSError:
            results = b""
        print(f"{how_it_ended(results)} `quit' leaves gdb; `make debug' starts another.", flush=True)

    gdb.events.exited.connect(tell)


ParleyPrefix()
ParleyProcesses()
