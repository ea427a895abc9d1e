# SPDX-License-Identifier: MIT
"""The gates of the study: gangs, collection, the applications, and the trees of collective operations. Each
is a ratio or a count within one run, instruction-counted or under a simulated clock."""

import os
import re
import subprocess
import tempfile

from benchmark import boots
from paper import batch
from parley_runner import places

DISPATCH = 1.5  # a collected gang of 4 to four single dispatches
DESIGNS = ("exp1", "exp2", "exp3", "exp4", "exp5", "exp6", "nx2", "exp2-user")
SIZES = (128, 256, 512, 1024, 2048)
POINT = 16
COLLECTIVE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "collective.c")
COLLECTIVES = ("gsync", "gdsum", "gdhigh", "gopf", "gcol", "gcolx")


def verdict(holds: bool, statement: str) -> bool:
    print(f"  {'holds' if holds else 'DOES NOT HOLD'}: {statement}", flush=True)
    return holds


def dispatch() -> bool:
    print("Dispatching a collected gang of 4, as a multiple of four single dispatches (instruction-counted)")
    fine = True
    for policy in ("shared", "private"):
        job = {"app": "gang", "nodes": 1, "name": "gang", "args": "--samples 3"}
        common = {"processors": 16, "clock": "counted", "gang": policy, "limit": 300}
        rows = batch.run([job], **common)[0]
        ratio = rows["ready to running, max", 4] / (4 * rows["single dispatch", 4])
        fine = verdict(ratio <= DISPATCH, f"{policy} queues: {ratio:.2f}, at most {DISPATCH}") and fine
    return fine


def collection() -> bool:
    print("Collection by the scheduler's own sources under a simulated clock")
    program = os.path.join(places.BUILD, "tests", "sched")
    done = subprocess.run([program, "collection takes*"], capture_output=True, text=True, check=False)
    table = re.search(r"collecting p of.*(\n +[p\d].*)+", done.stdout)
    print(re.sub(r"^", "  ", table[0], flags=re.M) if table else done.stdout + done.stderr)
    return verdict(done.returncode == 0, "2 to 8 members collect within 10 % of Collect(TS,N,p)")


def under_every_design(app: str, args: str, nodes: int) -> dict[str, dict]:
    jobs = [{"name": design, "design": design, "args": args} for design in DESIGNS]
    return dict(zip(DESIGNS, batch.run(jobs, app=app, nodes=nodes, clock="counted", limit=300)))


def same(what: str, measured: dict[str, dict], keys: list[tuple]) -> bool:
    differs = [key for key in keys if len({rows[key] for rows in measured.values()}) > 1]
    return verdict(
        not differs, f"{what} is the same in every design" + (f": not {differs}" if differs else "")
    )


def applications() -> bool:
    print("FFT and simplex on 4 nodes under every design (instruction-counted)")
    sizes = ",".join(map(str, SIZES))
    measured = under_every_design("fft", f"--points {sizes} --samples 3 --check no", 4)
    fine = same("the FFT's spectrum", measured, [("spectrum", size * POINT) for size in SIZES])
    print(
        "  percent of the FFT's time in the message system\n" + f"  {'points':>10}",
        *(f"{n:>6}" for n in SIZES),
    )
    for design, rows in measured.items():
        shares = [rows["share", size * POINT] for size in SIZES]
        print(f"  {design:>10}", *(f"{share:6.1f}" for share in shares))
        falls = all(after < before for before, after in zip(shares, shares[1:]))
        fine = (falls or verdict(False, f"under {design} the share falls with the points")) and fine
    verdict(fine, "the share falls with the points")
    answers = under_every_design("simplex", "--samples 1", 4)
    keys = [(name, 0) for name in ("objective", "pivots", "verdict")]
    return same("simplex's answer", answers, keys) and fine


def longest_chain(program: str, name: str, nodes: int, folder: str) -> int:
    words = [f"APP={program}", f"ARGS={name}", f"NODES={nodes}", "CLOCK=counted", "CONSOLE=hide"]
    command = [os.path.join(places.ROOT, "tools", "parley"), "run", *words, f"TRACE={folder}/trace.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"longest chain (\d+)", done.stdout)
    if done.returncode != 0 or not found:
        raise boots.Failed(f"{name} on {nodes} nodes: {(done.stdout + done.stderr)[-1000:]}")
    return int(found[1])


def collectives() -> bool:
    print("The longest chain of dependent messages of one collective operation")
    fine = True
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        program = boots.program(folder, COLLECTIVE)
        for nodes in (4, 8):
            most = (nodes - 1).bit_length() + 1
            chains = {name: longest_chain(program, name, nodes, folder) for name in COLLECTIVES}
            listed = ", ".join(f"{name} {chain}" for name, chain in chains.items())
            fine = verdict(max(chains.values()) <= most, f"{nodes} nodes: {listed}; at most {most}") and fine
    return fine


def gates() -> bool:
    try:
        return all([dispatch(), collection(), applications(), collectives()])
    except batch.Failed as failure:
        raise boots.Failed(str(failure)) from failure
