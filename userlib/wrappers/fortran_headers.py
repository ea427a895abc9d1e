# SPDX-License-Identifier: MIT
"""INCLUDE in old Fortran: files by the path or in the spelling of another machine, and NX's own header in a
program unit that declares some of its functions itself, which a compiler may not see twice."""

import os
import re

NX_HEADERS = ("fnx.h", "fcube.h", "fmesh.h")


def find_header(name: str, folder: str, headers: list[str]) -> str:
    """What INCLUDE should name: the name itself if it is there, else a file that differs in path or case."""
    for place in [folder, *headers]:
        if os.path.exists(os.path.join(place, name)):
            return name
    wanted = os.path.basename(name).lower()
    for place in [folder, *headers]:
        for file in sorted(os.listdir(place)) if os.path.isdir(place) else []:
            if file.lower() == wanted:
                return os.path.join(os.path.abspath(place), file)
    return name


def without(path: str, declared: set[str]) -> list[str]:
    """The declarations of NX's header except those of some names."""
    lines = []
    with open(path, encoding="latin-1") as file:
        for line in file:
            match = re.match(r"\s+(integer\*8|integer|real\*8|external)\s+(.*)", line)
            names = re.findall(r"\w+", match.group(2)) if match else []
            lines += [f"      {match.group(1)} {name}\n" for name in names if name not in declared]
    return lines


def include(line: str, folder: str, headers: list[str], declared: set[str]) -> list[str]:
    """What takes the place of an INCLUDE line."""
    match = re.match(r"(\s*include\s*['\"])([^'\"]+)(['\"].*)", line, re.I | re.S)
    if not match:
        return [line]
    name = find_header(match.group(2), folder, headers)
    if os.path.basename(name).lower() in NX_HEADERS:
        places = (os.path.join(place, os.path.basename(name).lower()) for place in headers)
        path = next((place for place in places if os.path.exists(place)), "")
        with open(path or os.devnull, encoding="latin-1") as file:
            repeated = declared & set(re.findall(r"\w+", file.read().lower()))
        if repeated:
            return without(path, declared)
    return [match.group(1) + name + match.group(3)]
