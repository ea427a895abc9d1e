# SPDX-License-Identifier: MIT
"""What the study boots on the modelled C.mmp: the rootfinder and HARPY under LOSSES=cmmp-1978, and with parts
of it left out. Every boot is a run like a user's; its record has all that the study says of it."""

import re
import statistics
from dataclasses import dataclass, replace
from itertools import pairwise

from cmmp import documents, kept_boots, modelled_roots
from parley_runner import machine_file, places
from parley_runner.status import BadRequest

PROFILE, MACHINE, DESIGN = "cmmp-1978", "cmmp", "exp4"
LIMIT = 3600  # seconds of simulated time
WIDE_MEMORY, WIDE_BANK = 128, "8 MiB"  # MiB of sixteen banks, and one
PROCESSORS = 9  # figure 4.2: eight fast processors and a slow one
FAST = 8
FIVE, SEVEN, MOST = 5, 7, 9
SHARED_BEST = 3  # processes of figure 3.6's best speed-up with one bank
BASE, STEPS = 50, 2000  # of the evaluations from which the length of others is found
FEWEST = 25  # that the function itself does not take, at the first roots
# Evaluations in place of one, and steps beside them that are always the same: figure 4.2's mean of 72 ms and
# deviation of 18 ms on a PDP-11/40.
WORK, FIXED = 12, 1180
AUTHENTIC_KINDS = ("spin", "kernel", "policy-1:300ms")
LENGTHS = ("constant", "normal", "exponential")
FAR = 400.0  # ms: beyond it all but policy-0 are indistinguishable (section 5)
SEMICONDUCTOR = 5  # a bank of table 3.2
BRIEF = 37.5  # ms: a tenth of figure 4.3's, far above the threshold of spin
# A further look at a threshold lies so much above or below the overhead that was found last.
ASIDE = 1.3
# Of a traced boot, whose records are to find room.
TRACED_ROOTS = 3
# Around a threshold: F itself takes more steps at later roots than an evaluation of such a length is to have,
# and of one or two roots it is chance which stages an end of slices meets.
THRESHOLD_ROOTS = 5
# Of authentic lengths all are looked for, as in the documents.
ROOTS = 50
# With lengths of BRIEF, which ends of slices are to meet several times.
BRIEF_ROOTS = 50
LOOKS = 5  # at a threshold, at most, beside those at the printed length and half of it
HARPY_PROCESSES = 8
HARPY_VERSIONS = ("V1", "V2", "V3", "V4")
# Turns of a loop for a pair: CHECKSTATE takes 0.8 ms on a fast processor then (5.4.0.2).
HARPY_WORK = 60
USUAL_BEAM = 120


@dataclass(frozen=True)
class Form:
    """What a quick run and a full one differ in: a quick one has what its verdicts need."""

    name: str
    long_roots: int  # of boots with long evaluations: the first of a boot is left out of all means
    processes: dict[str, tuple[int, ...]]  # of figure 4.2's kinds, beside one
    utterances: int  # of HARPY's
    versions_at: tuple[int, ...]  # its numbers of processes
    beams: tuple[int, ...]  # beside the usual one: less, and more, that is to be tried


ALL_PROCESSES = tuple(range(2, MOST + 1))
QUICK = Form(
    name="quick",
    long_roots=9,
    processes={"spin": (FAST, MOST), "kernel": (FAST, MOST), "policy-1:300ms": (6, FAST, MOST)},
    utterances=9,
    versions_at=(1, HARPY_PROCESSES),
    beams=(160,),
)
FULL = Form(
    name="full",
    long_roots=50,
    processes=dict.fromkeys(AUTHENTIC_KINDS, ALL_PROCESSES),
    utterances=15,
    versions_at=tuple(range(1, HARPY_PROCESSES + 1)),
    beams=(80, 160),
)


@dataclass(frozen=True)
class Cell:
    """A boot. `without`: keys of the profile that are left out, or said otherwise."""

    kind: str
    processes: int
    args: str
    without: tuple[str, ...] = ()
    fast: int = FAST  # of the machine's processors
    app: str = "rootfinder"
    contended: bool = True  # whether its banks take time, without which no processor waits for one
    wide: bool = False  # whether its banks are twice as large, so that the kernel's has room for a process
    traced: bool = False  # its record has its trace, and no time of it counts

    @property
    def words(self) -> tuple[str, ...]:
        return (
            *(f"DESIGN={DESIGN}", f"SEMAPHORE={self.kind}", f"NODES={self.processes}"),
            *(f"PROCESSORS={PROCESSORS}", "CLOCK=modelled", f"LOSSES={PROFILE}", f"LIMIT={LIMIT}"),
            *(f"ARGS={self.args}", *self.without, *[f"MEMORY={WIDE_MEMORY}"] * self.wide),
        )


