#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A modelled machine beside this host: the ring of two, with its message system in user location, booted on
the one and natively on the other, by the same design and the same copy routine.

validate_machine.py BUILD [MACHINE=modern] [PORTS="carrying circular lanes ..."] [ROUNDS=8] [OUT=file]
validate_machine.py BUILD --check [the same]: only says what is wrong with the words

The model's times are exact; the host's are medians of rounds in which the ports go by turns, and rounds whose
two processors lay far from each other are left out. Status 0 whatever the error is; 1: something failed; 2: a
request that makes no sense."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "benchmark")]
import verdict  # noqa: E402
from parley_runner import designs, ending, keys, machine_file, places, table  # noqa: E402
from parley_runner.status import BadRequest, Status  # noqa: E402

USAGE = 'Say: make validate-machine [MACHINE=modern] [PORTS="carrying circular"] [ROUNDS=8] [OUT=file.json]'
WORDS = ("machine", "ports", "rounds", "out")
PORTS = ("carrying", "circular", "lanes", "locked", "reuse")
SIZES = (0, 8, 64, 100, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536)
# What is booted, in two boots: small messages until their jumps are foreseen as they will be; of large ones,
# which a boot copies byte by byte, few.
BOOTED = (
    (SIZES[:10], "--samples 5 --trips 20 --warm-up 100"),
    (SIZES[10:], "--samples 3 --trips 3 --warm-up 5"),
)
NATIVE = "--samples 31 --trips 200 --warm-up 50"
AIM, AIM_BYTES = 0.20, 4096  # the error that is wanted, up to that size
# Processors are far from each other where a bare line takes so many times the least of all rounds.
FAR = 1.5
FREE_LINES = ("coherence.from_cache", "coherence.upgrade")  # what takes no time where lines cross for nothing
Times = dict[int, float]  # ns of a round trip by the message's bytes


@dataclass(frozen=True)
class Round:
    """One native run of one port."""

    port: str
    bare: float  # ns of a bare line there and back, in this run
    times: Times


@dataclass(frozen=True)
class Row:
    """A size under one port, ns of a round trip."""

    size: int
    modelled: float
    native: float  # the median of the rounds
    least: float
    most: float
    lines: float  # of the modelled time, what lines take that cross one after the other

    @property
    def error(self) -> float:
        return self.modelled / self.native - 1

    @property
    def overlaps(self) -> bool:
        """Whether lines that cross one after the other would take longer than the host's whole round trip:
        then it moves several at once, which the model does not."""
        return self.lines > self.native


def near(rounds: list[Round]) -> list[Round]:
    """Those whose processors were as near to each other as in the best."""
    least = min((one.bare for one in rounds), default=0.0)
    return [one for one in rounds if one.bare <= FAR * least]


def rows_of(modelled: Times, free: Times, rounds: list[Times]) -> list[Row]:
    """`free`: of the machine whose lines cross in no time."""
    found = []
    for size, time in sorted(modelled.items()):
        native = [one[size] for one in rounds]
        middle = statistics.median(native)
        found.append(Row(size, time, middle, min(native), max(native), time - free[size]))
    return found


def told(port: str, rows: list[Row], rounds: int) -> list[str]:
    lines = [
        f"\nport={port}: ns of a round trip; this host: median of {rounds} rounds (least to most)",
        f"{'bytes':>7} {'modelled':>10} {'this host':>10} {'':19} {'error':>7} {'lines alone':>12}",
    ]
    for row in rows:
        spread = f"({row.least:.0f} to {row.most:.0f})"
        lines.append(
            f"{row.size:7} {row.modelled:10.0f} {row.native:10.0f} {spread:19} {row.error:+7.0%}"
            f" {row.lines:12.0f}{'  overlap decides' if row.overlaps else ''}"
        )
    return lines


def summary(by_port: dict[str, list[Row]]) -> list[str]:
    """A sentence for each port about the aim, and one about overlap."""
    lines = [""]
    for port, rows in by_port.items():
        judged = [row for row in rows if row.size <= AIM_BYTES]
        within = [row for row in judged if abs(row.error) <= AIM]
        worst = max(judged, key=lambda row: abs(row.error))
        lines.append(
            f"{port}: {len(within)} of {len(judged)} sizes up to {AIM_BYTES} bytes within {AIM:.0%}; the"
            f" largest error is {worst.error:+.0%}, at {worst.size} bytes."
        )
        overlapping = [str(row.size) for row in rows if row.overlaps]
        where = f"at {', '.join(overlapping)} bytes" if overlapping else "at no size"
        lines.append(f"  Overlap decides {where}: there lines alone, one by one, take longer than the host.")
    return lines


