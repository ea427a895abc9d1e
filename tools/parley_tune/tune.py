# SPDX-License-Identifier: MIT
"""The command `tune`: which design suits a program. One traced boot tells its messages, a null pair for each
class what a message costs there, one for each two classes of designs that come first what it costs with both,
and the designs that should be best by that are tried. The best of those tried is written as a configuration
file, and the report says how far the predictions were from it. With the factors of the loop runtime it asks
which leaves suit the program's parallel loops (loop_leaves.py)."""

import functools
import itertools
import math
import os
import statistics
from collections.abc import Callable
from dataclasses import dataclass

from parley_runner import designs, keys, places, request, sweep
from parley_runner.counted import counted
from parley_runner.status import BadRequest, Status

from . import against, loop_leaves, messages
from .boots import FACTORS, KINDS, Boots, Stopped, Unfit, in_order
from .cost_model import Choice, CostModel, Prices
from .predictions import Predictions
from .traced_runs import TracedRuns

USAGE = (
    "Say: make tune APP=program "
    "[NODES= ARGS= DESIGN= CLOCK= OUT=folder CHECK=3 MINUTES=30 FACTORS= AGAINST=record]"
)
OWN = ("out", "check", "minutes", "factors", "against")
CHECKS = 3  # designs that are tried unless somebody says otherwise
NEAR = 0.02  # predictions that differ by no more are alike
# The command decides about these itself, or there is nothing to tune with them.
TAKEN = (*sweep.TAKEN, "profile", "checked", "trace_records", "pids", "hosted", "schedule", "plant", "quiet")
ASKED = ("app", "nodes", "args", "design")
MOST_REPLAYED = 400  # a replay of a long trace takes a second
NOT_TRIED = ("network",)  # joins several machines


@dataclass(frozen=True)
class Asked:
    program: dict
    preset: str
    clock: str
    dispatch: str
    common: list[str]
    out: str
    checks: int
    minutes: int
    factors: tuple[str, ...]
    against: str  # the record of a cross product, or nothing

    @property
    def machine(self) -> str:
        return "".join(word.removeprefix("machine=") for word in self.common if word.startswith("machine="))

    @property
    def is_modelled(self) -> bool:
        """Whether processors run side by side, and not one after the other on one thread."""
        return self.clock == "modelled"

    @property
    def of_loops(self) -> bool:
        return self.factors[0] in loop_leaves.FACTORS


@dataclass(frozen=True)
class Tried:
    design: str
    predicted: float
    measured: float

    @property
    def error(self) -> float:
        return self.predicted / self.measured - 1


def command(words: list[str]) -> int:
    """0: a configuration was written; 1: the time was over before; 130: interrupted."""
    wanted = [parse(one) for one in programs([word for word in words if word != "--needs"])]
    if "--needs" in words:
        print("\n".join(dict.fromkeys(line for asked in wanted for line in needs(asked))))
        return Status.SUCCESS
    verdicts: list[against.Verdict] = []
    for asked in wanted:
        if status := choose(asked, verdicts):
            return status
    if len(wanted) > 1:
        print("\n".join(against.table(verdicts)))
    return Status.SUCCESS


def programs(words: list[str]) -> list[list[str]]:
    """The words of each choice: of one, or of all programs and machines of the record that AGAINST names,
    where nobody says anything of the program. Each has a folder of its own in OUT then."""
    said = {name.lower(): value for name, equals, value in (word.partition("=") for word in words) if equals}
    if "against" not in said or any(name in said for name in (*ASKED, "clock", "machine")):
        return [words]
    own = [word for word in words if not word.lower().startswith("out=")]
    out = said.get("out") or "tuned"
    products = against.products(os.path.expanduser(said["against"]))
    return [
        [*own, *one.words(TAKEN), f"out={os.path.join(out, str(number))}"]
        for number, one in enumerate(products, 1)
    ]


