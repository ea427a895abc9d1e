# SPDX-License-Identifier: MIT
"""A space-time picture (SVG): time runs from left to right, each process has a line, arrows are
messages from their send to their receive, and waits are shaded."""

import math
from xml.sax.saxutils import escape

from . import reading
from .naming import Names

WIDTH, LEFT, RIGHT, TOP, STEP, BAR = 1000, 110, 20, 66, 56, 12
MOST_MESSAGES, MOST_WAITS = 1500, 3000
COLOURS = ("#1f6fb4", "#c9542c", "#2f8f4e", "#8451a8", "#a67c00", "#167f86", "#b23a6b", "#5b5b5b")
SHADE = {"spinning": "#f2c879", "blocked": "#c9cfd8"}
STYLE = (
    "text{font:12px sans-serif;fill:#222}.small{font-size:10px;fill:#555}"
    ".head{font-size:15px;font-weight:bold}"
    ".life{stroke:#444;stroke-width:1.2}.arrow{fill:none;stroke-width:1.1;opacity:.85}.grid{stroke:#ddd}"
)


class Picture:
    def __init__(self, trace: reading.Trace, names: Names, title: str, window: tuple[float, float] | None):
        """window: microseconds from the first message on."""
        self.trace, self.names, self.title = trace, names, title
        self.lines = {who: i for i, who in enumerate(trace.processes())}
        first = min((r.ns for r in trace.records if r.event in reading.MESSAGE_EVENTS), default=0.0)
        last = max((r.ns for r in trace.records if r.event in reading.MESSAGE_EVENTS), default=1.0)
        self.origin = first
        self.start, self.end = first, max(last, first + 1)
        if window is not None:
            self.start, self.end = first + window[0] * 1000, first + window[1] * 1000

    def x(self, ns: float) -> float:
        part = (min(max(ns, self.start), self.end) - self.start) / (self.end - self.start)
        return round(LEFT + part * (WIDTH - LEFT - RIGHT), 1)

    def y(self, who: tuple) -> int:
        return TOP + STEP * self.lines[who] + STEP // 2

    def text(self) -> str:
        height = TOP + STEP * max(len(self.lines), 1) + 40
        waits, arrows = self.waits(), self.arrows()
        body = [*self.grid(height), *waits, *self.lives(), *arrows, *self.legend(height, len(arrows) // 2)]
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
                f'height="{height}" role="img">',
                f"<title>{escape(self.title)}</title>",
                f"<style>{STYLE}</style>",
                f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
                f'<text class="head" x="12" y="24">{escape(self.title)}</text>',
                *body,
                "</svg>\n",
            ]
        )

    def seen(self, begin: float, end: float) -> bool:
        return end >= self.start and begin <= self.end

    def grid(self, height: int):
        for ns in marks(self.start - self.origin, self.end - self.origin):
            x, label = self.x(ns + self.origin), in_words(ns, self.end - self.origin)
            yield f'<line class="grid" x1="{x}" y1="{TOP - 8}" x2="{x}" y2="{height - 36}"/>'
            yield f'<text class="small" text-anchor="middle" x="{x}" y="{TOP - 14}">{label}</text>'

    def lives(self):
        for who, line in self.lines.items():
            y = self.y(who)
            yield f'<line class="life" x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}"/>'
            yield f'<text x="12" y="{y + 4}" fill="{colour(line)}">{escape(self.names.process(*who))}</text>'

    def waits(self) -> list[str]:
        asleep = reading.blocked(self.trace.records)
        shown = [wait for wait in reading.waits(self.trace.records) if self.seen(wait[0].ns, wait[1])]
        result = []
        for begin, end in shown[:MOST_WAITS]:
            who = (begin.job, begin.process)
            if who not in self.lines or self.x(end) - self.x(begin.ns) < 0.3:
                continue
            how = "blocked" if begin in asleep else "spinning"
            result.append(
                f'<rect x="{self.x(begin.ns)}" y="{self.y(who) - BAR // 2}" '
                f'width="{round(self.x(end) - self.x(begin.ns), 1)}" height="{BAR}" fill="{SHADE[how]}"/>'
            )
        return result

    def arrows(self) -> list[str]:
        """Two elements a message: its line and its head."""
        shown = [
            message
            for message in self.trace.messages().values()
            if message.send and message.receive and self.seen(message.send.ns, message.receive.ns)
        ]
        result = []
        for message in shown[:MOST_MESSAGES]:
            result += self.arrow(message)
        return result

    def arrow(self, message: reading.Message) -> list[str]:
        send, receive = message.send, message.receive
        start, end = (send.job, send.process), (receive.job, receive.process)
        x1, y1, x2, y2 = self.x(send.ns), self.y(start), self.x(receive.ns), self.y(end)
        ink = colour(self.lines[start])
        note = f"type {send.type}, {send.length} bytes, {(receive.ns - send.ns) / 1000:.4g} us"
        if start == end:
            path = f"M{x1} {y1}Q{(x1 + x2) / 2:.1f} {y1 - 22} {x2} {y2}"
        else:
            path = f"M{x1} {y1}L{x2} {y2}"
        return [
            f'<path class="arrow" stroke="{ink}" d="{path}"><title>{note}</title></path>',
            f'<path fill="{ink}" d="{head(x1, y1, x2, y2)}"/>',
        ]

    def legend(self, height: int, messages: int):
        y = height - 14
        yield f'<rect x="{LEFT}" y="{y - 10}" width="18" height="{BAR}" fill="{SHADE["spinning"]}"/>'
        yield f'<text class="small" x="{LEFT + 24}" y="{y}">waits, spinning</text>'
        yield f'<rect x="{LEFT + 120}" y="{y - 10}" width="18" height="{BAR}" fill="{SHADE["blocked"]}"/>'
        yield f'<text class="small" x="{LEFT + 144}" y="{y}">waits, blocked</text>'
        words = f"{messages} messages"
        if self.trace.lost:
            words += f"; {self.trace.lost} records were lost for want of room"
        yield f'<text class="small" x="{LEFT + 250}" y="{y}">{words}</text>'


def marks(start: float, end: float) -> list[float]:
    """Round times between start and end, at most ten."""
    step = 10 ** math.floor(math.log10(end - start))
    step = next(
        part for part in (step / 10, step / 5, step / 2, step, 2 * step) if (end - start) / part <= 10
    )
    return [step * i for i in range(math.ceil(start / step), math.floor(end / step + 1e-9) + 1)]


def in_words(ns: float, longest: float) -> str:
    unit, name = next((u, n) for u, n in ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns")) if longest >= u)
    return f"{ns / unit:g} {name}"


def colour(line: int) -> str:
    return COLOURS[line % len(COLOURS)]


def head(x1: float, y1: float, x2: float, y2: float) -> str:
    """A small triangle whose tip is the end of the line."""
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 0.1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    bx, by = x2 - 7 * dx, y2 - 7 * dy
    return f"M{x2} {y2}L{bx - 3 * dy:.1f} {by + 3 * dx:.1f}L{bx + 3 * dy:.1f} {by - 3 * dx:.1f}Z"
