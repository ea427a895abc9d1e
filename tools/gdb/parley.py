# SPDX-License-Identifier: MIT
"""gdb's command `parley processes`: each process of each job, its processor, its state, what it waits
for and its queue. Loaded by `make debug`; reads the stopped machine's memory and changes nothing."""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import kernel_view  # noqa: E402


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


ParleyPrefix()
ParleyProcesses()
