#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What no user should try, tried for as long as one likes: soak.py [--minutes M] [--seed S] [PART ...].

Parts: calls (Linux calls, proxies and NX/2 calls with nonsense for arguments), kills (programs ended in the
middle of their messages and loaded anew), executables (broken ones), configurations (any words), native
(ranks on Linux, killed at any moment; where `make native` has been made). explorer, on request: the plays of
build/tests/explorer with up to three preemptions under both models, one after the other, each for a share of
the time; what is covered is printed, and what was covered to its end is not run again for the same program.
modelled, on request: a ring of 2, 8, 16 and 32 modelled processors, by turns, each time a boot; every time of
the record must be what it was in the first one. machines, on request: a million messages between two booted
machines, over a wire that loses, repeats and reorders frames by the seed.
After every boot the kernel must
have ended by itself, and after every job nothing may be left behind. What was tried adds up in the ledger
build/soak/ledger.json. A boot that went wrong is kept in build/soak/ with the words that repeat it.
Status 0: nothing was found; 1: something was; 2: wrong words."""

import argparse
import difflib
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "native", "tests")]
import killed_jobs  # noqa: E402
from parley_runner import contents, ending, executable, guest, machine_file, request, run  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402

BUILD = os.environ.get("PARLEY_BUILD") or os.path.join(ROOT, "build")
RUNNER = os.path.join(ROOT, "tools", "parley")
SOURCES = os.path.dirname(os.path.realpath(__file__))
FOLDER = os.path.join(BUILD, "soak")
LEDGER = os.path.join(FOLDER, "ledger.json")

DESIGNS = (
    *("exp1", "exp2", "exp3", "exp4", "exp5", "exp6", "nx2"),
    *("exp6,location=user", "exp2,location=user", "exp6,transfer=adaptive", "exp6,synchronization=mcs"),
    *("nx2,location=user,context-switch=light", "exp6,location=user,transfer=adaptive", "exp3,location=user"),
    *("exp6,location=user,synchronization=mcs", "exp6,location=user,synchronization=ticket"),
    *("exp4,synchronization=semaphore", "exp6,port=locked", "exp6,context-switch=light"),
)
# How a boot may end whatever its programs did; all else is the system's fault. The words are the record's.
GOOD_ENDS = {"success", "failed", "time-out"}
JOBS_A_BOOT, CALLS = 16, 100000
STORMS_A_BOOT, ROUNDS = 6, 100
EXECUTABLES_A_BOOT, CONFIGURATIONS_A_BOOT, NATIVE_JOBS = 60, 60, 100
SHORTEST_PLAY = 60  # seconds
MODELLED = {2: "multimax", 8: "multimax", 16: "multimax", 32: "cedar"}  # processors, and of which machine
CROSSING = os.path.join(ROOT, "kernel", "tests", "programs", "crossing.c")
CROSSING_NODES, CROSSING_MESSAGES = 4, 83_334  # from each node to each other one
CROSSING_LIMIT = 10_800  # seconds
MODELLED_WORDS = ["MEMORY=64", "LIMIT=600", "ARGS=--sizes 0,1024 --trips 1 --samples 2"]

# What a configuration may say: of the machine, and of each of its jobs.
OF_A_MACHINE = {
    "PROCESSORS": ("1", "2", "3", "4"),
    "GANG": ("design", "shared", "private", "slots"),
    "JOBS": ("sequential", "together"),
    "CHECKS": ("full", "reduced"),
    "MEMORY": ("64", "256", "1024"),
    "THREADS": ("auto", "single"),
}
OF_A_JOB = {
    "DESIGN": (*DESIGNS, "exp7", "exp6,port", "exp4,transfer=adaptive:1:0"),
    "NODES": ("1", "2", "3", "5", "64", "0", "x"),
    "PIDS": ("1", "2", "65"),
    "SCHEDULE": ("auto", "gang", "timeshared"),
    "BUDGET": ("65536", "1000000", "99999999999"),
    "JOB_MEMORY": ("4", "40", "4000"),
    "TAG": ("0", "1"),
    "APP": ("ring", "selftest", "buffer", "nothing"),
}


class Found(Exception):
    """Something that must not be."""


class Soak:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.ledger = read_ledger()
        self.scratch = tempfile.TemporaryDirectory(prefix="parley-soak-")
        sources = [os.path.join(SOURCES, f"{name}.c") for name in ("calls", "storm_host", "storm_node")]
        self.programs = {name_of(source): self.compile(source) for source in (*sources, CROSSING)}

    def compile(self, source: str) -> str:
        program = os.path.join(self.scratch.name, name_of(source))
        subprocess.run([os.path.join(BUILD, "nxcc"), f"-I{ROOT}", "-o", program, source], check=True)
        return program

    def boot(self, words: list[str], refused_too: bool = False) -> dict:
        """The record, once it says that the system did what it must."""
        path = os.path.join(self.scratch.name, "record.json")
        if os.path.exists(path):
            os.unlink(path)
        command = [RUNNER, "run", f"RECORD={path}", "REMEASURE=0", *words]
        # The runner ends a machine that hangs; this bound is for the runner itself.
        longest = 2 * CROSSING_LIMIT
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=longest, check=False
        )
        said = done.stdout + done.stderr
        self.ledger["boots"] += 1
        if "Traceback" in said:
            raise Found(f"the runner lost its way\n{said}")
        if done.returncode == 2 and refused_too:
            if len(done.stderr.strip().splitlines()) != 1:
                raise Found(f"a refusal is one sentence\n{said}")
            return {}
        if not os.path.exists(path):
            raise Found(f"there is no record\n{said}")
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        if record["status"] not in GOOD_ENDS:
            raise Found(f"the boot ended with {record['status']}: {record['sentence']}\n{said}")
        for job in record["jobs"]:
            if job.get("frames_leaked") or job.get("objects_leaked"):
                raise Found(f"job {job['name']} left something behind\n{said}")
        return record

    def calls(self) -> str:
        """Many jobs in a boot, one after the other: each must leave the machine as it was."""
        design = self.random.choice(DESIGNS)
        nodes = self.random.choice((1, 2, 4))
        same = {"app": self.programs["calls"], "nodes": nodes}
        jobs = [
            {"name": f"calls{i}", "args": f"{self.seed()} {CALLS}", **same} for i in range(JOBS_A_BOOT)
        ]
        record = self.boot([f"CONFIG={self.configuration(jobs)}", f"DESIGN={design}", "LIMIT=20"])
        most: dict = {}
        for row in record["rows"]:
            if row["name"] == "calls" and row["unit"] == "calls" and row["samples"] == 1:
                place = (row["job"], row["node"])
                most[place] = max(most.get(place, 0), min(row["median"] or 0, CALLS))
        self.ledger["calls"] += int(sum(most.values()))
        return f"{int(sum(most.values()))} calls under {design}"

    def kills(self) -> str:
        """Storms of several designs in a boot, each with its host."""
        designs = [name for name in DESIGNS if name != "exp6,context-switch=light"]
        jobs = [
            {
                "name": f"storm{i}",
                "app": self.programs["storm_host"],
                "hosted": "1",
                "nodes": self.random.choice((2, 3, 4)),
                "args": f"{self.seed()} {ROUNDS}",
                "design": self.random.choice(designs),
            }
            for i in range(STORMS_A_BOOT)
        ]
        config = self.configuration(jobs)
        record = self.boot([f"CONFIG={config}", f"FILES={self.scratch.name}", "LIMIT=60", "PROCESSORS=5"])
        rows = [row for row in record["rows"] if row["name"] == "kills"]
        kills = {record["jobs"][row["job"]]["name"]: int(row["median"]) for row in rows}
        self.ledger["kills"] += sum(kills.values())
        for job in jobs:
            if job["name"] not in kills:
                raise Found(f"{job['name']} did not end: {record['sentence']}\n{job}")
        return f"{sum(kills.values())} kills under " + " ".join(job["design"] for job in jobs)

    def executables(self) -> str:
        """Programs of which some bytes are others: in their headers, or anywhere."""
        with open(os.path.join(BUILD, "apps", "ring", "ring"), "rb") as file:
            whole = file.read()
        jobs = []
        for i in range(EXECUTABLES_A_BOOT):
            broken = bytearray(whole)
            end = self.random.choice((64, 64 + 56 * 8, 4096, len(broken)))
            for _ in range(self.random.randint(1, 8)):
                odd = (0, 1, 0x7F, 0x80, 0xFF, self.random.randrange(256))
                broken[self.random.randrange(end)] = self.random.choice(odd)
            if self.random.random() < 0.2:
                del broken[self.random.randrange(len(broken)) :]
            path = os.path.join(self.scratch.name, f"broken{i}")
            with open(path, "wb") as file:
                file.write(broken)
            try:
                executable.check(path)
            except BadRequest:
                continue  # what the runner refuses would keep the others from being tried
            jobs.append({"name": f"broken{i}", "app": path, "nodes": 1, "args": "--sizes 0 --samples 1"})
        if jobs:
            self.boot([f"CONFIG={self.configuration(jobs)}", "LIMIT=5"])
        self.ledger["executables"] += EXECUTABLES_A_BOOT
        return f"{EXECUTABLES_A_BOOT} executables, {len(jobs)} of them booted"

    def configurations(self) -> str:
        """Any words: those that the runner refuses by themselves are done with, the others share a boot."""
        machine = self.some_of(OF_A_MACHINE)
        tried = 4 if machine.get("JOBS") == "together" else CONFIGURATIONS_A_BOOT
        accepted = []
        for i in range(tried):
            words = {"ARGS": "--sizes 0,100 --trips 1 --samples 2", **self.some_of(OF_A_JOB)}
            if not self.is_refused([f"{key}={value}" for key, value in {**machine, **words}.items()]):
                job = {key.lower(): as_toml(value) for key, value in words.items()}
                accepted.append({**job, "name": f"job{i}"})
        ends = ""
        if accepted:
            config = self.configuration(accepted)
            together = [f"{key}={value}" for key, value in machine.items()]
            record = self.boot([f"CONFIG={config}", *together, "LIMIT=10"], refused_too=True)
            ends = ", ".join(sorted({job["status"] for job in record.get("jobs", ())}))
        self.ledger["configurations"] += tried
        return f"{tried} configurations, {len(accepted)} of them booted ({ends})"

    def some_of(self, choices: dict) -> dict:
        return {key: self.random.choice(choices[key]) for key in choices if self.random.random() < 0.3}

    def is_refused(self, words: list[str]) -> bool:
        try:
            for one in request.make(words).boots(run.rows):
                guest.check(one)
        except BadRequest as problem:
            if len(str(problem).splitlines()) != 1:
                raise Found(f"a refusal is one sentence\n{problem}\n{words}") from problem
            return True
        return False

    def native(self) -> str:
        if not os.path.exists(killed_jobs.NXRUN):
            return "left out: make native first"
        source, program = (os.path.join(self.scratch.name, name) for name in ("traffic.c", "traffic"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(killed_jobs.TRAFFIC)
        wrapper = os.path.join(BUILD, "native", "bin", "nxcc")
        subprocess.run([wrapper, "-o", program, source], check=True)
        for _ in range(NATIVE_JOBS):
            wrong = killed_jobs.kill_one(program, self.random)
            self.ledger["native"] += 1
            if wrong:
                raise Found(wrong)
        return f"{NATIVE_JOBS} jobs"

    def explorer(self) -> str:
        program = os.path.join(BUILD, "tests", "explorer")
        key = digest_of(program)
        known = self.ledger.setdefault("explored", {}).setdefault(key, {})
        # Not those that test the explorer by the bounds that it says.
        words = [program, "-#", "~[#explorer_explored]", "--list-test-names-only"]
        names = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False).stdout
        rest = [name for name in names.splitlines() if known.get(name) not in ("to its end", "fails")]
        if not rest:
            return "all plays have been covered to their ends"
        name = min(rest, key=lambda one: (one in known, known.get(one, 0)))
        seconds = max(SHORTEST_PLAY, known.get(name, 0) * 2)  # what was cut short has more time the next time
        known[name] = "fails"  # unless we come to the next line
        said, ended = self.play(program, name, seconds)
        known[name] = "to its end" if ended else seconds
        how = "to its end" if ended else f"as far as {seconds} s go"
        return "\n  ".join([f"{name}: {how}, {len(rest)} to go", *said])

    def play(self, program: str, name: str, seconds: int) -> tuple[list[str], bool]:
        """What was covered, and whether the play has come to its end."""
        words = [program, name.replace(",", "\\,")]
        environment = {**os.environ, "PARLEY_EXPLORER": "thorough"}
        with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as running:
            try:
                text, ended = running.communicate(timeout=seconds)[0], True
            except subprocess.TimeoutExpired:
                running.kill()
                text, ended = running.communicate()[0], False
        if "FAILED" in text or (ended and running.returncode):
            raise Found(f"a play fails: {name}\n{text}")
        return [line for line in text.splitlines() if line.startswith("covered: ")], ended

    def modelled(self) -> str:
        """The next number of processors once more: all times must be those of its first boot."""
        files = [os.path.join(BUILD, *path) for path in MODELLED_BY]
        key = digest_of(*files, *map(machine_file.find, sorted(set(MODELLED.values()))))
        known = self.ledger.setdefault("modelled", {}).setdefault(f"{key} {MODELLED_WORDS}", {})
        processors = min(MODELLED, key=lambda one: known.get(str(one), {"runs": 0})["runs"])
        machine = MODELLED[processors]
        record = self.boot(["CLOCK=modelled", f"MACHINE={machine}", f"NODES={processors}", *MODELLED_WORDS])
        if record["status"] != "success" or not record["rows"]:
            raise Found(f"a ring of {processors} on {machine} has no times: {record['status']}")
        times = {"rows": record["rows"], "model": record["model"]}
        first = known.setdefault(str(processors), {"times": times, "runs": 0})
        if first["times"] != times:
            raise Found(
                f"a ring of {processors} on {machine} took other times than in the first boot\n"
                f"first: {json.dumps(first['times'])}\nnow:   {json.dumps(times)}"
            )
        first["runs"] += 1
        runs = first["runs"]
        return f"{processors} processors of {machine}: {runs} of {runs} boots equal to the nanosecond"

    def machines(self) -> str:
        """The program itself looks that no message is lost, comes twice or overtakes another."""
        wire = f"WIRE=5:5:10:{self.random.randrange(1, 1_000_000_000)}"
        words = ["BOOTS=2", f"NODES={CROSSING_NODES}", "DESIGN=exp4", f"LIMIT={CROSSING_LIMIT}", wire]
        began = time.monotonic()
        record = self.boot([*words, f"APP={self.programs['crossing']}", f"ARGS={CROSSING_MESSAGES}"])
        if record["status"] != "success":
            raise Found(f"the messages did not all cross ({wire}): {record['sentence']}")
        seconds = time.monotonic() - began
        count = CROSSING_NODES * (CROSSING_NODES - 1) * CROSSING_MESSAGES
        self.ledger["crossed"] += count
        return f"{count:,} messages crossed in {seconds:.0f} s, over {wire}"

    def seed(self) -> int:
        return self.random.randrange(1, 1 << 30)

    def configuration(self, jobs: list[dict]) -> str:
        path = os.path.join(self.scratch.name, "jobs.toml")
        with open(path, "w", encoding="utf-8") as file:
            for job in jobs:
                file.write("[[job]]\n")
                file.writelines(f"{key} = {json.dumps(value)}\n" for key, value in job.items())
        return path

    def note(self, part: str, seed: int, problem: str) -> None:
        self.ledger["found"] += 1
        path = os.path.join(FOLDER, f"found-{part}-{seed}.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"make soak SEED={seed} ONLY={part}\n{problem}\n")
        print(f"\n{part}: {problem.splitlines()[0]}\n  kept in {path}")


def name_of(source: str) -> str:
    return os.path.splitext(os.path.basename(source))[0]


def digest_of(*paths: str) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(contents.digest(path))
    return digest.hexdigest()[:16]


def as_toml(value: str):
    """A number is written as one; what is none is the file's to refuse."""
    return int(value) if value.isdigit() else value


