# SPDX-License-Identifier: MIT
"""One HTML page with its pictures inside, and the same pictures as files beside it: all of it or nothing."""

import base64
import os
import re
import tempfile
from dataclasses import dataclass, field

from parley_runner import places
from parley_runner.status import BadRequest

TEMPLATE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "page.html")
PAGE = "report.html"
# How a page says which files are its own.
OWN = re.compile(r'<a href="([a-z0-9-]+\.svg)">')


@dataclass
class Cell:
    text: str
    kind: str = ""  # a class of the page: faster, slower, unsteady ...


@dataclass
class Table:
    title: str
    head: list[str]
    lines: list[list[Cell]]
    open: bool = False
    text: bool = False  # its columns hold words


@dataclass
class Part:
    title: str
    charts: list = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)


@dataclass
class Chapter:
    title: str
    about: str
    anchor: str
    sentences: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)


@dataclass
class Page:
    title: str
    subtitle: str
    warnings: list[str] = field(default_factory=list)
    sections: list[Chapter] = field(default_factory=list)
    boots: list = field(default_factory=list)

    def charts(self) -> list:
        return [chart for section in self.sections for part in section.parts for chart in part.charts]


def distinct_names(page: Page) -> None:
    """Two pictures of one name get numbers."""
    seen: dict[str, int] = {}
    for chart in page.charts():
        seen[chart.name] = seen.get(chart.name, 0) + 1
        if seen[chart.name] > 1:
            chart.name = f"{chart.name.removesuffix('.svg')}-{seen[chart.name]}.svg"


def render(page: Page) -> str:
    from jinja2 import Environment

    distinct_names(page)
    for chart in page.charts():
        chart.data, chart.narrow_data = map(data_of, (chart.pictures.wide, chart.pictures.narrow))
    with open(TEMPLATE, encoding="utf-8") as file:
        template = Environment(autoescape=True, trim_blocks=True).from_string(file.read())
    return template.render(page=page).lstrip() + "\n"


def data_of(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(encoded(svg)).decode()


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "xmlcharrefreplace")


def check_folder(folder: str) -> None:
    """Before the work rather than after it."""
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise BadRequest(f"OUT={folder} is a file, not a folder.")
    parent = os.path.dirname(os.path.abspath(folder))
    if not os.path.isdir(parent):
        raise BadRequest(f"OUT={folder}: there is no folder {parent}.")
    places.check_room(folder if os.path.isdir(folder) else parent, f"OUT={folder}")


def write(page: Page, folder: str, name: str = PAGE) -> str:
    """The page's path. A folder that is there keeps what is not of an earlier page of this name; BadRequest
    when something cannot be written, and then everything is as it was."""
    text = render(page)
    files = {chart.name: encoded(chart.pictures.wide) for chart in page.charts()} | {name: encoded(text)}
    made = not os.path.isdir(folder)
    try:
        os.makedirs(folder, exist_ok=True)
        stale = own_files(os.path.join(folder, name)) - files.keys()
        with tempfile.TemporaryDirectory(prefix=".parley-", dir=folder) as scratch:
            for file_name, content in files.items():
                with open(os.path.join(scratch, file_name), "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
            for file_name in files:  # the page last: it never names a picture that is not there
                os.replace(os.path.join(scratch, file_name), os.path.join(folder, file_name))
    except OSError as problem:
        if made and os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)
        raise BadRequest(f"Cannot write {folder}: {problem.strerror}; nothing was written.") from problem
    for file_name in stale:
        os.unlink(os.path.join(folder, file_name))
    return os.path.join(folder, name)


def own_files(path: str) -> set[str]:
    """The pictures of an earlier page that are still there."""
    try:
        with open(path, encoding="utf-8") as file:
            named = set(OWN.findall(file.read()))
    except (OSError, UnicodeDecodeError):
        return set()
    return {name for name in named if os.path.isfile(os.path.join(os.path.dirname(path), name))}
