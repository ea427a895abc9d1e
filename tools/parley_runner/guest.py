# SPDX-License-Identifier: MIT
"""What one boot takes into the machine: the archive with parley.conf, the programs, the library and the
files."""

import os

from . import back_end, designs, executable, keys, limits, model, multiprocessors, places, pulse, wire
from .archive import Archive
from .counted import counted
from .request import Job, Request
from .status import BadRequest, said_in

KERNEL_MEBIBYTES = 4


def host_cores() -> int:
    return len(os.sched_getaffinity(0))


def threads(request: Request) -> str:
    """One host thread for counted runs and when spinning processors would outnumber the cores."""
    asked = request.values["threads"]
    clock = request.values["clock"]
    if clock != "free":
        if asked == "multi":
            what = "counting" if clock == "counted" else "the model"
            raise BadRequest(
                f"THREADS=multi and CLOCK={clock} exclude each other: {what} needs one host thread."
            )
        return "multi" if back_end.is_public(request) else "single"
    if asked != "auto":
        return asked
    return "single" if request.processors * request.machines > host_cores() else "multi"


def turns(request: Request) -> float:
    """Seconds, as the Pulse of the boot has it."""
    shared = request.processors + 1 if threads(request) == "single" else 0
    return pulse.turns(shared, model.fastest_instruction(request) if model.wanted(request) else 0.0)


def pause(request: Request) -> int:
    """PAUSE may be left out while every processor can really spin at the same time, or is made to."""
    if model.wanted(request):
        return 0
    return 0 if threads(request) == "multi" and request.processors <= host_cores() else 1


def traced(request: Request) -> bool:
    """Whether the run needs the kernel and the library that write down what they see."""
    return bool(request.values["trace"]) or request.values["profile"] == "1"


def kind(request: Request) -> str:
    """Of the kernel that the run needs: traced, accounted, checked, or as it is measured."""
    if traced(request):
        return "traced"
    if request.values["q"] == "1":
        return "accounted"
    return "checked" if request.values["checked"] == "1" else ""


def kernel(request: Request) -> str:
    measuring = any(map(executable.measures_gangs, program_names(request))) or bool(machine(request))
    return places.kernel(request.values["dispatch"], kind(request), measuring)


def machine(request: Request) -> list[str]:
    """What studies make of it."""
    return [word for added in keys.ADDED for word in added.machine(request)]


def library(request: Request) -> str:
    """A library is the same in a kernel that tells processors' time apart."""
    own = kind(request)
    return places.library(request.values["dispatch"], "" if own == "accounted" else own)


def check(request: Request) -> list[dict]:
    """Every refusal that can be known before the boot; what each job's design comes to."""
    check_words(request)
    resolved = []
    for job in request.jobs:
        with said_in(job.where, "app"):
            executable.check(executable.find(job.app, places.BUILD, places.ROOT))
        resolved.append(check_choices(job, request))
    if not os.path.exists(kernel(request)):
        raise BadRequest(f"{kernel(request)} is not built yet; `make run' builds it.")
    model.check(request)
    return resolved


def check_choices(job: Job, request: Request) -> dict:
    """What only the tool that knows all classes can refuse; what the job's design comes to."""
    with said_in(job.where, "semaphore"):
        designs.check_semaphore(places.BUILD, job.semaphore)
    with said_in(job.where, "design"):
        found = designs.resolve(
            places.BUILD, job.design, job.processes, request.processors, request.machines
        )
        back_end.check_design(request, job.design, found)
        return found


def check_words(request: Request) -> None:
    """What can be refused before anything is built: a program of apps/ may still have to be."""
    for added in keys.ADDED:
        added.check(request)
    for job in request.jobs:
        with said_in(job.where, "app"):
            if not executable.to_be_built(job.app, places.BUILD, places.ROOT):
                executable.check(executable.find(job.app, places.BUILD, places.ROOT))
        with said_in(job.where, "pids"):
            check_size(job)
        if request.machines == 1:
            check_processors(job, request.processors)
        with said_in(job.where, "loops"):
            check_loops(job)
        with said_in(job.where, "budget"):
            check_budget(job, request.values["memory"])
    if traced(request) and request.values["checked"] == "1":
        raise BadRequest("CHECKED=1 goes with neither TRACE nor PROFILE: leave out the one or the other.")
    if request.values["q"] == "1" and (traced(request) or request.values["checked"] == "1"):
        raise BadRequest("Q=1 goes with no TRACE, PROFILE or CHECKED=1: leave out the one or the other.")
    with said_in(request.where, "files"):
        if request.values["files"] and not os.path.isdir(request.values["files"]):
            raise BadRequest(f"FILES={request.values['files']} is not a folder.")
    with said_in(request.where, "input"):
        if request.values["input"]:
            places.open_regular(request.values["input"], f"INPUT={request.values['input']}").close()
    threads(request)
    wire.check(request)
    multiprocessors.check(request)
    with said_in(request.where, "machine"):
        model.check_words(request)
        back_end.check_machine(request, machine(request))
    for job in request.jobs:
        with said_in(job.where, "loops"):
            model.check_loops(request, job.loops or "")


def check_size(job: Job) -> None:
    if job.pids > 1 and executable.is_one_process(job.app):
        raise BadRequest(f"APP={job.app} runs one process a node, so PIDS is 1, not {job.pids}.")
    if job.processes > limits.PROCESSES:
        host = " and a host" if job.has_host else ""
        raise BadRequest(
            f"Job {job.name} has {job.processes} processes ({counted(job.nodes, 'node')} with {job.pids} each"
            f"{host}), and a job has at most {limits.PROCESSES}."
        )


