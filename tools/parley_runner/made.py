# SPDX-License-Identifier: MIT
"""What a boot is made of, as records name it: the version of the sources, what was built of them, and what
else the machine is given. Two boots that are asked for alike can be set beside each other where all of it but
the version is the same too."""

import functools
import hashlib
import os
from dataclasses import dataclass, field

from . import archive, contents, executable, guest, model, places
from .request import Request

DIGITS = 12
version = functools.cache(places.version)  # once for all boots of a command
# What is said where a part is another one.
PARTS = {
    "system": "another build of the kernel or message library",
    "programs": "another build of the programs",
    "files": "other contents of INPUT, of FILES or of what a host program loads",
    "plugin": "another build of the machine model",
    "machine": "another machine file",
}
OLDER = "an older version, which did not write down what its boots were made of"
# Up to schema 6.
WITHOUT_FILES = "an older version, which did not write down what INPUT and FILES held"


def digest(paths) -> str:
    """Of the contents of those files that are there, in the order of their names."""
    whole = hashlib.sha256()
    for path in sorted(paths):
        if os.path.exists(path):
            whole.update(contents.digest_once(path))
    return whole.hexdigest()


def system(request: Request) -> set[str]:
    """The kernel and the library."""
    return {guest.kernel(request), guest.library(request)}


def programs(request: Request) -> set[str]:
    return {executable.find(job.app, places.BUILD, places.ROOT) for job in request.jobs}


def files(request: Request) -> str | None:
    """What the machine is given beside: INPUT, FILES, and the programs that a host program may load. None:
    nothing."""
    hosts = [os.path.abspath(executable.find(job.app, places.BUILD, places.ROOT)) for job in request.jobs
             if job.has_host]  # fmt: skip
    loaded = {path for host in hosts for path in executable.neighbours(host)}
    told = [(os.path.basename(path), contents.digest_once(path)) for path in sorted(loaded)]
    if path := request.values["input"]:
        told.append(("input", contents.data_digest(path, f"INPUT={path}")))
    if folder := request.values["files"]:
        for entry in archive.entries(folder):
            what = f"The file {entry.path}"
            content = b"" if entry.is_folder else contents.data_digest(entry.path, what)
            told.append((entry.place, entry.is_folder or entry.is_executable, content))
    return hashlib.sha256(repr(told).encode()).hexdigest()[:DIGITS] if told else None


def of(request: Request) -> dict[str, str]:
    """For the record."""
    given = files(request)
    return {
        "version": version(),
        "system": digest(system(request))[:DIGITS],
        "programs": digest(programs(request))[:DIGITS],
        **({"files": given} if given else {}),
    }


def of_record(run: dict) -> dict:
    """What the record says that it is made of; empty in those of older versions."""
    found = run.get("made")
    return found if isinstance(found, dict) else {}


def parts(made: dict, modelled: dict) -> dict:
    """By the names of PARTS."""
    machine = (modelled.get("machine_digest"), modelled.get("lookahead_ps"))
    return {**made, "plugin": modelled.get("plugin"), "machine": machine}


def parts_now(request: Request) -> dict:
    """Of such a boot."""
    return parts(of(request), model.made(request))


def parts_of_record(run: dict) -> dict:
    modelled = run.get("model")
    return parts(of_record(run), modelled if isinstance(modelled, dict) else {})


def others(run: dict, wanted: dict) -> list[str]:
    """What a record is made of that is none of the `wanted` parts, as words behind `is of` or `with`."""
    if not of_record(run):
        return [OLDER]
    found = parts_of_record(run)
    told = [words for name, words in PARTS.items() if found.get(name) != wanted.get(name)]
    if "files" not in found and PARTS["files"] in told:
        told[told.index(PARTS["files"])] = WITHOUT_FILES
    return told


def kind_of(request: Request) -> tuple:
    """Alike for boots that are made of the same, as far as words tell."""
    names = ("dispatch", "clock", "machine", "lookahead", "input", "files")
    jobs = ((job.app, job.hosted) for job in request.jobs)
    own = (request.values[name] for name in names)
    return (*jobs, *own, guest.kind(request), bool(guest.machine(request)))


@dataclass
class Build:
    """What the boots of a command are made of, as it was at the first of them, or when the command first
    asked: others build, and write files, meanwhile."""

    first: dict[tuple, dict] = field(default_factory=dict)

    def begin(self, request: Request, run: dict) -> None:
        """With the record of a boot, which may be the first."""
        self.first.setdefault(kind_of(request), parts_of_record(run))

    def parts(self, request: Request) -> dict:
        kind = kind_of(request)
        if kind not in self.first:
            self.first[kind] = parts_now(request)
        return self.first[kind]
