# SPDX-License-Identifier: MIT
"""What the user asked for: run-wide values, and for every boot its jobs. Made from KEY=VALUE words and a
file."""

import os
from dataclasses import asdict, dataclass, field, replace

from . import config_file, executable, keys, limits, multiprocessors, wire
from .additions import Additions
from .status import BadRequest


@dataclass
class Job:
    name: str
    design: str
    app: str
    nodes: int
    pids: int
    hosted: str
    args: str
    semaphore: str
    loops: str | None
    tag: str
    budget: int | None
    job_memory: int | None  # MiB
    schedule: str
    limit: int  # seconds of guest time
    added: dict = field(default_factory=dict)  # the keys that studies add
    where: dict = field(default_factory=dict)  # key -> the place in a file that set it, or what implied it

    @property
    def asked(self) -> dict:
        """For the record."""
        own = {key: value for key, value in asdict(self).items() if key not in ("added", "where")}
        return own | self.added

    @property
    def has_host(self) -> bool:
        return executable.loads_others(self.app) if self.hosted == "auto" else self.hosted == "1"

    @property
    def processes(self) -> int:
        """Programs that may run at the same time: the nodes' and the host's."""
        return self.nodes * self.pids + self.has_host


@dataclass
class Request:
    values: dict  # the run's own keys
    jobs: list[Job]  # a job's design may still name several rows: boots() separates them
    where: dict = field(default_factory=dict)  # the same of run keys

    @property
    def processors(self) -> int:
        told = (added.processors(self.values) for added in keys.ADDED)
        if said := [count for count in told if count is not None]:
            return said[0]
        return self.values["processors"] or processors_for(self.jobs, self.machines)

    @property
    def machines(self) -> int:
        """How many are booted together."""
        return self.values["boots"]

    def joined(self, design: str) -> str:
        """A design whose nodes are on several machines, or multiprocessors of one, needs the transport that
        joins them."""
        if "transport=" in design:
            return design
        if self.values["multiprocessors"] > 1:
            return f"{design},{multiprocessors.transport(self.values)}"
        return f"{design},{wire.TRANSPORT}" if self.machines > 1 else design

    def boots(self, rows) -> list["Request"]:
        """One request for every design to boot; `rows` is called for the names behind `all`."""
        lists = [[self.joined(design) for design in expand(job, rows)] for job in self.jobs]
        many = max(len(designs) for designs in lists)
        for job, designs in zip(self.jobs, lists):
            if len(designs) not in (1, many):
                raise BadRequest(
                    f"Job {job.name} lists {len(designs)} designs, another one {many}: "
                    "one design, or as many as the others."
                )
        return [
            Request(
                self.values,
                [replace(job, design=designs[boot % len(designs)]) for job, designs in zip(self.jobs, lists)],
                self.where,
            )
            for boot in range(many)
        ]


def expand(job: Job, rows) -> list[str]:
    words = job.design.split()
    if not words:
        raise BadRequest(f"{job.where.get('design', '')}design is empty; say a preset such as exp6, or all.")
    result: list[str] = []
    for word in words:
        if word.startswith("all,"):
            changes = word.removeprefix("all")
            every = " ".join(name + changes for name in rows())
            raise BadRequest(
                f'{job.where.get("design", "")}all stands alone; to change every row say "{every}".'
            )
        result += rows() if word == "all" else [word]
    return result


def parse_words(words: list[str]) -> dict:
    values = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadRequest(f"'{word}' is not of the form KEY=VALUE.")
        key = keys.find(name)
        if value == "" and key.name != "args":
            continue
        parsed = keys.parse(key, value)
        values[key.name] = os.path.expanduser(parsed) if key.path else parsed
    return values


def make(words: list[str]) -> Request:
    """Words win over the file; a job key among the words holds for every job."""
    given = parse_words(words)
    top, tables = config_file.read(given["config"]) if "config" in given else (config_file.Table(), [])
    jobs: list[Job] = []
    for table in tables or [config_file.Table()]:
        said = {**top.values, **table.values, **given}
        values = with_defaults(said)
        job = make_job(values, {job.name for job in jobs})
        where = without(given, {**top.where, **table.where})
        jobs.append(replace(job, where=where | implied_where(values, said, where)))
    said = {**top.values, **given}
    values = with_defaults(said, processors_for(jobs, said.get("boots", 1)))
    run = {name: value for name, value in values.items() if keys.KEYS[name].scope == keys.RUN}
    where = without(given, top.where)
    wanted = processors_for(jobs, values["boots"])
    return Request(run, jobs, where | implied_where(values, said, where, wanted))


def processors_for(jobs: list[Job], boots: int = 1) -> int:
    """How many a machine has that nothing is said of: one for each process of the largest job that runs on
    it."""
    return min(max(processes_on(job, boots) for job in jobs), limits.PROCESSORS)


def processes_on(job: Job, boots: int) -> int:
    """Of a job, on one of so many machines: where there are several, one more carries messages between
    them."""
    return job.processes if boots == 1 else -(-job.nodes // boots) * job.pids + 1


def with_defaults(said: dict, processors: int | None = None) -> dict:
    """Where the request is silent, what follows from studies' keys comes before the defaults. `processors`:
    of the run, where its jobs are known and nothing is said."""
    values = {name: key.default for name, key in keys.KEYS.items()} | said
    for added in keys.ADDED:
        values |= implied(added, values, said, processors)
    return values


def implied(added: Additions, values: dict, said: dict, processors: int | None) -> dict:
    asked = values | {"processors": values["processors"] or processors}
    return {name: value for name, value in added.implied(asked).items() if name not in said}


def implied_where(values: dict, said: dict, where: dict, processors: int | None = None) -> dict:
    """Which word, from which place, has implied what the request leaves out, as refusals begin with it."""
    found = {}
    for added in keys.ADDED:
        key = added.implying
        for name in implied(added, values, said, processors) if key else ():
            found[name] = f"{where.get(key, '')}{key.upper()}={values[key]} says {name}={values[name]}: "
    return found


def without(given: dict, where: dict) -> dict:
    return {key: place for key, place in where.items() if key not in given}


def make_job(values: dict, taken: set[str]) -> Job:
    wanted = values["name"] or os.path.basename(values["app"]) or "job"
    name, count = wanted, 1
    while name in taken:
        count += 1
        name = f"{wanted}-{count}"
    fields = {
        key: values[key]
        for key in Job.__dataclass_fields__
        if key not in ("name", "added", "where")
    }
    if fields["schedule"] == "auto" and executable.measures_gangs(fields["app"]):
        fields["schedule"] = "timeshared"
    own = {key.name for added in keys.ADDED for key in added.keys if key.scope == keys.JOB}
    return Job(name=name, added={key: values[key] for key in sorted(own)}, **fields)
