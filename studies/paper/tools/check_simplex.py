#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares apps/simplex with glpsol, an independent solver, over the problems beside this file and generated
ones. Every problem is a job of one boot a distribution; verdicts must agree, and optima to 1e-6.

check_simplex.py [--design ROW] [--nodes N] [--seeds N]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import generate_lp

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "tools"))

from paper import batch  # noqa: E402
from parley_study import closing  # noqa: E402

PROBLEMS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "problems")
VERDICTS = ("optimal", "infeasible", "unbounded", "gave up")
CLOSE = 1e-6
BATCH = 16  # jobs of one boot


def collect(folder: str, seeds: int) -> list[str]:
    names = sorted(name for name in os.listdir(PROBLEMS) if name.endswith(".mps"))
    for name in names:
        shutil.copy(os.path.join(PROBLEMS, name), folder)
    for kind in generate_lp.KINDS:
        for seed in range(seeds):
            size = (4, 9, 16, 25)[seed % 4]
            names.append(f"{kind}-{size}-{seed}.mps")
            with open(os.path.join(folder, names[-1]), "w", encoding="utf-8") as file:
                file.write(generate_lp.make(kind, size, seed))
    return names


def without_sense(text: str) -> tuple[str, bool]:
    """glpsol takes the sense of the objective as an option only."""
    sense = re.search(r"^OBJSENSE\s+(\S+)\s*\n", text, re.M)
    if not sense:
        return text, False
    return text.replace(sense.group(0), ""), sense.group(1).upper().startswith("MAX")


def with_other_constant(text: str) -> str:
    """The right side of the objective is minus its constant; glpsol takes it as the constant itself."""
    objective = re.search(r"^ N +(\S+)", text, re.M).group(1)
    head, mark, tail = text.partition("\nRHS\n")
    pattern = rf"(\s{re.escape(objective)}\s+)(-?[\d.]+)"
    return head + mark + re.sub(pattern, lambda match: f"{match[1]}{-float(match[2]):g}", tail, count=1)


def glpsol(path: str) -> tuple[str, float]:
    """Verdict and optimum, the integers taken as continuous; fixed format is tried when free is refused."""
    with open(path, encoding="utf-8") as file:
        text, maximises = without_sense(file.read())
    with tempfile.TemporaryDirectory() as folder:
        problem, solution = os.path.join(folder, "problem"), os.path.join(folder, "solution")
        with open(problem, "w", encoding="utf-8") as file:
            file.write(with_other_constant(text))
        for form in ("--freemps", "--mps"):
            options = ["--nomip", "--nopresol", "--max" if maximises else "--min", "-w", solution]
            subprocess.run(["glpsol", form, problem, *options], capture_output=True, check=False)
            if os.path.exists(solution):
                break
        with open(solution, encoding="utf-8") as file:
            words = next(line for line in file if line.startswith("s bas")).split()
    # rows, columns, primal status, dual status, objective
    if words[4:6] == ["f", "f"]:
        return "optimal", float(words[6])
    return ("unbounded", 0.0) if words[4] == "f" else ("infeasible", 0.0)


def compare(name: str, theirs: tuple[str, float], rows: dict) -> str:
    verdict = VERDICTS[int(rows["verdict", 0])]
    if verdict != theirs[0]:
        return f"{name}: we say {verdict}, glpsol says {theirs[0]}"
    if verdict != "optimal":
        return ""
    ours = rows["objective", 0]
    if abs(ours - theirs[1]) <= CLOSE * max(1.0, abs(theirs[1])):
        return ""
    return f"{name}: {ours!r}, glpsol has {theirs[1]!r}"


def check(names: list[str], folder: str, arguments: argparse.Namespace) -> list[str]:
    expected = {name: glpsol(os.path.join(folder, name)) for name in names}
    kinds = [sum(verdict == kind for verdict, _ in expected.values()) for kind in VERDICTS[:3]]
    print(f"{len(names)} problems: {kinds[0]} optimal, {kinds[1]} infeasible, {kinds[2]} unbounded")
    wrong = []
    for by in ("columns", "rows"):
        for start in range(0, len(names), BATCH):
            part = names[start : start + BATCH]
            jobs = [{"name": name, "args": f"--by {by} --samples 1 {name}"} for name in part]
            common = {"app": "simplex", "design": arguments.design, "nodes": arguments.nodes, "files": folder}
            for name, rows in zip(part, batch.run(jobs, **common)):
                problem = compare(name, expected[name], rows)
                wrong += [f"by {by}: {problem}"] if problem else []
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--design", default="exp6")
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=8, help="generated problems of each kind")
    arguments = parser.parse_args()
    if not shutil.which("glpsol"):
        print("Skipped: glpsol is not installed (Debian: apt-get install glpk-utils).")
        return 0
    with tempfile.TemporaryDirectory(prefix="parley-lp-") as folder:
        wrong = check(collect(folder, arguments.seeds), folder, arguments)
    print("\n".join(wrong) if wrong else f"All agree with glpsol to {CLOSE:g}.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(closing.of(main))