def needs(asked: Asked) -> list[str]:
    own = [asked.program["app"]] if "/" not in asked.program["app"] else []
    if asked.of_loops:
        return [f"APP={(own or ['ring'])[0]} PROFILE=1 CLOCK={asked.clock} DISPATCH={asked.dispatch}"]
    kinds = [f"{word} CLOCK={asked.clock} DISPATCH={asked.dispatch}" for word in KINDS]
    return [f"APP={app} {kind}" for app in [*own, "ring", "contend"] for kind in kinds]


def choose(asked: Asked, verdicts: list[against.Verdict]) -> Status:
    prepare(asked.out)
    boots = Boots(asked.preset, asked.program, asked.common, asked.out, 60.0 * asked.minutes)
    try:
        if asked.of_loops:
            return tune_loops(asked, boots)
        boots.of_pair((), 0)  # what is refused is refused before the first boot
        return tune(asked, boots, verdicts)
    except Stopped as problem:
        boots.screen.complain(
            f"{problem}: what was measured is kept in {asked.out}; the same command goes on."
        )
        return Status.INTERRUPTED if "Interrupted" in str(problem) else Status.FAILED


def parse(words: list[str]) -> Asked:
    said, given = {}, []
    for word in words:
        name, equals, value = word.partition("=")
        name = name.lower()
        if not equals or (name not in OWN and (name not in keys.KEYS or name in TAKEN)) and name not in ASKED:
            known = [*OWN, *ASKED, *(key for key in keys.KEYS if key not in TAKEN)]
            raise BadRequest(f"'{word}' is no word here.{keys.nearest(name, known)} {USAGE}.")
        said[name] = value
    if not said.get("app"):
        raise BadRequest(f"No program is named. {USAGE}.")
    said.setdefault("clock", "counted")
    if said["clock"] == "free":
        raise BadRequest("CLOCK=free measures nothing twice alike: take counted, or modelled with a MACHINE.")
    given = [f"{name}={value}" for name, value in said.items() if name not in (*OWN, *ASKED)]
    values = request.parse_words([f"{name}={said[name]}" for name in ASKED if name in said] + given)
    nodes = values.get("nodes", keys.KEYS["nodes"].default)
    preset = values.get("design", keys.KEYS["design"].default)
    if "," in preset or " " in preset:
        raise BadRequest(f"DESIGN={preset}: a named design is what others are set beside, as exp6.")
    factors = tuple(said.get("factors", "").replace(",", " ").split()) or FACTORS
    known = (*FACTORS, *loop_leaves.FACTORS)
    for factor in factors:
        if factor not in known:
            raise BadRequest(f"FACTORS={factor} is none of {', '.join(known)}.{keys.nearest(factor, known)}")
    if len({factor in FACTORS for factor in factors}) > 1:
        raise BadRequest(
            f"Factors of a design and of loops ({', '.join(loop_leaves.FACTORS)}) are tuned apart: "
            "by messages, and by the time of loops. Say one kind."
        )
    if factors[0] in loop_leaves.FACTORS and "against" in said:
        raise BadRequest("AGAINST is a cross product of designs' classes, and loops' leaves are none.")
    if factors[0] in loop_leaves.FACTORS and "check" in said:
        raise BadRequest("CHECK says how many designs are tried; of loops every leaf is. Leave it out.")
    program = {"app": values["app"], "nodes": nodes, "args": values.get("args", "")}
    out = said.get("out") or f"{os.path.basename(program['app'])}-tuned"
    return Asked(
        program=program,
        preset=preset,
        clock=said["clock"],
        dispatch=values.get("dispatch", "virtual"),
        common=given,
        out=os.path.expanduser(out),
        checks=whole("check", said.get("check"), CHECKS, 1000),
        minutes=whole("minutes", said.get("minutes"), 30, 10_000),
        factors=factors,
        against=os.path.expanduser(said.get("against", "")),
    )


def whole(name: str, said: str | None, default: int, highest: int) -> int:
    if said is None:
        return default
    if not said.isdecimal() or not 1 <= int(said) <= highest:
        raise BadRequest(f"{name.upper()} takes a whole number from 1 to {highest}, not '{said}'.")
    return int(said)


