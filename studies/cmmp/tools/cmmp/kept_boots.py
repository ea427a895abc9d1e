# SPDX-License-Identifier: MIT
"""Boots whose records are kept: what another run has measured already, with the same words and the same
build, is not booted again. So a run that was interrupted goes on."""

import base64
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent import futures
from dataclasses import dataclass, field

from parley_runner import executable, places
from parley_runner.status import BadRequest
from parley_study import kept_runs

RUNNER = os.path.join(places.ROOT, "tools", "parley")
PLUGIN = os.path.join(places.BUILD, "machine_model", "plugin.so")
TOLD = 1500  # characters of what a boot that failed has said


class Failed(Exception):
    """A boot that should have measured something did not succeed."""


@dataclass(frozen=True)
class Boot:
    """A run of tools/parley: its program and words, and the text of the machine's file."""

    app: str
    words: tuple[str, ...]
    machine: str
    traced: bool = False


def key(boot: Boot) -> str:
    """Equal for boots that must give equal records."""
    program = executable.find(boot.app, places.BUILD, places.ROOT)
    kind = "traced" if boot.traced else ""
    kernel, library = places.kernel("virtual", kind, measuring=True), places.library("virtual", kind)
    files = (kernel, library, program, PLUGIN)
    for path in files:
        if not os.path.exists(path):
            raise BadRequest(f"{path} is not built yet; `make paper STUDY=cmmp' builds it.")
    return kept_runs.digest(files, boot.app, *boot.words, boot.machine)


@dataclass
class Booter:
    """Boots by their names, so many at once; each that has ended is told in a line."""

    folder: str  # of records
    at_once: int
    tell: Callable[[str], None] = print
    ended: bool = False
    running: set = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, boots: dict[str, Boot], order: list[str]) -> dict[str, dict]:
        """The records. Where some boots fail, the others are made and kept all the same."""
        kept = kept_runs.KeptRuns(self.folder)
        found = {name: one for name in order if (one := kept.get(name, key(boots[name]))) is not None}
        if found:
            self.tell(f"{len(found)} of {len(order)} boots are measured already: {self.folder}")
        wanted = [name for name in order if name not in found]
        failed = []
        pool = futures.ThreadPoolExecutor(self.at_once)
        try:
            begun = {pool.submit(self.measure, kept, name, boots[name]): name for name in wanted}
            for place, done in enumerate(futures.as_completed(begun), start=1):
                name = begun[done]
                try:
                    found[name], took = done.result()
                    word = f"{took:.0f} s"
                except Failed as problem:
                    failed.append(f"{name}: {problem}")
                    word = "FAILED"
                self.tell(f"boot {place} of {len(wanted)}: {name}: {word}")
        except BaseException:
            self.end(pool)
            raise
        finally:
            pool.shutdown()
        if failed:
            raise Failed(f"{len(failed)} of {len(order)}; " + "\n".join(failed))
        return {name: found[name] for name in boots}

    def end(self, pool: futures.ThreadPoolExecutor) -> None:
        """Of an interruption: whatever runs is ended, and nothing more begins."""
        pool.shutdown(wait=False, cancel_futures=True)
        with self.lock:
            self.ended, left = True, list(self.running)
        for process in left:
            process.send_signal(signal.SIGTERM)

    def measure(self, kept: kept_runs.KeptRuns, name: str, boot: Boot) -> tuple[dict, float]:
        """The record, which is kept before another boot begins, and how long it took."""
        started = time.monotonic()
        record = self.record(boot)
        kept.put(name, key(boot), record)
        return record, time.monotonic() - started

    def record(self, boot: Boot) -> dict:
        with tempfile.TemporaryDirectory(prefix="parley-cmmp-") as own:
            files = ("cmmp.toml", "record.json", "run.trace")
            machine, path, trace = (os.path.join(own, name) for name in files)
            with open(machine, "w", encoding="utf-8") as file:
                file.write(boot.machine)
            words = (f"APP={boot.app}", *boot.words, f"MACHINE={machine}", *[f"TRACE={trace}"] * boot.traced)
            # A session of its own: Ctrl-C is this process's, which ends the others.
            with self.lock:
                if self.ended:
                    raise Failed("ended before it began")
                process = subprocess.Popen(
                    [RUNNER, "run", *words, f"RECORD={path}", "CONSOLE=hide"],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    errors="replace",
                    start_new_session=True,
                )
                self.running.add(process)
            try:
                said, _ = process.communicate()
            finally:
                with self.lock:
                    self.running.discard(process)
            if process.returncode != 0:
                raise Failed(f"{' '.join(words)}: {said[-TOLD:]}")
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
            if boot.traced:
                with open(trace, "rb") as file:
                    record["trace"] = base64.b64encode(file.read()).decode()
            return record
