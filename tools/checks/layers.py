# SPDX-License-Identifier: MIT
"""Dependencies point one way, nothing includes itself in a circle, and variants are files, not conditionals.

The house has floors (FLOORS), and no arrow between them runs up or sideways; within that, ALLOWED says what a
folder may include. `layers.py` alone prints the house as it is, as docs/design.md has it.
"""

import os
import re

import sources

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif|else)\b.*", re.M)

# From the ground. What tests see beside what they test does not count.
FLOORS = (
    ("interface/",),
    ("base/",),
    ("arch/",),
    ("sched/",),
    ("messaging/",),
    ("jobs/",),
    ("kernel/", "userlib/"),
    ("measuring/", "native/"),
    ("apps/", "testing/", "tools/"),
    ("studies/",),
)
PURE = ("interface/", "base/")
# Headers of which every port has its own; the include path decides.
SHADOWS = ("platform.hpp", "pause.hpp", "cpu.hpp", "assertion.hpp", "processor_number.hpp")
CONTRACT = (*PURE, "arch/*", *SHADOWS)
# The longest prefix that fits a file says what it may include; "arch/*" are the files right in arch/.
ALLOWED = {
    "interface/": ("interface/",),
    "base/": (*PURE, "assertion.hpp", "pause.hpp"),
    "arch/": CONTRACT,
    "arch/x86_64/": (*CONTRACT, "arch/x86_64/"),
    "arch/hosted/": (*CONTRACT, "arch/hosted/"),
    # The nucleus runs on the port; the scheduler, the message system, the pure types and the programs'
    # side of the kernel, which also run on the host, see the contract only.
    "sched/": (*CONTRACT, "sched/"),
    # How a party waits: whoever blocks may use it, so it knows neither processes nor messages.
    "sched/synchronization/": (*CONTRACT, "sched/synchronization/", "sched/policy_arguments.hpp"),
    "messaging/": (*CONTRACT, "sched/", "messaging/"),
    # What a job's programs are, for the kernel and for nxrun: it has no processes.
    "jobs/": (*CONTRACT, "messaging/", "jobs/"),
    "kernel/": (*CONTRACT, "sched/", "messaging/", "jobs/", "kernel/", "arch/x86_64/"),
    # Programs that the tests run, of which some see how libnx makes its calls.
    "kernel/tests/programs/": ("interface/", "userlib/", "kernel/tests/programs/"),
    "kernel/program/": (*CONTRACT, "kernel/program/", "kernel/user_copy.hpp"),
    # What a measuring kernel has beside the nucleus, which knows nothing of it.
    "measuring/": (*CONTRACT, "sched/", "jobs/", "kernel/", "arch/x86_64/", "measuring/"),
    "userlib/": ("interface/", "userlib/"),
    "userlib/library/": (*PURE, "sched/synchronization/", "messaging/", "userlib/library/", *SHADOWS),
    # How loops are run: in a program, over threads as the C library makes them.
    "userlib/loops/": (*PURE, "messaging/design/", "userlib/loops/", *SHADOWS),
    # On Linux: what a rank and nxrun share, the ports of library and libnx, and nxrun, which stands for the
    # kernel.
    "native/interface/": ("interface/", "native/interface/"),
    "native/library/": (
        *(*PURE, "sched/semaphore/", "userlib/library/", "native/interface/", "native/library/"),
        *SHADOWS,
    ),
    "native/libnx/": ("interface/", "userlib/", "native/interface/", "native/libnx/"),
    "native/nxrun/": (
        *(*PURE, *SHADOWS, "messaging/", "jobs/", "native/interface/", "native/network/"),
        *("native/nxrun/", "sched/semaphore/semaphore_waiter.hpp"),
    ),
    # What a booted library has of the native one.
    "native/booted/": (*PURE, "userlib/library/", "native/interface/", "native/library/", *SHADOWS),
    # Between machines: the protocol of their helpers, and the adapters to MPIs.
    "native/network/": (*PURE, "messaging/", "jobs/", "native/interface/", "native/network/"),
    "native/compare/": ("native/compare/",),
    # NX/2 over MPI shares nothing with the message system but how a measurement's median is found.
    "native/oracle/": ("native/oracle/", "userlib/nx/statistics.h"),
    "apps/": ("apps/",),
    # It measures what the classes decide that say how often a source is looked into.
    "apps/two_sources/": ("apps/", "messaging/polling/"),
    # Programs that make calls as no library does.
    "apps/faults/": ("apps/", "interface/"),
    # Programs that count what calls cost are programs as those of apps/ are.
    "tools/": (*CONTRACT, "messaging/", "apps/support/", "tools/"),
    # What a study has that is laid out like no folder of the project: models over the project's own parts.
    "studies/": (*CONTRACT, "sched/", "messaging/", "kernel/program/", "testing/", "apps/"),
    "testing/": (
        *(*CONTRACT, "sched/semaphore/", "sched/synchronization/", "messaging/"),
        *("testing/", "arch/hosted/"),
    ),
    "testing/explored/": (
        *CONTRACT,
        "sched/",
        "messaging/",
        "testing/",
    ),
}
# Tests, and the behaviours that they share, may also see the tools for testing and the hosted port.
FOR_TESTS = (
    *("interface/", "testing/", "arch/hosted/", "sched/synchronization/", "messaging/"),
    *("jobs/", "kernel/"),
)
GENERATED = (
    *("messaging/leaves.hpp", "kernel/job/leaves.hpp", "sched/leaves.hpp", "leaf_names.hpp"),
    *("userlib/loops/leaves.hpp", "native/nxrun/linux_call_names.hpp"),
)
# A folder of leaves is laid out like the project, and so is a study: their files keep to the rules of the
# places that they would have there; tests are like others. What belongs to a study only that study includes.
LEAVES_OF_TESTS = "testing/own_leaves/"
STUDY = re.compile(r"studies/[^/]+/")
MAY_BRANCH = ("arch/x86_64/", "arch/hosted/", "base/thread_safety.hpp", "testing/catch")


