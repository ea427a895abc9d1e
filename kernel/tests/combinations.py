# SPDX-License-Identifier: MIT
"""Boots in which every two values of switches and factors meet that may: made from what the runner's keys
and the design tool list, always the same, as few as a greedy search finds. What is refused is asked of those
who refuse it for users, the runner and the design tool."""

import functools
import itertools
import json
import os
import random
import subprocess
import sys

from boot_case import BUILD, ROOT

sys.path.append(os.path.join(ROOT, "tools"))
from parley_runner import guest, keys, request  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402

NODES = 2
# So that two processes a node, delivery and policy processes can be a gang; where instructions are counted,
# for which every processor takes its turn, one process a node can.
FREE, COUNTED = (4, 3), (3, 2)  # fast and slow
MOST_JOBS = 16  # of a boot
CANDIDATES, ROUNDS = 30, 3  # of the search
UNSET = None
# Of the values that every boot has, these make it dear, and are drawn less often: counted instructions are
# emulated by one host thread, and static dispatch has jobs of the presets only.
DEAR = {"clock": "counted", "dispatch": "static"}
# The transport that joins machines: a booted machine is alone. The port over which NX/2 is refused.
NOT_BOOTED = {("transport", "network"), ("port", "lock-free")}

# Keys that are the same in every boot, by what they are.
SAME = {
    "the program, how large it is, and what it is given": (
        *("design", "app", "args", "hosted", "nodes", "processors", "memory", "job_memory", "budget"),
        *("name", "files", "input", "limit", "loops"),
    ),
    "numbers of a switch that is varied": (
        *("slowdown", "allotment", "request", "every", "service", "between", "trace_records", "window"),
        "trace_interval",
    ),
    "one word for several switches that are varied": ("losses",),
    "what a modelled clock is told, whose boots are test_modelled.py's": (
        *("machine", "lookahead", "back_end"),
    ),
    "how many machines run the jobs, and the wire between them, whose boots are test_machines.py's": (
        "boots",
        "wire",
    ),
    "into what the machine is divided, whose boots are test_multiprocessors.py's": (
        "multiprocessors",
        "interface",
    ),
    "what processors' time is told apart, whose boots are test_accounts.py's": ("q",),
    "how the runner boots and reports, and what tests plant in it": (
        *("threads", "boot", "console", "quiet", "remeasure", "record", "out", "config", "plant"),
        *("unreceived",),
    ),
}

# Boots with jobs that once ended a kernel or waited for ever; more jobs join them, and `make test' tries the
# first. A job is a preset and what is different in it.
FIRST = (
    (
        {"trace": "t.trace", "profile": "1"},
        (
            ("exp4", {"semaphore": "policy-0"}),
            ("exp4", {"synchronization": "policy-0"}),
            ("exp6", {"interaction": "synchronous"}),
            ("exp1", {}),
        ),
    ),
    (
        {"checked": "1"},
        (
            ("exp3", {}),
            ("exp6", {"semaphore": "policy-1", "transport": "process"}),
        ),
    ),
)


def choices(key: str) -> tuple[str, ...]:
    return keys.KEYS[key].choices


def of_the_run() -> dict[str, tuple]:
    """Keys of a boot, with the values that stand for all that they can have."""
    return {
        "trace": (UNSET, "t.json", "t.svg", "t.trace"),
        "gang": choices("gang"),
        "profile": choices("profile"),
        "checked": choices("checked"),
        "dispatch": choices("dispatch"),
        "jobs": choices("jobs"),
        "checks": choices("checks"),
        "clock": ("free", "counted"),  # modelled ones take a machine, and are test_modelled.py's
        "slice": (UNSET, "20ms"),
        "tick": (UNSET, "20ms"),  # of which slices are multiples
        "device": (UNSET, "owner:0,asker:1"),
        "speeds": (UNSET, "two"),
        "stealing": (UNSET, *choices("stealing")),
        "banks": (UNSET, "585x4"),
        "disk": (UNSET, "fixed-head:1ms"),
    }


@functools.lru_cache(maxsize=1)
def listing() -> dict:
    line = [os.path.join(BUILD, "designs"), "list", "--json"]
    return json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout)


def factors() -> dict[str, tuple]:
    found: dict[str, tuple] = {}
    for leaf in listing()["classes"]:
        if (leaf["factor"], leaf["name"]) not in NOT_BOOTED and leaf["factor"] != "polling":
            found[leaf["factor"]] = (*found.get(leaf["factor"], ()), leaf["name"])
    return {**found, "ready-queue": ("shared", "private")}


def of_a_job() -> dict[str, tuple]:
    return {
        **factors(),
        "semaphore": tuple(leaf["name"] for leaf in listing()["semaphores"]),
        "schedule": choices("schedule"),
        "pages": (UNSET, "private", "shared"),
        "pids": (1, 2),
        "tag": choices("tag"),
    }


def design_of(job: dict) -> str:
    return "exp6," + ",".join(f"{factor}={job[factor]}" for factor in factors())


