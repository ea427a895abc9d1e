# SPDX-License-Identifier: MIT
"""What the modelled study boots: each boot by a name, with its jobs. A quick form takes fewer sizes, samples
and steps of the simplex method; what it measures is the same."""

import os
from concurrent import futures
from dataclasses import dataclass, field

from paper import batch, kept
from parley_runner import ending, machine_file, places

FOLDER = os.path.dirname(os.path.realpath(__file__))
DESIGNS = ("exp1", "exp2", "exp3", "exp4", "exp5", "exp6")
TRANSFERS = ("exp2", "exp1", "exp6")
ACCESSES = ("only-read", "write")
NODES = (1, 2, 4, 8)
PROCESSORS = 16  # of the machine whose gangs are measured
MEMBERS = (2, 4, 6, 8, 12, 16)
WORDS_SIZE = 4096  # of the messages whose accesses are counted
FEW_TRIPS, MANY_TRIPS = 5, 25
FEW_TRANSFORMS, MANY_TRANSFORMS = 1, 3
LATE = (4, 8)  # nodes from which on the paper's copies overtake pointers
SHARES_AT = 4  # nodes: where the share of the FFT is compared over its points
CONTENDERS = ("exp6,port=locked", "exp6", "exp6,port=lanes")
SENDERS = 8
# Of each sender. A lane holds 15, a circular port 240, a locked one all that come: more of them would tell
# who waits for the receiver, and not what senders cost each other.
BURST = 14
USER, BROADCAST = "exp6,location=user", "exp6,broadcast-copy"
UNALIGNED = "exp2, at any place"
# The first transform and the first solution find nothing in the caches, and take up to two and a half times
# as long as those that follow.
WARM = "--warm-up 1"
# 5.2.1: each node's data begins at a multiple of 64 KiB, modulo which caches are mapped: so are pages.
LAYOUT = "--layout together"
COLOURS = 16  # pages in 64 KiB


@dataclass(frozen=True)
class Form:
    name: str
    sizes: tuple[int, ...]  # of the ring's messages
    transforms: int  # samples of the FFT
    gang_samples: int
    simplex: str  # its arguments


QUICK = Form("quick", (128, 512, 1024, 2048, 4096), 5, 40, f"{WARM} --samples 5 --steps 4")
# The first steps of a whole solution are few of it.
FULL = Form("full", tuple(1 << power for power in range(7, 17)), 9, 100, "--samples 3")


@dataclass(frozen=True)
class Boot:
    jobs: list[dict]
    common: dict = field(default_factory=dict)


def job(design: str, args: str, name: str = "") -> dict:
    return {"name": name or design, "design": design, "args": args}


def ring(designs: tuple[str, ...], sizes: tuple[int, ...], access: str, more: str = "") -> list[dict]:
    args = f"--sizes {','.join(map(str, sizes))} --trips 2 --samples 5 --access {access}"
    return [job(design, f"{args} {more}".strip(), f"{design} {access}") for design in designs]


def of_multimax(form: Form, programs: dict[str, str]) -> dict[str, Boot]:
    """programs: the paths of the study's own programs `switching', `null_message' and `blocks'."""
    two = {"nodes": 2, "app": "ring"}
    boots = {
        "ring": Boot(ring(DESIGNS, form.sizes, "none"), two),
        "ring by address": Boot(
            ring(("exp1", "exp5"), form.sizes, "none"), {**two, "machine": by_address("multimax", COLOURS)}
        ),
        "buffer": Boot([job("exp6", "--maximum 4096")], {"app": "buffer", "nodes": 1}),
        "switching": Boot(
            [job("exp4", "")],
            {"app": programs["switching"], "nodes": 2, "processors": 1, "schedule": "timeshared"},
        ),
        "ring user": Boot(ring(("exp2,location=user",), (128,), "none"), two),
        "null": Boot([job("exp6", "")], {"app": programs["null_message"], "nodes": 1}),
        "blocks": Boot([job("exp2", "")], {"app": programs["blocks"], "nodes": 1}),
        "gangs": Boot(
            [{"name": "gang", "args": f"--samples {form.gang_samples} --load random"}],
            {"app": "gang", "nodes": 1, "schedule": "timeshared", "processors": PROCESSORS, "gang": "shared"},
        ),
    }
    for access in ACCESSES:
        boots[f"ring {access}"] = Boot(ring(TRANSFERS, form.sizes, access), two)
    for design in ("exp1", "exp6"):
        for trips in (FEW_TRIPS, MANY_TRIPS):
            jobs = [job(design, f"--sizes {WORDS_SIZE} --trips 1 --samples 1 --warm-up {trips}")]
            boots[f"words {design} {trips}"] = Boot(jobs, two)
    for nodes in NODES:
        boots[f"fft {nodes}"] = Boot(
            [job(design, fft(form, nodes, design)) for design in TRANSFERS], {"app": "fft", "nodes": nodes}
        )
        boots[f"simplex {nodes}"] = Boot(
            [job(design, form.simplex) for design in TRANSFERS], {"app": "simplex", "nodes": nodes}
        )
    return {**boots, **of_the_layout(form)}


