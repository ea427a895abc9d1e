# SPDX-License-Identifier: MIT
"""How the model of CLOCK=modelled runs the emulator's processors: by the fast back end, which takes functions
that the emulator exports, or by the public one, which takes its plugin interface alone and serves programs
that spin (docs/machine-model.md). The fast one, too, can run a kernel that does without ticks, as it does
under the public one: their times are to be compared."""

from dataclasses import replace

from . import executable
from .status import BadRequest

FAST, WITHOUT_TICKS, PUBLIC = NAMES = ("fast", "fast-without-ticks", "public")
# The emulator's exit status where the fast back end finds other functions than it takes.
NO_FAST = 68
TAKEN = (
    "this emulator exports other functions than the model's fast back end takes, so the public one runs the "
    "boot: slower, and for programs that spin."
)
SPINNING = ("spin", "queue")  # semaphores at which a process keeps its processor
NEEDED = "QEMU 7.2 as Debian builds it"  # for the fast one
# What makes the emulator want all processors to stand still, which those that wait for their turn never do.
HANGS = (
    "BACK_END=public serves no locked access that crosses a boundary of its own size: align what it is of, "
    "or take BACK_END=fast."
)


def of(request) -> str:
    return request.values["back_end"] or FAST


def is_public(request) -> bool:
    return request.values["clock"] == "modelled" and of(request) == PUBLIC


def lacks_ticks(request) -> bool:
    return request.values["clock"] == "modelled" and of(request) in (WITHOUT_TICKS, PUBLIC)


def may_be_public(request, status: int | None) -> bool:
    """Whether a boot that ended with this status of the emulator's is to be tried by the public back end."""
    return status == NO_FAST and request.values["back_end"] is None


def neither(refusal: str) -> str:
    """The sentence where the emulator lacks what the fast one takes, and the public one refuses the boot."""
    return (
        "This emulator exports other functions than the model's fast back end takes, and "
        f"{refusal.replace('BACK_END=fast', NEEDED)}"
    )


def with_public(request):
    """The same request for the public back end."""
    return replace(request, values={**request.values, "back_end": PUBLIC})


def memory_options(request) -> list[str]:
    """A kernel without ticks is answered in the machine's memory, which is then a file without a name."""
    if not lacks_ticks(request):
        return []
    size = f"size={request.values['memory']}M"
    memory = f"memory-backend-memfd,id=memory,{size},share=on"
    return ["-object", memory, "-machine", "memory-backend=memory"]


def check_words(request) -> None:
    """What cannot be run without ticks, as far as words tell it."""
    if not lacks_ticks(request):
        return
    own = f"BACK_END={of(request)}"
    if request.values["jobs"] == "together" or request.values["gang"] != "design":
        raise BadRequest(
            f"{own} has no ticks, by which jobs and gangs take turns: leave out JOBS=together and "
            "GANG=, or take BACK_END=fast."
        )
    for job in request.jobs:
        if executable.measures_gangs(job.app):
            raise BadRequest(
                f"APP={job.app} measures gangs, which need ticks, and {own} has none: take "
                "BACK_END=fast."
            )
        if job.semaphore.partition(":")[0] not in SPINNING and executable.waits_at_semaphores(job.app):
            raise BadRequest(
                f"APP={job.app} waits at semaphores, and at those of SEMAPHORE={job.semaphore} processes "
                f"sleep, whose waking {own} cannot time: take SEMAPHORE=spin, or BACK_END=fast."
            )
        if job.schedule == "timeshared" or job.processes > request.processors:
            raise BadRequest(
                f"{own} has no ticks, by which processes take turns: give each a processor "
                f"(PROCESSORS={job.processes}), or take BACK_END=fast."
            )


def check_design(request, asked: str, design: dict) -> None:
    """`design`: what one comes to that was asked for (designs.resolve)."""
    if lacks_ticks(request) and not (design["spins"] and design["extra_processes"] == 0):
        raise BadRequest(
            f"DESIGN={asked} has processes that sleep, whose waking BACK_END={of(request)} cannot time: "
            "take synchronization=spinlock, or BACK_END=fast."
        )


def check_machine(request, words: list[str]) -> None:
    """`words`: what studies make of the machine."""
    if lacks_ticks(request) and words:
        raise BadRequest(
            f"BACK_END={of(request)} has no ticks, which the machine '{' '.join(words)}' needs: "
            "take BACK_END=fast."
        )
