#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Plant faults in a copy of the tree, one at a time, and say which of the explorer's tests finds each:
plant_faults.py [NAME ...]

A fault is a piece of source and what stands in its place. Source that is not there exactly once is an error:
then the code has changed, and the fault is to be written again. First the tests must pass without a fault.
Status 1: a fault was not found; 2: a fault cannot be planted or tried."""

import os
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

HARNESS = ("tools/testing/explorer.cpp", "tools/testing/catch_main.cpp")
# What explores which part: the sources of one small program each.
DISPATCHER = (
    "tools/testing/explored/dispatcher_explored.cpp",
    "sched/dispatcher.cpp",
    "sched/server.cpp",
    "sched/wait_table.cpp",
)
ENDPOINT = (
    "tools/testing/explored/endpoint_explored.cpp",
    "messaging/memory/buddy_heap.cpp",
    "kernel/base/result.cpp",
)
SEMAPHORES = ("tools/testing/explored/semaphores_explored.cpp", "kernel/base/result.cpp")
# The lists of leaves are made by a build.
GENERATED = os.path.join(ROOT, "build", "generated")
FLAGS = ("-std=c++23", "-O1", "-Itools/testing/explored", "-I.", f"-I{GENERATED}", "-Ikernel/base/checked")


class Fault(NamedTuple):
    file: str
    source: str
    planted: str
    program: tuple[str, ...]


FAULTS = {
    "interrupt-without-second-look": Fault(
        "sched/wait_table.cpp",
        """        if (process.waiting_in.load(std::memory_order_relaxed) != bucket)
            return;
""",
        "",
        DISPATCHER,
    ),
    "sleep-loses-kill": Fault(
        "sched/wait_table.cpp",
        "    if (self.pending_work.killed()) {",
        "    if (false) {",
        DISPATCHER,
    ),
    # Who announces looks for sleepers before the sequence moves: the short way of a send, and the full one.
    "announce-looks-too-early": Fault(
        "messaging/waiter.hpp",
        """        event.sequence.fetch_add(1, std::memory_order_seq_cst);
        return (event.sleeping() | status_.all()) != 0;
""",
        """        const bool somebody = (event.sleeping() | status_.all()) != 0;
        event.sequence.fetch_add(1, std::memory_order_seq_cst);
        return somebody;
""",
        ENDPOINT,
    ),
    "signal-looks-too-early": Fault(
        "sched/synchronization/synchronization.hpp",
        """    event.sequence.fetch_add(1, std::memory_order_seq_cst);
    if (event.sleeping() != 0) [[unlikely]]
        synchronization.wake(event);
""",
        """    const bool somebody = event.sleeping() != 0;
    event.sequence.fetch_add(1, std::memory_order_seq_cst);
    if (somebody)
        synchronization.wake(event);
""",
        ENDPOINT,
    ),
    "status-without-compare-and-swap": Fault(
        "messaging/status_word.hpp",
        "        while (!word_.compare_exchange_weak(word, (word & ~bits) | value, "
        "std::memory_order_seq_cst)) { }\n",
        """        word_.store((word & ~bits) | value, std::memory_order_seq_cst);
""",
        ENDPOINT,
    ),
    "late-put-is-left": Fault(
        "messaging/router.hpp",
        """        if (at.state() != EndpointState::live)
            discard_all(caller, at);
""",
        "",
        ENDPOINT,
    ),
    "killed-waiter-keeps-its-v": Fault(
        "sched/semaphore/counter.hpp",
        """        if (was_meant)
            (void)v(leaf);
