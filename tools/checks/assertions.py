# SPDX-License-Identifier: MIT
"""Each assertion of base/, messaging/ and sched/ has a host test that trips it, or a reason why none can:
testing/assertions.toml lists them."""

import re
import tomllib

import sources

LIST = "testing/assertions.toml"
FOLDERS = ("base/", "messaging/", "sched/")
TESTS = re.compile(r"_(test|explored)\.cpp$")
CALL = re.compile(r"\bassert_that\(\s*\[&\]\s*\{\s*return\s+(.*?);\s*\}\s*\);", re.S)
ANY_CALL = re.compile(r"\bassert_that\(\s*\[")
CASE = re.compile(r'^(?:TEMPLATE_)?TEST_CASE\(\s*((?:"[^"]*"\s*)+)(.*?)^\}', re.S | re.M)


def conditions(text: str) -> list[str]:
    return [" ".join(found.split()) for found in CALL.findall(text)]


def trips(text: str) -> set[str]:
    """The names of the test cases in which something is fatal."""
    fatal = [name for name, body in CASE.findall(text) if "is_fatal" in body]
    return {"".join(re.findall(r'"([^"]*)"', name)) for name in fatal}


def faults(listed: list[dict], texts: dict[str, str]) -> list[tuple[str, str]]:
    """(place, what is wrong); `texts`: of the sources, and of the tests that the list names."""
    found = []
    for name, text in texts.items():
        if TESTS.search(name):
            continue
        stated = conditions(text)
        known = [entry["condition"] for entry in listed if entry["file"] == name]
        if len(ANY_CALL.findall(text)) != len(stated):
            found.append((name, "has an assertion that is not of the form `[&] { return CONDITION; }`"))
        for condition in stated:
            if condition not in known:
                found.append((name, f"{LIST} does not say which test trips `{condition}`"))
            else:
                known.remove(condition)
        found += [(LIST, f"{name} does not assert `{condition}` as often") for condition in known]
    for entry in listed:
        if entry["file"] not in texts:
            found.append((LIST, f"{entry['file']} is no source under {', '.join(FOLDERS)}"))
        if "reason" in entry:
            continue
        if entry["case"] not in trips(texts.get(entry["test"], "")):
            sentence = f'{entry["test"]} has no test "{entry["case"]}" in which something is fatal'
            found.append((LIST, sentence))
    return found


def check() -> bool:
    listed = tomllib.loads(sources.text(LIST))["assertion"] if LIST in sources.files(".toml") else []
    names = [
        name
        for name in sources.files(*sources.CPP)
        if name.startswith(FOLDERS) and not TESTS.search(name) and not name.endswith("/assertion.hpp")
    ]
    tests = {entry["test"] for entry in listed if "test" in entry} & set(sources.files(".cpp"))
    report = sources.Report("assertions")
    for place, sentence in faults(listed, {name: sources.text(name) for name in [*names, *tests]}):
        report.wrong(place, sentence)
    report.note(f"{len(listed)} in {', '.join(FOLDERS)}")
    return report.finish()