def in_the_tree(name: str) -> str:
    place = name.removeprefix(LEAVES_OF_TESTS)
    return place if "/" in place else name


def owner(name: str) -> str:
    study = STUDY.match(name)
    place = name[study.end() :] if study else in_the_tree(name)
    found = max((prefix for prefix in ALLOWED if place.startswith(prefix)), key=len, default="")
    return found or ("studies/" if study else "")


def allowed(name: str, included: str) -> bool:
    if study := STUDY.match(included):
        return name.startswith(study[0])
    rules = ALLOWED.get(owner(name), ())
    if "_test." in name or "_explored." in name or "/behaviours/" in name:
        rules = (*rules, *FOR_TESTS)
    included = in_the_tree(included)
    for rule in rules:
        if rule == "arch/*":
            if os.path.dirname(included) == "arch":
                return True
        elif included == rule or (rule.endswith("/") and included.startswith(rule)):
            return True
    return False


def resolve(name: str, included: str, known: set[str]) -> list[str]:
    """The files that an include may mean: from the root, beside the file, or a shadow header of any port."""
    if included in known:
        return [included]
    beside = os.path.normpath(os.path.join(os.path.dirname(name), included))
    if beside in known:
        return [beside]
    return [other for other in known if os.path.basename(other) == included and "/" not in included]


def edges(report: sources.Report) -> dict[str, list[str]]:
    names = sources.files(*sources.CODE)
    known = set(names)
    graph: dict[str, list[str]] = {}
    for name in names:
        graph[name] = []
        for included in INCLUDE.findall(sources.text(name)):
            if included in GENERATED or included.startswith("generated/"):
                continue
            targets = resolve(name, included, known)
            if not targets:
                report.wrong(name, f'includes "{included}", which does not exist')
            shadow = len(targets) > 1 or included in SHADOWS
            meant = included if shadow or not targets else targets[0]
            if targets and not allowed(name, meant):
                report.wrong(name, f'may not include "{meant}"')
            graph[name] += [] if shadow else targets
    return graph


def is_test(name: str) -> bool:
    return "_test." in name or "_explored." in name or "/tests/" in name or "/testing/" in name


def floor(name: str) -> int | None:
    """Of generated headers and those of ports, which the include path finds: none."""
    return next((at for at, folders in enumerate(FLOORS) if name.startswith(folders)), None)


def top(name: str) -> str:
    return name.partition("/")[0]


def arrows(graph: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Includes from one top folder into another, without those of tests."""
    return [
        (name, target)
        for name, targets in graph.items()
        if not is_test(name)
        for target in targets
        if top(name) != top(target)
    ]


def upward(graph: dict[str, list[str]], report: sources.Report) -> None:
    homeless = {top(name) for name in graph if floor(name) is None}
    for folder in sorted(homeless):
        report.wrong(f"{folder}/", "is on no floor; say in FLOORS which")
    found = [pair for pair in arrows(graph) if homeless.isdisjoint(map(top, pair))]
    up = [pair for pair in found if floor(pair[0]) <= floor(pair[1])]
    for name, target in up:
        report.wrong(name, f'includes "{target}", which does not lie below it: {top(target)}/ is on floor '
                     f"{floor(target)}, {top(name)}/ on {floor(name)}")  # fmt: skip
    report.note(f"{len(found)} arrows between folders, {len(up)} of them up")


def house(graph: dict[str, list[str]]) -> str:
    """A line for each folder, from the top floor to the ground."""
    lines = ["| floor | folder | includes |", "| --- | --- | --- |"]
    below = {(top(name), top(target)) for name, target in arrows(graph)}
    for at, folders in reversed(list(enumerate(FLOORS))):
        for folder in folders:
            seen = sorted(f"{target}/" for name, target in below if f"{name}/" == folder)
            lines.append(f"| {at} | {folder} | {', '.join(seen)} |")
    return "\n".join(lines) + "\n"


def cycles(graph: dict[str, list[str]], report: sources.Report) -> None:
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            report.wrong(name, "includes itself: " + " -> ".join(path[path.index(name) :] + [name]))
            return
        if name in done:
            return
        done.add(name)
        for target in graph.get(name, []):
            visit(target, path + [name])

    for name in graph:
        visit(name, [])


def conditionals(report: sources.Report) -> None:
    for name in sources.files(*sources.CPP):
        if name.startswith(MAY_BRANCH):
            continue
        found = [match.group(0).strip() for match in CONDITIONAL.finditer(sources.text(name))]
        guard = 1 if name.endswith(".h") and found and found[0].startswith("#ifndef") else 0
        for before, line in zip(["", *found[guard:]], found[guard:]):
            language = line == "#ifdef __cplusplus" or (line == "#else" and before == "#ifdef __cplusplus")
            if not (language and name.endswith(".h")):
                report.wrong(name, f"has a conditional in generic code: {line}")


def check() -> bool:
    report = sources.Report("layers")
    graph = edges(report)
    upward(graph, report)
    cycles(graph, report)
    conditionals(report)
    report.note(f"{len(graph)} files, {sum(map(len, graph.values()))} includes")
    return report.finish()


if __name__ == "__main__":
    print(house(edges(sources.Report("layers"))), end="")