def of_the_layout(form: Form) -> dict[str, Boot]:
    """The FFT in the layout that 5.2.1 tells of, where the paper has copies overtake pointers."""
    boots, coloured = {}, by_address("multimax", COLOURS)
    for nodes in LATE:
        where = {"app": "fft", "nodes": nodes, "machine": coloured}
        args = f"--points 1024 --check no {LAYOUT} --samples"
        jobs = [job(design, f"{args} {form.transforms} {WARM}") for design in TRANSFERS]
        boots[f"layout {nodes}"] = Boot(jobs, where)
        for samples in (FEW_TRANSFORMS, MANY_TRANSFORMS):
            boots[f"pointer {nodes} {samples}"] = Boot([job("exp2", f"{args} {samples}")], where)
    return boots


def by_address(machine: str, colours: int) -> str:
    """The path of a machine's file whose pages get frames by their addresses, written where it is not."""
    text = places.read_bounded(machine_file.find(machine), machine, machine_file.LARGEST)
    path = os.path.join(places.BUILD, "paper", "modelled", f"{machine}-{colours}-colours.toml")
    places.make_folder(os.path.dirname(path))
    places.write_atomically(path, text + f"\n[pages]\ncolours = {colours}\n".encode())
    return path


def fft(form: Form, nodes: int, design: str) -> str:
    """All numbers of points where figure 2 or figure 19 has them, else the one that is compared."""
    every = design == "exp6" or nodes == SHARES_AT or form is FULL
    points = "128,256,512,1024,2048" if every else "1024"
    return f"--points {points} {transforms(form)}"


def transforms(form: Form) -> str:
    return f"{WARM} --samples {form.transforms} --check no"


def of_recommendations(form: Form) -> dict[str, Boot]:
    """What the conclusion's recommendations are examined with beside what of_multimax() boots."""
    one_size = f"--points 1024 {transforms(form)} --align 16"
    two = {"nodes": 2, "app": "ring"}
    return {
        "static": Boot(ring(("exp6",), (128, 4096), "none"), {**two, "dispatch": "static"}),
        "contend": Boot(
            [job(design, f"--messages {BURST} --samples 5") for design in CONTENDERS],
            {"app": "contend", "nodes": SENDERS + 1},
        ),
        "unaligned": Boot([job("exp2", one_size, UNALIGNED)], {"app": "fft", "nodes": 8}),
        "simplex others": Boot(
            [job(design, form.simplex) for design in (USER, BROADCAST)], {"app": "simplex", "nodes": 4}
        ),
    }


def of_another_machine(form: Form) -> dict[str, Boot]:
    """What the recommendations are examined with there, all of it."""
    two = {"nodes": 2, "app": "ring"}
    one_size = f"--points 1024 {transforms(form)}"
    return {
        "ring": Boot(ring(DESIGNS, (128, 4096), "none"), two),
        "ring only-read": Boot(ring(TRANSFERS, (128, 4096), "only-read"), two),
        "fft 8": Boot([job(design, one_size) for design in TRANSFERS], {"app": "fft", "nodes": 8}),
        "simplex 4": Boot(
            [job(design, form.simplex) for design in TRANSFERS], {"app": "simplex", "nodes": 4}
        ),
        **of_recommendations(form),
    }


def run(machine: str, boots: dict[str, Boot], at_once: int, records: kept.Records) -> dict[str, dict]:
    """The records, by the boots' names; so many boots at once, those that take longest first. What `records`
    has is not booted."""
    common = {"clock": "modelled", "machine": machine, "limit": 3600}

    def one(name: str) -> dict:
        jobs, words = boots[name].jobs, {**common, **boots[name].common}
        return records.get(machine, name, jobs, words, lambda: batch.record(jobs, **words))

    def length(name: str) -> int:
        common = boots[name].common
        return common.get("processors", common["nodes"]) * (2 if common["app"] == "simplex" else 1)

    order = sorted(boots, key=length, reverse=True)
    with futures.ThreadPoolExecutor(at_once) as pool:
        try:
            running = {name: pool.submit(one, name) for name in order}
            return {name: running[name].result() for name in boots}
        except KeyboardInterrupt:
            ending.give_up(pool)
            raise
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