def read_ledger() -> dict:
    counted = ("boots", "calls", "kills", "executables", "configurations", "native", "crossed", "found")
    empty = dict.fromkeys(counted, 0)
    if not os.path.exists(LEDGER):
        return empty
    with open(LEDGER, encoding="utf-8") as file:
        return {**empty, **json.load(file)}


def write_ledger(ledger: dict) -> None:
    with open(f"{LEDGER}.new", "w", encoding="utf-8") as file:
        json.dump(ledger, file, indent=1)
    os.replace(f"{LEDGER}.new", LEDGER)


PARTS = ("calls", "kills", "executables", "configurations", "native")
ON_REQUEST = ("explorer", "modelled", "machines")
# What the times of a modelled ring may depend on beside the machines' files: under build/.
MODELLED_BY = (("machine_model", "plugin.so"), ("kernel.elf",), ("apps", "ring", "ring"))
# Parts that `make soak` has from elsewhere.
OF_MAKE = ("mutants",)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="for how long (default: 10)")
    parser.add_argument("--seed", type=int, help="of the first boot alone: repeats what was found")
    choice = f"{', '.join(PARTS)} (default: all of these); {', '.join(ON_REQUEST)}"
    parser.add_argument("parts", nargs="*", help=choice)
    wanted = parser.parse_args()
    known = (*PARTS, *ON_REQUEST, *OF_MAKE)
    for part in wanted.parts:
        if part in OF_MAKE:
            print(f"make soak ONLY={part}: this part runs alone.", file=sys.stderr)
            return 2
        if part not in known:
            near = difflib.get_close_matches(part, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
            print(f"make soak ONLY={part}: there is no such part; {hint}", file=sys.stderr)
            return 2
    os.makedirs(FOLDER, exist_ok=True)
    end = time.monotonic() + wanted.minutes * 60
    found, turn = 0, 0
    while time.monotonic() < end:
        part = (wanted.parts or PARTS)[turn % len(wanted.parts or PARTS)]
        seed = wanted.seed if wanted.seed is not None else random.randrange(1 << 30)
        soak = Soak(seed)
        try:
            said = getattr(soak, part)()
            print(f"{part} (seed {seed}): {said}", flush=True)
        except Found as problem:
            soak.note(part, seed, str(problem))
            found += 1
        write_ledger(soak.ledger)
        soak.scratch.cleanup()
        turn += 1
        if wanted.seed is not None:
            break
    counts = {key: value for key, value in read_ledger().items() if isinstance(value, int)}
    print(", ".join(f"{value:,} {key}" for key, value in counts.items()) + f" (in all: {LEDGER})")
    print("nothing was found" if found == 0 else f"{found} found")
    return 1 if found else 0


if __name__ == "__main__":
    try:
        sys.exit(ending.of(main))
    except KeyboardInterrupt:
        sys.exit(130)