def prepare(folder: str) -> None:
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise BadRequest(f"OUT={folder} is a file, not a folder.")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as problem:
        raise BadRequest(f"OUT={folder} cannot be made: {problem.strerror}.") from None
    places.check_room(folder, f"OUT={folder}")


def tune_loops(asked: Asked, boots: Boots) -> int:
    base = [word for word in asked.common if word.startswith("loops=")]
    boots.common = [word for word in asked.common if word not in base]
    times = loop_leaves.LoopTimes(boots, "".join(base).removeprefix("loops="))
    tried = loop_leaves.tune(times, asked.factors)
    for line in loop_leaves.table(tried):
        boots.screen.say(line)
    more, best = loop_leaves.chosen(times, tried)
    path = os.path.join(asked.out, "best.toml")
    common = [*boots.common, *(f"{name}={text}" for name, text in more.items())]
    said = f"# Written by make tune: the best leaves tried, {best.measured / 1000:.3f} us in loops.\n"
    places.write_atomically(path, configuration(asked, asked.preset, common, said).encode())
    boots.screen.say(
        f"The best of {len(tried)} choices: {loop_leaves.said(best.leaves) or 'the base'}, whose loops are "
        f"{tried[0].measured / best.measured:.3f} times as fast as the base's: {path}"
    )
    return Status.SUCCESS


def tune(asked: Asked, boots: Boots, verdicts: list[against.Verdict]) -> Status:
    if asked.against:
        product = against.of(asked.against, boots.of_program("time", ()).asked)
        boots.told, boots.measure = product.designs(boots), product.measure
    trace = boots.trace(())
    profile = messages.of_trace(trace)
    say = boots.screen.say
    if not profile.messages:
        raise BadRequest(f"{asked.program['app']} sends no message, so no design suits it better.")
    say(
        f"{counted(profile.messages, 'message')} of {counted(profile.processes, 'process', 'processes')}, "
        f"{counted(profile.pairs, 'pair')}, up to {counted(profile.longest, 'byte')}; "
        f"{counted(profile.waits, 'wait')}."
    )
    model = CostModel(boots.prices((), profile.longest, asked.is_modelled) or refuse_pair(asked))
    fit(asked, boots, model, profile.longest)
    base_ns, digests = boots.time(())
    if not base_ns:
        raise BadRequest(f"The program does not succeed in {asked.preset}.")
    known = {(): Tried(asked.preset, base_ns, base_ns)}
    every = [one for one in choices(model) if not boots.told or one in boots.told]
    possible = every
    if asked.is_modelled:
        runs = TracedRuns(model, base_ns, trace.records, boots.traced_prices((), profile.longest))
        known |= trace_other_kind(boots, runs, every, digests, profile.longest)
        predict, before = runs.predict, runs.before
        possible = best_alone(model, predict, every, max(MOST_REPLAYED, asked.checks))
    else:
        predict, before = functools.partial(model.counted, base_ns, profile.counts), math.inf

    def price(pair: Choice) -> Prices | None:
        return prices_of(boots, pair, profile.longest, asked.is_modelled)

    predictions = Predictions(model, predict, price, possible)
    checked = check(boots, predictions, digests, asked.checks, list(known))
    tried = [*known.values(), *checked]
    if len(checked) < asked.checks and len(possible) == len(every):
        say(judged(tried, len(known), before))
    if boots.told:
        verdicts.append(verdict(asked, boots, tried, before))
        say(verdicts[-1].sentence(asked.against))
    return conclude(asked, boots, tried, len(known))


def trace_other_kind(
    boots: Boots, runs: TracedRuns, every: list[Choice], digests: list, longest: int
) -> dict[Choice, Tried]:
    """Traces a run in which sends give blocks away, if in the base they do not; or the other way around: with
    the first class that is so and with which the program runs."""
    unlike = [one for one in runs.model.changed if boots.gives_away((one,)) != boots.gives_away(())]
    for one in unlike:
        measured = time_of(boots, (one,), digests) if (one,) in every else None
        if measured is None:
            continue
        try:
            trace, prices = boots.trace((one,)), boots.traced_prices((one,), longest)
        except Unfit as problem:
            boots.screen.say(f"{boots.design((one,))} is not traced: {problem}")
            continue
        predicted = runs.add(one, measured, trace.records, prices, unlike)
        return {(one,): Tried(boots.design((one,)), predicted, measured)}
    return {}