class Resolver:
    """The design tool, which answers as long as somebody asks."""

    def __init__(self, processes: int, processors: int):
        line = [os.path.join(BUILD, "designs"), "resolve", "-"]
        line += ["--nodes", str(processes), "--processors", str(processors)]
        self.tool = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @functools.lru_cache(maxsize=None)
    def answer(self, design: str) -> tuple[str, str]:
        """The canonical design and why it is refused, of which one is empty."""
        self.tool.stdin.write(f"{design}\n")
        self.tool.stdin.flush()
        word, _, said = self.tool.stdout.readline().rstrip("\n").partition(" ")
        return (said, "") if word == "ok" else ("", said or "the design tool has ended")

    def end(self) -> None:
        self.tool.stdin.close()
        self.tool.stdout.close()
        self.tool.wait()


def words_of(values: dict) -> list[str]:
    return [f"{key.upper()}={value}" for key, value in values.items() if value is not UNSET]


def fast_and_slow(run: dict) -> tuple[int, int]:
    return COUNTED if run["clock"] == "counted" else FREE


def words_of_run(run: dict) -> list[str]:
    fast, slow = fast_and_slow(run)
    if run["speeds"]:
        return words_of(run | {"speeds": f"fast:{fast},slow:{slow}"})
    return words_of(run | {"processors": fast + slow})


@functools.lru_cache(maxsize=None)
def refused_words(*words: str) -> str:
    """What the runner says to words before it asks the design tool; empty: it takes them."""
    try:
        guest.check_words(request.make([*words, f"NODES={NODES}", "APP=hello_c"]))
    except BadRequest as problem:
        return str(problem)
    return ""


def keys_of(job: dict) -> dict:
    """As a configuration file has them."""
    own = {key: value for key, value in job.items() if key not in factors() and value is not UNSET}
    return {"design": design_of(job), "nodes": NODES, **own}


def pairs_of(values: dict) -> set:
    """Every two of a row's values, each with its key."""
    return set(itertools.combinations(sorted(values.items(), key=lambda item: item[0]), 2))


def across(run: dict, job: dict) -> set:
    return {((key, value), other) for key, value in run.items() for other in job.items()}


def all_pairs(values: dict[str, tuple]) -> set:
    items = sorted(values)
    return {
        ((first, a), (second, b))
        for first, second in itertools.combinations(items, 2)
        for a in values[first]
        for b in values[second]
    }


