# SPDX-License-Identifier: MIT
"""The other machines of a run that boots several (BOOTS=): the wire that joins them, their emulators, and
what they have to say, as one story with the first machine's."""

import subprocess
import sys
import threading

from . import console, emulator, frames, guest, outcome, wire
from .request import Request
from .status import Status
from .watch import Seen, Watch

# Seconds of its emulator's own time that each other is given to end when the first machine has ended.
PATIENCE = 15.0


class Other:
    """One of them, watched by a thread of its own."""

    def __init__(self, request: Request, number: int, machine: emulator.Emulator, on_frame, on_lines):
        self.number, self.machine, self.on_frame, self.on_lines = number, machine, on_frame, on_lines
        self.programs = console.Programs([job.name for job in request.jobs])
        self.pending = b""
        self.seen = Seen()
        limits = [job.limit for job in request.jobs]
        self.watch = Watch(
            machine, limits, guest.turns(request), self.take_frame, self.take_console, lambda seen: None
        )
        self.thread = threading.Thread(target=self.run, name=f"machine {number}", daemon=True)

    def run(self) -> None:
        self.seen = self.watch.run()
        self.on_lines(self.programs.feed(self.pending) + self.programs.finish())

    def take_frame(self, frame: frames.Frame) -> None:
        """Files, and ends of programs. Which jobs there are the first machine says."""
        if frame.kind in (frames.FILE, frames.PROCESS):
            self.on_frame(frame, self.number)

    def take_console(self, data: bytes) -> None:
        lines, end, self.pending = (self.pending + data).rpartition(b"\n")
        if end:
            self.on_lines(self.programs.feed(lines + end))


class Others:
    def __init__(self, request: Request, archive: str, scratch: str, on_frame, on_lines):
        self.request, self.archive, self.scratch = request, archive, scratch
        self.on_frame, self.on_lines = on_frame, on_lines
        self.wire: subprocess.Popen | None = None
        self.machines: list[Other] = []

    def start(self) -> None:
        """May raise OSError when there is no emulator."""
        if self.request.machines == 1:
            return
        asked = self.request.values["wire"]
        words = [self.scratch, str(self.request.machines), *([asked] if asked else [])]
        self.wire = subprocess.Popen(
            [sys.executable, "-B", wire.__file__, *words], stdin=subprocess.PIPE, process_group=0
        )
        for number in range(1, self.request.machines):
            machine = emulator.Emulator.start(self.request, self.archive, self.scratch, machine=number)
            other = Other(self.request, number, machine, self.on_frame, self.on_lines)
            self.machines.append(other)
            other.thread.start()

    def finish(self, first: Seen) -> list[Seen]:
        """What the others saw; they are ended where the first machine was, or if they go on for long."""
        for other in self.machines:
            if first.ended_by == "itself":
                other.watch.end_within(PATIENCE)
            else:
                other.machine.end()
        for other in self.machines:
            other.thread.join()
            other.machine.end()
        return [other.seen for other in self.machines]

    def close(self) -> None:
        for other in self.machines:
            other.machine.end()
            other.thread.join()
            other.machine.close()
        self.machines = []
        if self.wire is not None:
            self.wire.stdin.close()
            self.wire.wait()
            self.wire = None


def judge(all_seen: list[Seen]) -> tuple[Status, str]:
    """The verdict over all machines. Of several that did not end well, the cause is the one that did not end
    because another had, or the first."""
    verdicts = [outcome.judge(seen) for seen in all_seen]
    if len(all_seen) == 1:
        return verdicts[0]
    bad = [number for number, (status, _) in enumerate(verdicts) if status != Status.SUCCESS]
    if not bad:
        return verdicts[0]
    cause = min(bad, key=lambda number: (followed(all_seen[number], verdicts[number][0]), number))
    status, sentence = verdicts[cause]
    return status, f"On machine {cause}: {sentence}"


def followed(seen: Seen, status: Status) -> bool:
    """Whether that machine may have failed only because its job did elsewhere: no program of its own has."""
    ended = (frame.fields() for frame in outcome.of_kind(seen, frames.PROCESS))
    return status == Status.FAILED and not any(map(outcome.ended_badly, ended))


def merge(first: Seen, others: list[Seen]) -> None:
    """Makes the others' results and processes the first one's, so that there is one record. The verdict has
    been spoken."""
    for seen in others:
        kinds = (frames.ROW, frames.PROCESS, frames.UNRECEIVED)
        first.frames += [frame for frame in seen.frames if frame.kind in kinds]
        first.kept += seen.kept
