# SPDX-License-Identifier: MIT
"""nxtrace, tools/parley trace: what a run has kept as a .trace file, drawn and told."""

import argparse
import os
import sys

from parley_trace import cost, loops, memory, output, reading, telling, timeline_picture, times
from parley_trace.naming import Names

from . import ending, frames, places
from .status import BadRequest, Status

HELP = """usage: nxtrace [options] FILE.trace
Draws and tells what `nxrun --trace FILE.trace' (of a booted run TRACE=FILE.trace) has kept.

  -o, --output FILE      draws it: .svg is a picture, .json for Perfetto's viewer (ui.perfetto.dev)
      --by-process       tells every event of every process
      --by-processor     tells every event of every processor
      --time-line        tells what each processor did, a column each: | a process runs, : it waits and
                         spins. With --output FILE.svg as a picture
      --statistics       counts events, and tells how long messages, waits and the time between a
                         program's own events were
      --loops            where the time of a program's parallel loops went, a row a thread; with --json as
                         JSON
      --profile          where each node's time went
      --window FROM..TO  only this part, in microseconds from the first message; of all but --profile,
                         --loops and .json
      --compensated      at the times without what the tracer itself costs
      --help

FILE.trace may be -, standard input. Without an option it says how much there is. The status is 0, or 2 when
it cannot be done.
"""
REPORTS = {
    "by-process": telling.by_process,
    "by-processor": telling.by_processor,
    "time-line": telling.time_line,
    "statistics": telling.statistics,
}
KEPT = (frames.JOB, frames.TIME, frames.TRACE, frames.JOB_END)


def kept(seen: list[frames.Frame], counted: memory.Memory | None = None) -> bytes:
    """The content of a .trace file, from the frames of a run and what its modelled memory has counted."""
    chosen = [(frame.kind, frame.payload) for frame in seen if frame.kind in KEPT]
    chosen += [(frames.INTERVALS, payload) for payload in memory.payloads(counted)] if counted else []
    return b"".join(frames.encode(kind, i, payload) for i, (kind, payload) in enumerate(chosen))


def typed(fields: dict[str, str]) -> dict:
    return {
        key: int(value) if frames.WHOLE_NUMBER.fullmatch(value) else value for key, value in fields.items()
    }


class Kept:
    """What a .trace file holds."""

    def __init__(self, name: str, data: bytes):
        """BadRequest when it is no such file."""
        decoder = frames.Decoder(names=frames.FILE_KIND_NAMES)
        found = decoder.feed(data)
        damage = decoder.finish()
        if damage or not found:
            raise BadRequest(f"{name} is no whole file of a trace: {damage or 'it is empty'}.")
        try:
            self.trace = reading.read([frame.payload for frame in found if frame.kind == frames.TRACE])
            self.trace.memory = memory.kept([f.payload for f in found if f.kind == frames.INTERVALS])
        except ValueError as problem:
            raise BadRequest(f"{name} is no whole file of a trace: {problem}.") from problem
        self.jobs = [typed(frame.fields()) for frame in found if frame.kind == frames.JOB]
        self.trace.native = any(job.get("clock") == "native" for job in self.jobs)
        for job in self.jobs:
            self.trace.tell_of_machines(job)
        self.times = [typed(frame.fields()) for frame in found if frame.kind == frames.TIME]


def load(name: str) -> Kept:
    if name == "-":
        return Kept("Standard input", sys.stdin.buffer.read())
    try:
        with open(name, "rb") as file:
            return Kept(name, file.read())
    except OSError as problem:
        raise BadRequest(f"{name} cannot be read: {problem.strerror}.") from problem


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadRequest(f"{message[:1].upper()}{message[1:]} ({self.prog} --help lists what there is).")


def parse(words: list[str]) -> argparse.Namespace:
    parser = Parser(prog="nxtrace", add_help=False, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE.trace")
    parser.add_argument("-o", "--output", default="")
    parser.add_argument("--window", default="")
    parser.add_argument("--name", default="nxtrace")  # whose sentences these are
    for report in REPORTS:
        parser.add_argument(f"--{report}", action="store_true")
    parser.add_argument("--loops", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--compensated", action="store_true")
    return parser.parse_args(words)


def window(text: str) -> tuple[float, float] | None:
    try:
        return output.window_of(text) if text else None
    except ValueError:
        raise BadRequest(f"--window {text} is not of the form FROM..TO, in microseconds.") from None


def draw(asked: argparse.Namespace, told: Kept) -> list[str]:
    if asked.time_line:
        names, title = Names(told.jobs), output.title_of(told.trace, told.jobs)
        line = timeline_picture.TimeLine(told.trace, names, title, window(asked.window))
        places.write_atomically(asked.output, line.text().encode())
        return [output.summary(asked.output, told.trace), f"The picture: {'; '.join(line.notes())}."]
    text, shows = output.content(asked.output, told.trace, told.jobs, window(asked.window))
    places.write_atomically(asked.output, text.encode())
    return [output.summary(asked.output, told.trace), *[shows] * bool(shows)]


def command(words: list[str]) -> int:
    if not words or "--help" in words:
        print(HELP, end="")
        return Status.SUCCESS if words else Status.BAD_REQUEST
    asked = parse(words)
    if asked.output and not asked.output.endswith(output.PICTURES):
        raise BadRequest(f"--output {asked.output} must end in one of {', '.join(output.PICTURES)}.")
    if asked.time_line and asked.output and not asked.output.endswith(".svg"):
        raise BadRequest(f"A time-line is drawn as .svg; {asked.output} is none.")
    if asked.json and not asked.loops:
        raise BadRequest("--json is for --loops.")
    window(asked.window)
    told = load(asked.file)
    names, price = Names(told.jobs), cost.price(told.jobs)
    if asked.compensated and price.record == 0:
        raise BadRequest(f"{asked.file} does not say what the tracer cost: leave --compensated out.")
    if asked.compensated:
        told.trace = cost.compensated(told.trace, price)
    if asked.output:
        # What was drawn is news, and what a program has printed is not to be mixed with it.
        print("\n".join(f"{asked.name}: {line}" for line in draw(asked, told)), file=sys.stderr)
    texts = [
        report(told.trace, names, window(asked.window))
        for name, report in REPORTS.items()
        if getattr(asked, name.replace("-", "_")) and not (asked.output and name == "time-line")
    ]
    if asked.statistics:
        texts.append(cost.told(told.trace, names, price))
    if asked.loops:
        texts.append([loops.as_json(told.trace, names)] if asked.json else loops.told(told.trace, names))
    if asked.profile:
        texts.append(times.table(told.times, names))
    if not asked.output and not texts:
        texts.append([output.summary(asked.file, told.trace)])
    print("\n\n".join("\n".join(text) for text in texts), end="\n" * bool(texts))
    return Status.SUCCESS


def main() -> int:
    words = sys.argv[1:]
    own = "nxrun" if "--name" in words else os.path.basename(sys.argv[0])
    try:
        return ending.of(lambda: command(words))
    except BadRequest as problem:
        print(f"{own}: {problem}", file=sys.stderr)
        return Status.BAD_REQUEST
    except KeyboardInterrupt:
        print(f"{own}: interrupted", file=sys.stderr)
        return Status.INTERRUPTED