class Boots:
    """`boots`: the keys of each, and its jobs'. `refused`: the pairs that no boot has, each with its
    sentence."""

    def __init__(self):
        self.dice = random.Random(1)
        self.runs, self.jobs = of_the_run(), of_a_job()
        self.boots: list[tuple[dict, list[dict]]] = []
        self.refused: dict[tuple, str] = {}
        self.resolvers = {
            (pids, counts): Resolver(NODES * pids, sum(counts))
            for pids in self.jobs["pids"]
            for counts in (FREE, COUNTED)
        }
        self.presets = {one["design"] for one in listing()["presets"]}
        self.plain_jobs = self.of_presets()
        self.plain_run = {key: values[0] for key, values in self.runs.items()}
        self.left = all_pairs(self.runs)
        for run, _ in FIRST:
            self.begin(self.plain_run | run)
        self.make_runs()
        self.left = all_pairs(self.jobs) | self.across_all()
        for (_, jobs), (run, made) in zip(FIRST, self.boots, strict=False):
            for preset, job in jobs:
                self.take(run, made, self.row_of(preset) | job)
        self.make_jobs()
        for resolver in self.resolvers.values():
            resolver.end()

    def met(self) -> set:
        """Every two values that one boot has, or one job, or a boot and a job of it."""
        found = set()
        for run, jobs in self.boots:
            found |= pairs_of(run)
            for job in jobs:
                found |= pairs_of(job) | across(run, job)
        return found

    def across_all(self) -> set:
        return {
            ((key, value), (other, its))
            for key, values in self.runs.items()
            for value in values
            for other, all_its in self.jobs.items()
            for its in all_its
        }

    def refusal(self, run: dict, job: dict) -> str:
        """Why this job cannot be in that boot; empty: it can."""
        design, why = self.resolvers[job["pids"], fast_and_slow(run)].answer(design_of(job))
        if why:
            return why
        if run["dispatch"] == "static" and run["checked"] == "1":
            return "tests build no checked kernel of static calls"
        if run["dispatch"] == "static" and design not in self.presets:
            return "the message system was built with static dispatch, for the presets only"
        own = {key: job[key] for key in ("schedule", "pages", "pids")}
        return refused_words(*words_of_run(run), *words_of(own))

    @staticmethod
    def is_dear(run: dict, job: dict) -> bool:
        """Each wait of a process lasts until a tick after the disk has written its pages: a counted boot of
        such a job takes a minute."""
        writes_pages = "policy" in job["synchronization"] + job["semaphore"] and run["disk"]
        return run["clock"] == "counted" and bool(writes_pages)

    def of_presets(self) -> list[dict]:
        """Jobs of the named designs, in ways in which little is refused."""
        rest = {"semaphore": "kernel", "pages": UNSET, "pids": 1, "tag": "0"}
        rows = [
            {**{factor: one[factor.replace("-q", "_q")] for factor in factors()}, **rest}
            for one in listing()["presets"]
        ]
        return [{**row, "schedule": schedule} for schedule in ("timeshared", "gang") for row in rows]

    def row_of(self, preset: str) -> dict:
        names = [one["name"] for one in listing()["presets"]]
        return self.plain_jobs[names.index(preset)]

    def refusal_of(self, target: tuple) -> str:
        """Why these two values meet in no boot, where nothing else comes between them; empty: they can."""
        run = self.plain_run | {key: value for key, value in target if key in self.runs}
        job = {key: value for key, value in target if key in self.jobs}
        if run["stealing"]:
            run["speeds"] = dict(target).get("speeds", self.runs["speeds"][1])
        if job.get("pages"):
            run["banks"] = dict(target).get("banks", self.runs["banks"][1])
        why = ""
        for row in self.plain_jobs:
            why = self.refusal(run, row | job)
            if not why:
                return ""
        return why

    def make_runs(self) -> None:
        while self.left:
            target = min(self.left, key=repr)
            if why := self.refusal_of(target):
                self.refused[target] = why
                self.left.discard(target)
                continue
            self.begin(self.best_run(dict(target)))

    def begin(self, run: dict) -> None:
        self.boots.append((run, []))
        self.left -= pairs_of(run)

    def drawn_run(self, fixed: dict) -> dict:
        run = {key: self.dice.choice(values) for key, values in self.runs.items()}
        for key, dear in DEAR.items():
            if run[key] == dear and self.dice.random() < 0.7:
                run[key] = self.plain_run[key]
        return run | fixed

    def best_run(self, fixed: dict) -> dict:
        made = [self.drawn_run(fixed) for _ in range(CANDIDATES)]
        for run in made:  # nearly every other value refuses these
            if not run["speeds"]:
                run["stealing"] = fixed.get("stealing", UNSET)
            if run["trace"] or run["profile"] == "1" or run["dispatch"] == "static":
                run["checked"] = fixed.get("checked", "0")
        made.sort(key=lambda run: -len(pairs_of(run) & self.left))
        needs = {"speeds": self.runs["speeds"][1]} if fixed.get("stealing") else {}
        made.append(self.plain_run | needs | fixed)
        return next(run for run in made if any(not self.refusal(run, job) for job in self.plain_jobs))

    def make_jobs(self) -> None:
        for _ in range(ROUNDS):  # each job of these has many pairs that none had before
            for run, jobs in self.boots:
                self.add(run, jobs, {})
        while self.left:  # each job of these has a pair that is left
            target = min(self.left, key=repr)
            if why := self.refusal_of(target):
                self.refused[target] = why
                self.left.discard(target)
            elif not self.meet(dict(target)):
                raise AssertionError(f"no boot has a job that meets {target}")

    def meet(self, target: dict) -> bool:
        """By one job more, where it is allowed."""
        of_run = {key: value for key, value in target.items() if key in self.runs}
        of_job = {key: value for key, value in target.items() if key in self.jobs}
        fitting = [
            boot
            for boot in self.boots
            if of_run.items() <= boot[0].items() and len(boot[1]) < MOST_JOBS
        ]
        fitting.sort(key=lambda boot: len(boot[1]))
        return any(self.add(run, jobs, of_job) for run, jobs in fitting)

    def add(self, run: dict, jobs: list[dict], fixed: dict) -> bool:
        """A job with these values that meets as much as one of some that are drawn."""
        made = [self.drawn(run, fixed) for _ in range(CANDIDATES)]
        made.sort(key=lambda job: -self.gain(run, job))
        made += [row | fixed for row in self.plain_jobs]
        allowed = (job for job in made if not self.is_dear(run, job) and not self.refusal(run, job))
        job = next(allowed, None)
        if job is None or self.gain(run, job) == 0:
            return False
        self.take(run, jobs, job)
        return True

    def take(self, run: dict, jobs: list[dict], job: dict) -> None:
        jobs.append(job)
        self.left -= pairs_of(job) | across(run, job)

    def gain(self, run: dict, job: dict) -> int:
        return len((pairs_of(job) | across(run, job)) & self.left)

    def drawn(self, run: dict, fixed: dict) -> dict:
        job = {key: self.dice.choice(values) for key, values in self.jobs.items()}
        if run["dispatch"] == "static":
            row = self.dice.choice(self.plain_jobs)
            job |= {factor: row[factor] for factor in factors()}
        if run["slice"]:
            job["schedule"] = "timeshared"
        if not run["banks"]:
            job["pages"] = UNSET
        return job | fixed


@functools.lru_cache(maxsize=1)
def made() -> Boots:
    return Boots()