def check(
    boots: Boots, predictions: Predictions, digests: list, most: int, known: list[Choice]
) -> list[Tried]:
    """The designs that are predicted best, one after the other, beside those that are `known`. What one
    contradicts is laid to its classes in equal parts before the next is looked for, so that not all checks
    share one mistake; nor, where others are as good, all classes."""
    predicted = predictions.of
    tried: list[Tried] = []
    failing: set[tuple[str, str]] = set()
    wrong: dict[tuple[str, str], float] = {}  # ns that a class takes longer than predicted
    left = set(predicted) - set(known)
    had = set(itertools.chain(*known))  # classes of those tried

    def believed(choice: Choice) -> float:
        return predicted[choice] + sum(wrong.get(one, 0.0) for one in choice)

    while left and len(tried) < most:
        choice = next_of({one: believed(one) for one in left}, had)
        if predictions.refine(choice):
            continue
        left.remove(choice)
        had |= set(choice)
        measured = time_of(boots, choice, digests)
        if measured is None:
            failing |= culprits(boots, choice, digests)
            left = {one for one in left if not failing & set(one)}
            continue
        part = (measured - believed(choice)) / len(choice)
        wrong.update({one: wrong.get(one, 0.0) + part for one in choice})
        tried.append(Tried(boots.design(choice), predicted[choice], measured))
    for factor, name in sorted(failing):
        boots.screen.say(
            f"Left out, for the program does not run with it, or finds something else: {factor}={name}"
        )
    return tried


def next_of(believed: dict[Choice, float], had: set[tuple[str, str]]) -> Choice:
    """The best, or the best of those near it with a class that none had that were tried: it says more."""
    limit = min(believed.values()) * (1 + NEAR)
    new = [one for one, ns in believed.items() if ns <= limit and not had.issuperset(one)]
    return min(new or believed, key=lambda one: (believed[one], len(one), one))


def verdict(asked: Asked, boots: Boots, tried: list[Tried], before: float) -> against.Verdict:
    chosen = min(tried, key=lambda one: one.measured)
    times = {boots.design(choice): boots.measure(found) for choice, found in boots.told.items()}
    times = {design: ns for design, ns in times.items() if ns}
    best = min(times, key=times.__getitem__)
    program = f"{os.path.basename(asked.program['app'])} {asked.program['args']}".rstrip()
    return against.Verdict(program, os.path.basename(asked.machine) or asked.clock, len(times), chosen.design,
                           chosen.measured, best, times[best], before)  # fmt: skip


def judged(tried: list[Tried], known: int, before: float) -> str:
    """Where CHECK was enough for all that run, after so many that are known: what fewer checks would have
    missed. `before`: ns before the first message."""
    best = min(tried, key=lambda one: one.measured)
    chosen = min(tried[: known + CHECKS], key=lambda one: one.measured)
    above = chosen.measured / best.measured - 1
    word = "within" if above <= against.AIM else "not within"
    beside = ""
    if (own := best.measured - before) > 0:
        part = above * best.measured / own
        beside = f" Of what it takes from its first message on, that is {part:.1%}."
    return (
        f"All {len(tried)} designs of the cross product that run were tried: what CHECK={CHECKS} would have"
        f" chosen is {above:.1%} above the best, {word} {against.AIM:.0%}.{beside}"
    )


def refuse_pair(asked: Asked):
    raise BadRequest(f"The null pair (APP=ring) does not run in {asked.preset}: take another DESIGN.")


def fit(asked: Asked, boots: Boots, model: CostModel, longest: int) -> None:
    """A null pair with each class instead of the base's."""
    unfit = []
    for one in designs.classes(places.BUILD):
        factor, name = one["factor"], one["name"]
        if factor not in asked.factors or name == boots.base[factor] or name in NOT_TRIED:
            continue
        if boots.told and not any((factor, name) in choice for choice in boots.told):
            continue
        if prices := prices_of(boots, ((factor, name),), longest, asked.is_modelled):
            model.changed[factor, name] = prices
        else:
            unfit.append(f"{factor}={name}")
    if unfit:
        boots.screen.say(f"Not priced, for the pair does not run so: {', '.join(unfit)}.")