def check_loops(job: Job) -> None:
    """The program itself says which leaves there are."""
    if len(job.loops or "") > limits.LONGEST_LOOPS or not (job.loops or "").isascii():
        raise BadRequest(f"LOOPS has at most {limits.LONGEST_LOOPS} characters of plain text.")


def check_budget(job: Job, mebibytes: int) -> None:
    if job.budget is not None and job.budget >= mebibytes << 20:
        raise BadRequest(
            f"budget={job.budget} bytes for messages do not fit into MEMORY={mebibytes} MiB: take fewer, or "
            "more memory."
        )


def check_processors(job: Job, processors: int) -> None:
    """A host, and every further process of a node, was written for a processor of its own."""
    if job.processes <= max(processors, job.nodes) or job.schedule == "timeshared":
        return
    host = "the host and " if job.has_host else ""
    raise BadRequest(
        f"Job {job.name} is {host}{job.nodes * job.pids} node processes, which need a processor each, and "
        f"the machine has {processors}: say PROCESSORS={job.processes}, or SCHEDULE=timeshared."
    )


def program_names(request: Request) -> dict[str, str]:
    """path -> name in the archive; two programs of one name get different ones"""
    names: dict[str, str] = {}
    for job in request.jobs:
        path = os.path.abspath(executable.find(job.app, places.BUILD, places.ROOT))
        for program in [path, *(executable.neighbours(path) if job.has_host else [])]:
            if program in names:
                continue
            own = name = f"bin/{os.path.basename(program).replace(' ', '_')}"
            number = len(names)
            while name in names.values():
                name = f"{own}-{number}"
                number += 1
            names[program] = name
    return names


def kernel_clock(request: Request) -> str:
    """A second of a model takes the host as long as it likes, as one of counted instructions does, and of
    either the processors' counter shows nanoseconds: that is all that the kernel has to know."""
    return "counted" if model.wanted(request) else request.values["clock"]


def configuration(request: Request, names: dict[str, str], table: bool) -> str:
    values = request.values
    lines = [
        f"processors {request.processors}",
        f"clock {kernel_clock(request)}",
        f"pause {pause(request)}",
        f"checks {values['checks']}",
        f"gang {multiprocessors.gang(values)}",
        f"jobs {values['jobs']}",
    ]
    if model.wanted(request) and (clusters := model.machine(request).clusters):
        lines.append(f"clusters {clusters}")
    if model.wanted(request) and (colours := model.machine(request).colours):
        lines.append(f"colours {colours}")
    if machine(request):
        lines.append(f"machine {' '.join(machine(request))}")
    if table:
        lines.append("table 1")
    if values["trace"]:
        lines.append(f"trace {values['trace_records']}")
    if values["plant"] != "none":
        lines.append(f"plant {values['plant']}")
    for job in request.jobs:
        path = os.path.abspath(executable.find(job.app, places.BUILD, places.ROOT))
        lines += [
            f"job {job.name}",
            f"design {job.design}",
            f"app {names[path]}",
            f"nodes {job.nodes}",
            f"tag {job.tag}",
            f"limit {job.limit}",
            f"schedule {job.schedule}",
            f"semaphore {job.semaphore}",
        ]
        lines += [f"{name} {value}" for name, value in job.added.items() if value is not None]
        if job.has_host:
            lines.append("host 1")
        if job.pids != 1:
            lines.append(f"pids {job.pids}")
        if job.loops is not None:
            lines.append(f"loops {job.loops}")
        if job.budget is not None:
            lines.append(f"budget {job.budget}")
        if job.job_memory is not None:
            lines.append(f"job_memory {job.job_memory}")
        if job.args:
            lines.append(f"args {job.args}")
    return "\n".join(lines) + "\n"


def make_archive(request: Request, path: str, table: bool = False) -> None:
    """`table`: one of what programs report follows the run, so they need not show it themselves."""
    mebibytes = request.values["memory"]
    try:
        needed = fill_archive(request, path, (mebibytes - KERNEL_MEBIBYTES) << 20, table)
    except OSError as problem:
        folder = os.path.dirname(os.path.dirname(path))
        raise BadRequest(
            f"Cannot write the archive of programs and files in {folder}: {problem.strerror}; TMPDIR=folder "
            "names another place for it."
        ) from problem
    check_memory(needed, mebibytes)


def check_memory(archive_bytes: int, mebibytes: int) -> None:
    """The archive lies in the machine's memory as it is, beside the kernel."""
    needed = (archive_bytes >> 20) + 1
    if needed + KERNEL_MEBIBYTES > mebibytes:
        raise BadRequest(
            f"Programs and files take {needed} MiB, too much for MEMORY={mebibytes}: say MEMORY="
            f"{needed + 256}, or take fewer FILES."
        )


def fill_archive(request: Request, path: str, room: int, table: bool) -> int:
    """The bytes that everything needs; nothing beyond `room` is written."""
    names = program_names(request)
    archive = Archive(path, room)
    archive.add("parley.conf", os.fsencode(configuration(request, names, table)))
    if os.path.exists(library(request)):
        archive.add_file("lib/messages", library(request))
    for program, name in names.items():
        archive.add_file(name, program, executable=True)
    if request.values["input"]:
        archive.add_file("input", request.values["input"], what=f"INPUT={request.values['input']}")
    if request.values["files"]:
        archive.add_folder("files", request.values["files"])
    return archive.close()