""",
        "        (void)was_meant;\n",
        SEMAPHORES,
    ),
    "process-goes-on-without-its-pages": Fault(
        "sched/semaphore/policy_module.hpp",
        "            if (again || (pages.wake_wanted && pages.pages_away))\n",
        "            if (again)\n",
        SEMAPHORES,
    ),
    "news-is-read-too-late": Fault(
        "sched/semaphore/policy_module.hpp",
        """            const std::uint32_t seen = news_[queue].load(std::memory_order_acquire);
            if (Waiter* const waiter = take(queue)) {
""",
        """            Waiter* const waiter = take(queue);
            const std::uint32_t seen = news_[queue].load(std::memory_order_acquire);
            if (waiter != nullptr) {
""",
        SEMAPHORES,
    ),
}


def fail(sentence: str) -> None:
    print(f"plant_faults: {sentence}", file=sys.stderr)
    sys.exit(2)


def build(tree: str, source: str) -> str:
    """The object of one source."""
    product = os.path.join(tree, source.replace("/", "-") + ".o")
    done = subprocess.run(["g++", *FLAGS, "-c", source, "-o", product], cwd=tree, check=False)
    if done.returncode != 0:
        fail(f"{source} does not compile; nothing can be said.")
    return product


def failed_tests(program: str) -> list[str]:
    """The names of the tests that failed; all of them passed: none."""
    try:
        done = subprocess.run(
            [program], capture_output=True, text=True, errors="replace", timeout=600, check=False
        )
    except subprocess.TimeoutExpired:
        return ["(no test: the program did not end within 600 s)"]
    if done.returncode == 0:
        return []
    lines = done.stdout.splitlines()
    # The name of a failed test stands between two rules of dashes, on as many lines as it needs.
    rules = [at for at, line in enumerate(lines) if len(line) > 10 and set(line) == {"-"}]
    found = [" ".join(lines[first + 1 : last]) for first, last in zip(rules[::2], rules[1::2])]
    names = list(dict.fromkeys(found))
    return names or [f"(no test: the program ended with status {done.returncode})"]


def copy_tree(tree: str) -> None:
    for folder in ("arch", "kernel", "messaging", "sched", "tools"):
        shutil.copytree(os.path.join(ROOT, folder), os.path.join(tree, folder))


def plant(tree: str, fault: Fault) -> None:
    path = os.path.join(tree, fault.file)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(fault.source) != 1:
        fail(f"{fault.file} does not have, exactly once:\n{fault.source}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(fault.source, fault.planted))


class Trial:
    """The programs of one round, over objects that no fault changes."""

    def __init__(self, tree: str) -> None:
        self.sound = tree
        self.objects: dict[str, str] = {}

    def sound_object(self, source: str) -> str:
        if source not in self.objects:
            self.objects[source] = build(self.sound, source)
        return self.objects[source]

    def run(self, tree: str, program: tuple[str, ...], changed: str) -> list[str]:
        # A header may be in every source of the program, another source only in itself.
        own = (changed,) if changed.endswith(".cpp") else program if changed else ()
        objects = [build(tree, source) if source in own else self.sound_object(source) for source in program]
        objects += [self.sound_object(source) for source in HARNESS]
        product = os.path.join(tree, "explored_test")
        if subprocess.run(["g++", *objects, "-o", product], check=False).returncode != 0:
            fail("the test does not link; nothing can be said.")
        return failed_tests(product)


def main() -> int:
    names = sys.argv[1:] or list(FAULTS)
    for name in names:
        if name not in FAULTS:
            fail(f"there is no fault '{name}'; there are: {', '.join(FAULTS)}")
    missed = 0
    with tempfile.TemporaryDirectory(prefix="parley-faults-") as sound:
        copy_tree(sound)
        for name in names:  # before anything is built
            with tempfile.TemporaryDirectory(prefix="parley-fault-") as tree:
                copy_tree(tree)
                plant(tree, FAULTS[name])
        trial = Trial(sound)
        for program in dict.fromkeys(FAULTS[name].program for name in names):
            if failed := trial.run(sound, program, ""):
                fail(f"{program[0]} fails without a fault: {'; '.join(failed)}")
        for name in names:
            fault = FAULTS[name]
            with tempfile.TemporaryDirectory(prefix="parley-fault-") as tree:
                copy_tree(tree)
                plant(tree, fault)
                failed = trial.run(tree, fault.program, fault.file)
            print(f"{name}: {'found by: ' + '; '.join(failed) if failed else 'NOT FOUND'}", flush=True)
            missed += 0 if failed else 1
    return 1 if missed else 0


sys.exit(main())