def prices_of(boots: Boots, choice: Choice, longest: int, streams: bool) -> Prices | None:
    """None where the null pair does not run so, or is refused."""
    try:
        return boots.prices(choice, longest, streams)
    except Unfit:
        return None


def best_alone(
    model: CostModel, predict: Callable[[Choice], float], of: list[Choice], most: int
) -> list[Choice]:
    """The `most` of them that are best by what each class alone changes."""
    if len(of) <= most:
        return of
    alone = {one: predict((one,)) - predict(()) for one in model.changed}
    return sorted(of, key=lambda choice: sum(alone[one] for one in choice))[:most]


def choices(model: CostModel) -> list[Choice]:
    """The cross product of the classes that have a price, the base's among them."""
    factors: dict[str, list] = {}
    for factor, name in model.changed:
        factors.setdefault(factor, [None]).append((factor, name))
    return [in_order(filter(None, picked)) for picked in itertools.product(*factors.values())]


def time_of(boots: Boots, choice: Choice, digests: list) -> float | None:
    """None where the design is refused, the program fails in it, or finds something else."""
    try:
        measured, found = boots.time(choice)
    except Unfit:
        return None
    return measured if found == digests else None


def culprits(boots: Boots, choice: Choice, digests: list) -> set[tuple[str, str]]:
    """The classes of a design that fails which fail alone; a design whose classes fail only together is left
    out by itself."""
    if len(choice) == 1:
        return set(choice)
    return {one for one in choice if time_of(boots, (one,), digests) is None}


def conclude(asked: Asked, boots: Boots, tried: list[Tried], known: int) -> int:
    """The base is the first of those that were known before a design was predicted best."""
    best = min(tried, key=lambda one: one.measured)
    width = max(len(one.design) for one in tried)
    say = boots.screen.say
    say(f"{'design':<{width}}  {'predicted, us':>14}  {'measured, us':>14}  error")
    for one in sorted(tried, key=lambda one: one.measured):
        error = "the base" if one is tried[0] else f"{one.error:+.1%}"
        say(f"{one.design:<{width}}  {one.predicted / 1000:14.3f}  {one.measured / 1000:14.3f}  {error}")
    errors = [abs(one.error) for one in tried[1:]]
    if errors:
        average, most = statistics.fmean(errors), max(errors)
        said = f"Predictions were wrong by {average:.1%} on average, {most:.1%} at most"
        if tried[known:]:
            above = tried[known].measured / best.measured - 1
            said += f"; the design predicted best is {above:.1%} above the best of the {len(tried)} tried"
        say(f"{said}.")
    path = os.path.join(asked.out, "best.toml")
    said = f"# Written by make tune: the best of the designs tried, {best.measured / 1000:.3f} us.\n"
    places.write_atomically(path, configuration(asked, best.design, asked.common, said).encode())
    say(f"The best of those tried: {best.design}, {tried[0].measured / best.measured:.3f} times as fast as "
        f"{asked.preset}: {path}")  # fmt: skip
    return Status.SUCCESS


def configuration(asked: Asked, design: str, common: list[str], head: str) -> str:
    """Its paths are taken from where the command was given, so they are written whole."""
    app = asked.program["app"]
    values = {
        "design": design,
        "app": os.path.abspath(app) if "/" in app else app,
        "nodes": asked.program["nodes"],
        "args": asked.program["args"],
        **dict(word.split("=", 1) for word in common),
    }
    lines = [f"{name} = {quoted(name, value)}" for name, value in values.items() if value != ""]
    return head + "\n".join(lines) + "\n"


def quoted(name: str, value) -> str:
    """As TOML has it."""
    if keys.KEYS[name].is_number:
        return str(int(value))
    text = str(os.path.abspath(value) if keys.KEYS[name].path and name != "app" else value)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