def free_lines(text: str, machine: machine_file.Machine) -> str:
    """The machine's file, whose lines cross in no time."""
    found = text
    for name in FREE_LINES:
        if name not in machine.parameters:
            raise BadRequest(f"MACHINE={machine.name} has no {name}: it has no caches that are written back.")
        own = name.partition(".")[2]
        lines = [line for line in found.splitlines() if line.split("=")[0].strip() == own]
        if len(lines) != 1:
            raise BadRequest(f"MACHINE={machine.name} must say '{own}' in one line of its own.")
        found = found.replace(lines[0], f'{own} = "0 ns"')
    return found


@dataclass(frozen=True)
class Asked:
    machine: str
    ports: tuple[str, ...]
    rounds: int
    out: str


def parse(words: list[str], known: list[str]) -> Asked:
    said = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name.lower() not in WORDS:
            hint = keys.nearest(name.lower(), WORDS)
            raise BadRequest(f"'{word}' is no word here.{hint} {USAGE}.")
        said[name.lower()] = value
    usual = tuple(port for port in PORTS if port in known)
    ports = tuple(said.get("ports", "").replace(",", " ").split()) or usual
    for port in ports:
        if port not in known:
            raise BadRequest(f"PORTS={port} is none of {', '.join(known)}.{keys.nearest(port, known)}")
    rounds = said.get("rounds", "8")
    if not rounds.isdecimal() or not 1 <= int(rounds) <= 1000:
        raise BadRequest(f"ROUNDS takes a whole number from 1 to 1000, not '{rounds}'.")
    return Asked(said.get("machine", "modern"), ports, int(rounds), said.get("out", ""))


def text_of(asked: Asked) -> str:
    path = machine_file.find(asked.machine)
    return places.read_regular(path, f"MACHINE={asked.machine}", machine_file.LARGEST).decode()


def design(port: str) -> str:
    return f"exp6,location=user,port={port}"


class Failed(Exception):
    """A run that should have measured something did not succeed."""


def record_of(line: list[str], path: str, **environment: str) -> dict:
    done = subprocess.run(
        line, capture_output=True, text=True, errors="replace", check=False, timeout=600,
        env={**os.environ, **environment},
    )  # fmt: skip
    if done.returncode != 0:
        raise Failed(f"{' '.join(line)}: {(done.stdout + done.stderr)[-1500:].strip()}")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def times_of(record: dict) -> Times:
    return {row["bytes"]: row["median"] for row in record["rows"] if row["name"] == "round trip"}


def bare_of(record: dict) -> float:
    """A line that goes to the other processor and back, and nothing else."""
    return next(row["median"] for row in record["rows"] if row["name"] == table.YARDSTICK)


def args(words: str, sizes: tuple[int, ...] = SIZES) -> str:
    return f"--sizes {','.join(map(str, sizes))} {words}"


def boot(build: str, port: str, machine: str, folder: str) -> dict:
    """A record of all sizes, booted with the native library's copy routine."""
    records = [boot_sizes(build, port, machine, folder, args(words, sizes)) for sizes, words in BOOTED]
    for further in records[1:]:
        records[0]["rows"] += [row for row in further["rows"] if row["name"] == "round trip"]
    return records[0]


def boot_sizes(build: str, port: str, machine: str, folder: str, ring: str) -> dict:
    path = os.path.join(folder, "booted.json")
    words = (f"DESIGN={design(port)}", "APP=ring", "NODES=2", "CLOCK=modelled", f"MACHINE={machine}")
    more = (f"ARGS={ring}", "LIMIT=600", f"RECORD={path}", "CONSOLE=hide")
    line = [os.path.join(HERE, "parley"), "run", *words, *more]
    return record_of(line, path, PARLEY_BUILD=os.path.join(build, "native_copy"))


