# SPDX-License-Identifier: MIT
"""Each assertion of base/, messaging/ and sched/ has a host test that trips it, or a reason why none can:
testing/assertions.toml lists them. A test compares the assertion that it has tripped with "file: condition"
(testing/fatal.hpp); here it is seen that the listed test wants the listed assertion."""

import re
import tomllib
from collections import Counter

import sources

LIST = "testing/assertions.toml"
FOLDERS = ("base/", "messaging/", "sched/")
TESTS = re.compile(r"_(test|explored)\.cpp$")
CALL = re.compile(r"\bassert_that\(\s*\[&\]\s*\{\s*return\s+(.*?);\s*\}\s*\);", re.S)
ANY_CALL = re.compile(r"\bassert_that\(\s*\[")
COMMENT_OR_LITERAL = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)
CASE = re.compile(r'^(?:TEMPLATE_)?TEST_CASE\(\s*((?:"[^"]*"\s*)+)(.*?)^\}', re.S | re.M)


def conditions(text: str) -> list[str]:
    return [" ".join(found.split()) for found in CALL.findall(text)]


def without_comments(text: str) -> str:
    return COMMENT_OR_LITERAL.sub(lambda found: "" if found[0][0] == "/" else found[0], text)


def compared(text: str) -> Counter[str]:
    """How often C++ compares something with each string literal, or with a name that it has given one;
    literals that stand beside each other are one."""
    joined = re.sub(r'"\s*\n\s*"', "", text)
    found = Counter(re.findall(r'==\s*"([^"]*)"', joined))
    for name, given in re.findall(r"(\w+)(?:\[\])?\s*[=({]([^;]*);", joined):
        for literal in re.findall(r'"([^"]*)"', given):
            found[literal] += len(re.findall(rf"==\s*{name}\b", joined))
    return found


def trips(text: str) -> dict[str, Counter[str]]:
    """By the names of the test cases that trip assertions: what they compare, and how often."""
    return {
        "".join(re.findall(r'"([^"]*)"', name)): compared(body)
        for name, body in CASE.findall(without_comments(text))
        if "tripped_by" in body
    }


def fault_of(entry: dict, entries: int, texts: dict[str, str]) -> str | None:
    """What is wrong with an entry's test or reason; so many entries want the same of the same test."""
    if "reason" in entry:
        has_words = re.search(r"\w", entry["reason"])
        return None if has_words else f"the reason why no test trips `{entry['condition']}` is empty"
    cases = trips(texts.get(entry["test"], ""))
    if entry["case"] not in cases:
        return f'{entry["test"]} has no test "{entry["case"]}" that trips an assertion'
    wanted = f"{entry['file']}: {entry['condition']}"
    if cases[entry["case"]][wanted] < entries:
        often = "" if entries == 1 else f" {entries} times, as often as it is listed"
        return f'"{entry["case"]}" in {entry["test"]} does not compare what it trips with "{wanted}"{often}'
    return None


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
        if fault := fault_of(entry, listed.count(entry), texts):
            found.append((LIST, fault))
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
