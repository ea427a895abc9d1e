# SPDX-License-Identifier: MIT
"""The programs over MPI (native/oracle): what they compute there is what they must compute everywhere."""

import json
import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILD = os.environ.get("PARLEY_BUILD") or os.path.join(ROOT, "build")
MPIS = ("openmpi", "mpich")
MISSING = (
    "no MPI is installed to compare with (Debian: apt-get install libmpich-dev mpich, or libopenmpi-dev "
    "openmpi-bin)"
)
LONGEST = 120  # seconds that a run may take, on any host
# What each program is asked for, and which of its rows are results; the others are times and shares.
RUNS = {
    "fft": ("--points", "128,1024", "--samples", "2"),
    "simplex": ("--samples", "1"),
    "ring": ("--sizes", "0,100,4096,65536", "--samples", "2", "--access", "read"),
    "talk": (),
}
RESULTS = frozenset("messages bytes digest pivots verdict value".split())


def installed() -> list[str]:
    return [mpi for mpi in MPIS if shutil.which(f"mpicc.{mpi}") and shutil.which(f"mpiexec.{mpi}")]


def line(mpi: str, nodes: int, program: str) -> list[str]:
    words = [f"mpiexec.{mpi}", "-n", str(nodes)]
    if mpi == "openmpi":
        words += ["--bind-to", "none", "--oversubscribe"]
        words += ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return [*words, os.path.join(BUILD, "oracle", mpi, program), *RUNS[program]]


def results(rows: list[dict]) -> dict:
    """What must be equal: every value that is no time; of a measurement that there is one, of which size."""
    exact = {(row["name"], row["bytes"]): row["median"] for row in rows if row["unit"] in RESULTS}
    measured = {("measured", row["name"], row["bytes"]) for row in rows if row["unit"] not in RESULTS}
    return {**exact, **dict.fromkeys(measured, True)}


def over_mpi(mpi: str, nodes: int, program: str, folder: str) -> tuple[dict, str]:
    """The program's results, and what it printed when it failed."""
    path = os.path.join(folder, f"{mpi}-{program}-{nodes}")
    done = subprocess.run(
        line(mpi, nodes, program),
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "ORACLE_ROWS": path},
        timeout=LONGEST,
        check=False,
    )
    if done.returncode != 0 or not os.path.exists(path):
        return {}, f"status {done.returncode}\n{done.stdout}{done.stderr}"
    with open(path, encoding="utf-8") as file:
        return results([json.loads(text) for text in file]), ""