def native(build: str, port: str, folder: str) -> Round:
    path = os.path.join(folder, "native.json")
    start = [os.path.join(build, "native", "bin", "nxrun"), "-n", "2", "--limit", "120", "--record", path]
    ring = [os.path.join(build, "native", "apps", "ring", "ring"), *args(NATIVE).split()]
    # As the booted library copies, whose machine keeps no wider registers (native/booted/copy.cpp).
    same = ["--dispatch", "virtual", "--widest-move", "16"]
    found = record_of([*start, *same, "-d", design(port), *ring], path)
    return Round(port, bare_of(found), times_of(found))


def measure(build: str, asked: Asked, machine: machine_file.Machine) -> dict:
    """What a file of results holds."""
    path = machine_file.find(asked.machine)
    free = free_lines(text_of(asked), machine)
    modelled, alone, bare, rounds = {}, {}, 0.0, []
    with tempfile.TemporaryDirectory(prefix="parley-validate-") as folder:
        other = os.path.join(folder, "free.toml")
        with open(other, "w", encoding="utf-8") as file:
            file.write(free)
        for port in asked.ports:
            say(f"booting port={port} on {machine.name}")
            found = boot(build, port, os.path.abspath(path), folder)
            modelled[port], bare = times_of(found), bare_of(found)
            alone[port] = times_of(boot(build, port, other, folder))
        for turn in range(asked.rounds):
            say(f"round {turn + 1} of {asked.rounds}")
            rounds += [native(build, port, folder) for port in asked.ports]
    say("")
    return {"modelled": modelled, "free": alone, "bare": bare, "rounds": rounds}


def say(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text:60}", end="\n" if not text else "", file=sys.stderr, flush=True)


def report(found: dict, machine: machine_file.Machine) -> dict[str, list[Row]]:
    kept = near(found["rounds"])
    left_out = len(found["rounds"]) - len(kept)
    bare = statistics.median(one.bare for one in kept)
    print(f"MACHINE={machine.name} ({machine.title}) beside this host: design {design('...')}, ring of two")
    print(
        f"A bare line there and back: modelled {found['bare']:.1f} ns, here {bare:.1f} ns"
        f" ({found['bare'] / bare - 1:+.0%})"
    )
    if left_out:
        print(f"Left out: {left_out} of {len(found['rounds'])} runs, whose processors lay far apart.")
    by_port = {}
    for port, times in found["modelled"].items():
        own = [one.times for one in kept if one.port == port]
        if not own:
            print(f"\nport={port}: its processors lay far apart in every round: take more ROUNDS.")
            continue
        by_port[port] = rows_of(times, found["free"][port], own)
        print("\n".join(told(port, by_port[port], len(own))))
    print("\n".join(summary(by_port)))
    return by_port


def main() -> int:
    build, words = sys.argv[1], sys.argv[2:]
    only_checks = "--check" in words
    known = [one["name"] for one in designs.classes(build) if one["factor"] == "port"]
    asked = parse([word for word in words if word != "--check"], known)
    machine = machine_file.read(asked.machine)
    free_lines(text_of(asked), machine)
    if asked.out:
        places.check_writable_folder(asked.out, "OUT")
    if only_checks:
        return Status.SUCCESS
    host = verdict.Host()
    found = measure(build, asked, machine)
    by_port = report(found, machine)
    others = host.taken_by_others()
    if others is not None:
        state = "busy" if others > verdict.BUSY else "quiet"
        print(f"The host was {state}: others took {others:.0%} of its processors.")
    if asked.out:
        rows = {port: [vars(row) | {"error": row.error} for row in rows] for port, rows in by_port.items()}
        text = json.dumps({"machine": machine.name, "taken_by_others": others, "ports": rows}, indent=1)
        places.write_atomically(asked.out, (text + "\n").encode())
    return Status.SUCCESS


def run() -> int:
    try:
        return main()
    except BadRequest as problem:
        print(f"validate-machine: {problem}", file=sys.stderr)
        return Status.BAD_REQUEST
    except (Failed, subprocess.TimeoutExpired) as problem:
        print(f"validate-machine: {problem}", file=sys.stderr)
        return Status.FAILED
    except KeyboardInterrupt:
        return Status.INTERRUPTED


if __name__ == "__main__":
    sys.exit(ending.of(run))