# Without slices every tick would be the end of one, which on this machine is a loss by itself.
NO_REQUEST = "ALLOTMENT=1000000"
NO_DEVICE = "DEVICE=none"
NO_PERTURBATION = (NO_DEVICE, NO_REQUEST)
NO_TICKS = (NO_DEVICE, "SCHEDULE=gang", "SLICE=none")
OWN_TICKS = "TICK=10ms"  # as this kernel has them without the profile
NO_DISK = "DISK=none"
BLOCKING = tuple(kind for kind in documents.KINDS if kind != "spin")
# A slow ninth processor keeps its process, though a fast one is idle.
KEPT = f"authentic kernel {MOST} without stealing"
# Of spinning processes of drawn lengths, where the pages of the first one lie. Where PAGES names banks, those
# that all processes share, with the words that are polled, lie in the first bank.
OWN_BANK, POLLED, POLLED_SELDOM = "bank of its own", "polled bank", "polled bank with a delay"
# The first process's own bank, and the others', of the same technology.
OTHER_BANK, OTHERS = 1, (2, 3, 4, 6, 7, 12)
DELAY = 100  # turns of an empty loop between two looks
POLLING_ROOTS = 6
WRITING = ("policy-0", "policy-1:0s")  # kinds under which every wait writes pages
# Traced boots -> of which kinds.
TRACED = {"traced": BLOCKING, "traced no perturbation": BLOCKING, "traced no disk": WRITING}
# Figure 4.3's seven processes, of which 4.3.3 tells when each starts.
STARTING = f"traced constant policy-0 {SEVEN}"


def drawn(lengths: str, steps: int, roots: int) -> str:
    return f"--lengths {lengths} --mean {steps} --roots {roots}"


def constant(steps: int, roots: int) -> str:
    return drawn("constant", steps, roots)


def of_lengths() -> dict[str, Cell]:
    """One process that nothing disturbs, from which the steps of a length are found."""
    return {f"length {steps}": Cell("spin", 1, constant(steps, 1), NO_TICKS) for steps in (BASE, STEPS)}


@dataclass(frozen=True)
class Length:
    """What an undisturbed evaluation takes: one of BASE steps, and each further step."""

    base: float
    step: float  # ns

    def steps(self, wanted: float) -> int:
        return max(FEWEST, round((wanted - self.base) / self.step) + BASE)

    def of(self, steps: int) -> float:
        return self.base + (steps - BASE) * self.step


def threshold(kind: str, steps: int, without: tuple[str, ...] = ()) -> Cell:
    return Cell(kind, FIVE, constant(steps, THRESHOLD_ROOTS), without)


def first_steps(kind: str, length: Length, part: float = 1.0) -> int:
    return length.steps(part * documents.THRESHOLDS[kind] * 1e6)


def next_steps(looks: dict[int, list[float]], length: Length) -> int | None:
    """Where to look next, from each root's mean stage by steps: until the threshold of all roots together
    lies between two looks, and then those of so many roots that the bounds of their median are known; None:
    they are, or no length is shorter."""
    whole = next_of_curve({steps: statistics.mean(stages) for steps, stages in looks.items()}, length)
    if whole is not None:
        return whole
    count = min(map(len, looks.values()))
    own = [
        next_of_curve({steps: stages[root] for steps, stages in looks.items()}, length)
        for root in range(count)
    ]
    left_out = modelled_roots.rank_of(count) - 1  # at either end, whatever they are
    longer = sorted(steps for steps in own if steps is not None and steps > max(looks))
    shorter = sorted(steps for steps in own if steps is not None and steps <= max(looks))
    if len(longer) > left_out:
        return longer[-1 - left_out]
    return shorter[left_out] if len(shorter) > left_out else None


def next_of_curve(looks: dict[int, float], length: Length) -> int | None:
    """At a length of the overhead that was found first, then beyond all looks on the side where the threshold
    lies."""
    shares = {steps: length.of(steps) / stage for steps, stage in sorted(looks.items())}
    if any(low < 0.5 <= high for low, high in pairwise(shares.values())):
        return None
    nearest = min(looks, key=lambda steps: abs(shares[steps] - 0.5))
    wanted = looks[nearest] - length.of(nearest)
    if len(looks) > 1 and shares[nearest] < 0.5:
        wanted = ASIDE * max(wanted, length.of(max(looks)))
    elif len(looks) > 1:
        wanted = min(wanted, length.of(min(looks))) / ASIDE
    steps = length.steps(wanted)
    return None if steps in looks else steps


