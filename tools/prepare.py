#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Everything that a run needs before it: refuses what makes no sense, then installs, builds, and says so.

prepare.py run|loops|debug|iso BUILD [KEY=VALUE]... What is wrong with the words is said before anything is
built; a design is judged by the tool that knows designs, and a modelled machine by its model, which are built
first.
"""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
TOOLS = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(TOOLS)
sys.path[1:1] = [os.path.join(ROOT, "testing")]

from parley_runner import cli, executable, guest, keys, loops_command, model  # noqa: E402
from parley_runner import places, request, run  # noqa: E402
from parley_runner.counted import counted  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402
from suites import building  # noqa: E402
from suites.progress import Progress  # noqa: E402

# What a file of the build says about why it is made.
KINDS = {
    "/traced/": "a kernel that writes down what it sees, for TRACE and PROFILE",
    "/accounted/": "a kernel that tells processors' time apart, for Q=1",
    "/checked/": "a kernel that looks at what must hold, for CHECKED=1",
    "/static/": "a kernel of static calls, for DISPATCH=static",
}


def programs(asked: request.Request, build: str) -> list[str]:
    """Those of apps/ that the jobs name: make's targets."""
    known = executable.sources(ROOT)
    names = dict.fromkeys(job.app for job in asked.jobs)
    return [f"{build}/apps/{name}/{name}" for name in names if name in known and not os.path.isfile(name)]


def variables(asked: request.Request) -> list[str]:
    """What a configuration file says, and make must know, too."""
    words = [f"DISPATCH={asked.values['dispatch']}", f"CHECKED={asked.values['checked']}"]
    words += [f"Q={asked.values['q']}"]
    return words + ["PROFILE=1"] * guest.traced(asked) + ["CLOCK=modelled"] * model.wanted(asked)


def needs(asked: request.Request, build: str) -> list[str]:
    """make's targets for these boots, but for the tool that knows designs, and what it must be told."""
    return ["run-system", *programs(asked, build), *variables(asked)]


def reason(outputs: list[str]) -> str:
    """Why so much is built: the kernels beside the usual one."""
    found = [what for part, what in KINDS.items() if any(part in f"/{output}" for output in outputs)]
    return f", among them {' and '.join(found)}" if found else ""


def build(targets: list[str], progress: Progress) -> int:
    """How many files were made; a BadRequest when one could not be."""
    outputs = building.outputs(targets)
    if outputs:
        progress.say(f"Building {counted(len(outputs), 'file')}{reason(outputs)}.")
    failed, said = building.make(targets, len(outputs), progress, ["--quiet"] if not outputs else [])
    if said.strip():
        print(said.rstrip(), file=sys.stderr)
    if failed:
        raise BadRequest("It could not be built, see above.")
    return len(outputs)


def judges(asked: request.Request, folder: str) -> list[str]:
    """The tools without which the words are not judged whole."""
    return [f"{folder}/designs", *[f"{folder}/machine_model/judge"] * model.wanted(asked)]


def is_judged(asked: request.Request) -> bool:
    return os.path.exists(os.path.join(places.BUILD, "designs")) and (
        model.is_judged() or not model.wanted(asked)
    )


def check(words: list[str], folder: str, progress: Progress) -> request.Request:
    """A tool older than its sources may refuse what these know, or the question: it is not believed."""
    try:
        return run.check(words)
    except BadRequest:
        asked = request.make(words)
        if not is_judged(asked) or building.is_done(judges(asked, folder)):
            raise
    build(judges(asked, folder), progress)
    return run.check(words)


def prepare(command: str, folder: str, words: list[str]) -> int:
    progress = Progress(sys.stderr)
    if command == "loops":
        command, words = "run", loops_command.words_of_run(words, f"{folder}/loops.trace")
    asked = check(words, folder, progress)
    tools = judges(asked, folder)
    installed = subprocess.run([os.path.join(TOOLS, "install.sh"), command], check=False).returncode
    if installed != 0:
        return installed
    # Mostly everything is there.
    if is_judged(asked) and building.is_done([*tools, *needs(asked, folder)]):
        return 0
    made = build(tools, progress)
    asked = run.check(words)
    made += build(needs(asked, folder), progress)
    if made:
        progress.say("Booting." if command == "run" else "Built.")
    return 0


if __name__ == "__main__":
    sys.exit(cli.guarded(lambda: prepare(sys.argv[1], sys.argv[2], keys.words_of(sys.argv[3:]))))
