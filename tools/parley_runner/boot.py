# SPDX-License-Identifier: MIT
"""One boot from request to record. The steps: archive, emulator, watch, verdict, record."""

import os
import shutil
import tempfile

from . import addresses, cluster, console, emulator, frames, guest, made, model, record
from . import back_end, outcome
from .out_folder import OutFolder
from .request import Request
from .screen import Screen
from .status import Status, sentence_of
from .watch import Seen, Watch

LINES_ON_FAILURE = 40  # of a hidden console


def folder_name(job: str) -> str:
    """A job's name as the name of one folder."""
    name = job.replace("/", "_")
    return name if name.strip(".") else f"_{name}"


class Boot:
    def __init__(
        self, request: Request, screen: Screen, show_console: bool, label: str, out_subfolder: str = ""
    ):
        self.request, self.screen, self.show_console, self.label = request, screen, show_console, label
        self.out_subfolder = out_subfolder
        folder = request.values["out"]
        self.out = OutFolder(folder) if folder else None
        self.names: dict[int, str] = {}
        self.jobs: dict[int, dict] = {}  # what the kernel said of each, by its number
        self.unwanted: set[str] = set()  # files that came though no folder was named for them
        self.seen = Seen()
        self.made: dict[str, str] = {}  # of what it is booted, whatever is built meanwhile
        self.others: list[Seen] = []  # of the other machines, where several are booted together
        quiet = request.values["quiet"] == "1"
        self.programs = console.Programs([job.name for job in request.jobs] if quiet else [])
        self.only_programs = quiet or out_subfolder != ""
        self.explained_console = self.new_explained()
        self.consoles = console.Together(screen.console)

    def run(self) -> dict:
        scratch = tempfile.mkdtemp(prefix="parley-")
        cut_off = ""
        try:
            seen = self.watch(scratch)
            self.take_intervals(seen, scratch)
            seen.model = model.told(scratch) if model.wanted(self.request) else {}
        except model.CutOff as problem:
            cut_off = str(problem)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        self.take_console_end()
        self.seen = seen
        status, sentence = cluster.judge([seen, *self.others])
        cluster.merge(seen, self.others)
        if cut_off and status == Status.SUCCESS:
            status, sentence = Status.DAMAGED, cut_off
        if self.out is not None:
            self.out.finish()
            if self.out.problems and status == Status.SUCCESS:
                status, sentence = Status.DAMAGED, self.out.problems[0] + "."
            elif self.out.unwritten and status == Status.SUCCESS:
                status, sentence = Status.BAD_REQUEST, self.out.unwritten[0] + "."
        elif self.unwanted and status == Status.SUCCESS:
            first, count = min(self.unwanted), len(self.unwanted)
            what = f"the file {first}" if count == 1 else f"{count} files ({first} ...)"
            if self.request.values["quiet"] != "1":
                self.screen.say(f"The program wrote {what}; OUT=folder keeps what it writes.")
        if status != Status.SUCCESS and not self.show_console and seen.console:
            last = b"\n".join(seen.console.split(b"\n")[-LINES_ON_FAILURE:])
            explained = self.new_explained()
            self.screen.console(explained.feed(last) + explained.finish())
        host = emulator.of_record(self.request)
        return self.explained(record.make(self.request, seen, status, sentence, host, self.made))

    def take_intervals(self, seen: Seen, scratch: str) -> None:
        """What is lacking here takes nothing from the run's results."""
        try:
            seen.memory = model.told_intervals(self.request, scratch)
        except model.CutOff as problem:
            seen.without_memory = str(problem)

    def explained(self, made: dict) -> dict:
        """With functions and lines for the addresses at which programs failed."""
        for process in made["processes"]:
            if process.get("reason"):
                explained = addresses.named(process["reason"], self.request, process["job"])
                made["sentence"] = made["sentence"].replace(process["reason"], explained)
                process["reason"] = explained
        return made

    def watch(self, scratch: str) -> Seen:
        archive = os.path.join(scratch, "archive.cpio")
        guest.make_archive(self.request, archive, table=self.request.values["quiet"] != "1")
        self.made = made.of(self.request)
        iso = None
        if self.request.values["boot"] == "iso":
            from . import iso as image

            iso = os.path.join(scratch, "parley.iso")
            image.make(iso, archive, self.request, [image.entry(self.request)], timeout=0)
        others = cluster.Others(self.request, archive, scratch, self.take_frame, self.take_lines)
        try:
            others.start()
            machine = emulator.Emulator.start(self.request, archive, scratch, iso)
        except OSError as problem:
            others.close()
            why = sentence_of(problem).removesuffix(".")
            return Seen(errors=why.encode(), returncode=outcome.NOT_STARTED)
        try:
            limits, turns = [job.limit for job in self.request.jobs], guest.turns(self.request)
            seen = Watch(machine, limits, turns, self.take_frame, self.take_console, self.tick).run()
            seen.machine = self.request.values["machine"] or ""
            seen.may_hang_by = back_end.HANGS if back_end.is_public(self.request) else ""
            self.others = others.finish(seen)
            return seen
        finally:
            others.close()
            machine.close()

    def take_frame(self, frame: frames.Frame, machine: int = 0) -> None:
        if frame.kind == frames.JOB:
            fields = frame.fields()
            self.names[int(fields.get("job", 0))] = fields.get("name", fields.get("job", "0"))
            self.jobs[int(fields.get("job", 0))] = fields
        elif frame.kind == frames.FILE and self.out is None:
            self.unwanted.add(frame.file()[1])
        elif frame.kind == frames.FILE:
            parts = [self.out_subfolder]
            if len(self.request.jobs) > 1:
                parts.append(folder_name(self.name_of(frame.file()[0])))
            self.out.take(frame, os.path.join(*parts), machine)
        elif frame.kind == frames.PROCESS and not self.show_console:
            self.report_process(frame.fields())

    def name_of(self, job: int) -> str:
        """As the kernel says it, or as it was asked for: files of another machine may come before the first
        machine says which jobs there are."""
        asked = self.request.jobs[job].name if job < len(self.request.jobs) else "job"
        return self.names.get(job, asked)

    def report_process(self, fields: dict) -> None:
        if outcome.ended_badly(fields):
            number = int(fields.get("job", 0))
            end = outcome.end_of(fields, self.jobs.get(number, {}))
            self.screen.complain(f"{self.label}: {addresses.named(end, self.request, number)}")

    def new_explained(self) -> console.Explained:
        names = [job.name for job in self.request.jobs]
        return console.Explained(
            names, lambda line, position: addresses.named(line, self.request, position)
        )

    def take_console(self, data: bytes) -> None:
        if self.show_console:
            self.show(self.explained_console.feed(data))

    def take_lines(self, data: bytes) -> None:
        """Whole lines of another machine."""
        if self.show_console:
            self.consoles.other(data)

    def take_console_end(self) -> None:
        if self.show_console:
            self.show(self.explained_console.finish())
            self.consoles.first(self.programs.finish())
            self.consoles.finish()

    def show(self, data: bytes) -> None:
        self.consoles.first(self.programs.feed(data) if self.only_programs else data)

    def tick(self, seen: Seen) -> None:
        self.screen.progress(self.label, seen)