def authentic(roots: int = ROOTS) -> str:
    return f"--work {WORK} --fixed {FIXED} --roots {roots} --every 1"


def of_figure_4_2(form: Form) -> dict[str, Cell]:
    cells = {"authentic spin 1": Cell("spin", 1, authentic())}
    for kind in AUTHENTIC_KINDS:
        for processes in form.processes[kind]:
            cells[f"authentic {kind} {processes}"] = Cell(kind, processes, authentic())
    cells[f"authentic policy-0 {FIVE}"] = Cell("policy-0", FIVE, authentic())
    for kind in AUTHENTIC_KINDS:
        cells[f"nine fast {kind}"] = Cell(kind, MOST, authentic(), fast=MOST)
    cells[KEPT] = Cell("kernel", MOST, authentic(), ("STEALING=off",))
    for kind, (_, processes) in documents.AUTHENTIC.items():
        if kind != "spin":  # which is one of the losses' own
            cells[f"undisturbed {kind} {processes}"] = Cell(kind, processes, authentic(), NO_PERTURBATION)
    return cells


def of_losses() -> dict[str, Cell]:
    """One source of loss alone, or none."""
    one, eight = (Cell("spin", processes, authentic()) for processes in (1, FAST))
    cells = {}
    for cell in (one, eight):
        cells[f"undisturbed {cell.processes}"] = replace(cell, without=NO_PERTURBATION)
        cells[f"device {cell.processes}"] = replace(cell, without=(NO_REQUEST,))
    cells["slices 1"] = replace(one, without=(NO_DEVICE,))
    for processes in (1, SHARED_BEST, FAST):
        one_bank = "PAGES=" + ",".join(["1"] * processes)  # the first has the kernel
        cells[f"shared {processes}"] = replace(one, processes=processes, without=(one_bank,))
    cells["slow 1"] = replace(one, without=NO_PERTURBATION, fast=0)
    semiconductor = (*NO_PERTURBATION, f"PAGES={SEMICONDUCTOR}")
    cells["semiconductor 1"] = replace(one, without=semiconductor)
    return cells


def of_long_lengths(form: Form, length: Length) -> dict[str, Cell]:
    """Figures 4.3 and 4.4, figure 3.5 with lengths that are a tenth of theirs, and what all kinds lose at
    lengths far above their thresholds."""
    cells = {}
    steps = length.steps(documents.LONG * 1e6)
    for lengths in ("constant", "exponential"):
        args = drawn(lengths, steps, form.long_roots)
        for kind in ("spin", "policy-0"):
            cells[f"{lengths} {kind} {SEVEN}"] = Cell(kind, SEVEN, args)
            if lengths == "constant":
                cells[f"{lengths} {kind} {MOST}"] = Cell(kind, MOST, args, fast=SEVEN)
    cells["constant spin 1"] = Cell("spin", 1, drawn("constant", steps, form.long_roots))
    for lengths in LENGTHS:
        args = drawn(lengths, length.steps(BRIEF * 1e6), BRIEF_ROOTS)
        for processes in (1, SEVEN):
            cells[f"brief {lengths} {processes}"] = cell = Cell("spin", processes, args)
            cells[f"brief {lengths} undisturbed {processes}"] = replace(cell, without=NO_PERTURBATION)
    for kind in documents.KINDS:
        if kind != "policy-0":
            cells[f"far {kind}"] = Cell(kind, FIVE, constant(length.steps(FAR * 1e6), form.long_roots))
    return cells


def of_polling(length: Length) -> dict[str, Cell]:
    """The first process computes while others wait for it, now in their words' bank and now in another."""
    args = drawn("exponential", length.steps(BRIEF * 1e6), POLLING_ROOTS)
    others = ",".join(map(str, OTHERS))
    return {
        name: Cell(kind, SEVEN, args, (*NO_PERTURBATION, f"PAGES={bank},{others}"), fast=MOST, wide=True)
        for name, kind, bank in (
            (OWN_BANK, "spin", OTHER_BANK), (POLLED, "spin", 0), (POLLED_SELDOM, f"spin:{DELAY}", 0)
        )
    }  # fmt: skip


def harpy(form: Form, version: str, processes: int, more: str = "") -> Cell:
    args = f"--variant {version[1:]} --utterances {form.utterances} --work {HARPY_WORK}{more}"
    return Cell("spin", processes, args, app="harpy")


def harpy_uncontended(version: str, processes: int) -> str:
    return f"harpy {version} {processes} without contention"


def of_harpy(form: Form) -> dict[str, Cell]:
    cells = {
        f"harpy {version} {processes}": harpy(form, version, processes)
        for version in HARPY_VERSIONS
        for processes in form.versions_at
    }
    for beam in form.beams:
        for processes in (1, HARPY_PROCESSES):
            cells[f"beam {beam} {processes}"] = harpy(form, "V4", processes, f" --beam {beam}")
    for version, processes in (("V1", 1), *((version, HARPY_PROCESSES) for version in HARPY_VERSIONS)):
        cells[harpy_uncontended(version, processes)] = replace(
            harpy(form, version, processes), without=NO_PERTURBATION, contended=False
        )
    cells["units"] = harpy(replace(form, utterances=1), "V3", 1, " --units yes")
    return cells


def of_repetition(length: Length) -> dict[str, Cell]:
    """A boot once more; and stages of the printed lengths without what perturbs them, without the disks
    either, and with the kernel's own ticks."""
    cells = {}
    for kind in documents.KINDS:
        cells[f"no perturbation {kind}"] = threshold(kind, first_steps(kind, length), NO_PERTURBATION)
    for kind in WRITING:
        without = (*NO_PERTURBATION, NO_DISK)
        cells[f"no disk {kind}"] = threshold(kind, first_steps(kind, length), without)
    for kind in ("kernel", "spin"):
        cells[f"no device {kind}"] = threshold(kind, first_steps(kind, length), (NO_DEVICE,))
    cells["own ticks kernel"] = threshold("kernel", first_steps("kernel", length), (OWN_TICKS,))
    return {"again": threshold("kernel", first_steps("kernel", length)), **cells}


def of_traces(length: Length) -> dict[str, Cell]:
    """What of table 4.1 no program sees: with all losses, and without what perturbs, and the disks. And when
    each process starts in a stage."""
    without = dict(zip(TRACED, ((), NO_PERTURBATION, (*NO_PERTURBATION, NO_DISK))))
    cells = {
        f"{part} {kind}": Cell(
            kind, FIVE, constant(first_steps(kind, length), TRACED_ROOTS), without[part], traced=True
        )
        for part, kinds in TRACED.items()
        for kind in kinds
    }
    args = constant(length.steps(documents.LONG * 1e6), TRACED_ROOTS)
    return {**cells, STARTING: Cell("policy-0", SEVEN, args, traced=True)}


def of_study(form: Form, length: Length) -> list[dict[str, Cell]]:
    """All but looks at thresholds, in parts."""
    return [
        of_repetition(length),
        of_traces(length),
        of_figure_4_2(form),
        of_harpy(form),
        of_losses(),
        of_long_lengths(form, length),
        of_polling(length),
    ]


def machine_text(fast: int, contended: bool = True, wide: bool = False) -> str:
    """C.mmp, of which so many fast processors come first and then the slow ones."""
    text = places.read_bounded(machine_file.find(MACHINE), MACHINE, 1 << 20).decode()
    own = machine_file.read(MACHINE)
    slow = list(range(fast, own.processors))
    changed, found = re.subn(r"(?m)^(processors = )\[[0-9, ]*\]", rf"\g<1>{slow}", text)
    if found != 1:
        raise BadRequest(f"The file of MACHINE={MACHINE} does not say which processors are slow.")
    if not contended:
        changed, found = re.subn(r'(?m)^((?:slow_)?bank = )"[0-9]+ ns"', r'\g<1>"1 ns"', changed)
        if found != 2:
            raise BadRequest(f"The file of MACHINE={MACHINE} does not say what its banks take.")
    if wide:
        changed, found = re.subn(r'(?m)^(width = )"[0-9]+ MiB"', rf'\g<1>"{WIDE_BANK}"', changed)
        if found != 1:
            raise BadRequest(f"The file of MACHINE={MACHINE} does not say how large its banks are.")
    return changed


def run(cells: dict[str, Cell], booter: kept_boots.Booter) -> dict[str, dict]:
    """The records by the cells' names; those that take longest begin first."""
    boots = {
        name: kept_boots.Boot(
            cell.app, cell.words, machine_text(cell.fast, cell.contended, cell.wide), cell.traced
        )
        for name, cell in cells.items()
    }
    order = sorted(cells, key=lambda name: (cells[name].kind != "policy-0", -cells[name].processes))
    return booter.run(boots, order)
