# SPDX-License-Identifier: MIT
"""A space-time picture (SVG): time runs from left to right, each process has a line, arrows are
messages from their send to their receive, and waits are shaded.

A run that is too long for one stretch of paper goes on in the next strip below, as music does, and one that
is too long for a picture is shown in part: the bar at the top is the whole run, with the part that is shown.
Long stretches without a message are left out and marked (gaps.py), unless a part is asked for. What is not
drawn is counted, in the picture and in notes(). Of a modelled machine cache misses and waiting for the bus
stand below the processes, a row a processor (memory_bands.py).
"""

import math
from dataclasses import dataclass
from html import escape

from parley_runner.counted import counted

from . import reading
from .gaps import NO_GAPS, Gaps, gaps_between
from .memory_bands import COLUMN, HATCH, Bands
from .memory_bands import STYLE as STYLE_OF_BANDS
from .naming import Names, shown

LEFT, RIGHT, STEP, BAR = 110, 20, 56, 12
NARROW, WIDE = 1000, 1600  # of a picture of one strip, and of several
HEAD, BAND, SCALE, FOOT = 34, 40, 26, 56  # title; whole run; times over a strip; legend
HEADING = 18  # of what memory has counted of a processor
A_STRIP = 80  # messages in a strip, about
USUAL_STRIPS = 12  # of a picture without WINDOW
MOST_MESSAGES = 20_000  # more than that no viewer draws: of a WINDOW the first so many
BINS = 200  # of the bar of the whole run
A_LABEL = 64  # as wide as a time over a strip
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8C6D00", "#167f86", "#8451a8", "#5b5b5b")
SHADE = {"spinning": "#f2c879", "blocked": "#c9cfd8"}
STYLE = (
    "text{font:12px sans-serif;fill:#222}.small{font-size:10px;fill:#555}"
    ".head{font-size:15px;font-weight:bold}"
    ".gap{fill:#eee;stroke:#aaa;stroke-dasharray:2 3}"
    ".life{stroke:#444;stroke-width:1.2}.arrow{fill:none;stroke-width:1.1;opacity:.85}.grid{stroke:#ddd}"
)


@dataclass
class Strip:
    """Part of the time, and where it lies on the paper."""

    start: float  # ns, without the gaps
    end: float
    top: float
    width: float
    gaps: Gaps = NO_GAPS

    def x(self, ns: float) -> float:
        """Also outside of the strip, where nothing is seen: a line that goes on there keeps its slope."""
        return self.place(self.gaps.squeezed(ns))

    def place(self, squeezed: float) -> float:
        part = (squeezed - self.start) / (self.end - self.start)
        return round(LEFT + min(max(part, -9.0), 9.0) * (self.width - LEFT - RIGHT), 1)

    def inside(self, ns: float) -> float:
        return self.place(min(max(self.gaps.squeezed(ns), self.start), self.end))

    def meets(self, begin: float, end: float) -> bool:
        return self.gaps.squeezed(end) >= self.start and self.gaps.squeezed(begin) < self.end

    def holds(self, ns: float) -> bool:
        return self.start <= self.gaps.squeezed(ns) <= self.end

    def marks(self, origin: float, start: float, end: float, top: float, bottom: float):
        """Lines at round times from `origin` on, with the times over them, and the gaps that are left out."""
        labelled, span = -math.inf, self.end - self.start
        for a, b in self.gaps.pieces(start, end):
            for ns in marks(a - origin, b - origin, span):
                x = self.x(ns + origin)
                if not self.holds(ns + origin) or x < labelled + A_LABEL:
                    continue
                labelled = x
                yield f'<line class="grid" x1="{x}" y1="{top + 18:g}" x2="{x}" y2="{bottom - 4:g}"/>'
                label = in_words(ns, max(abs(start - origin), abs(end - origin)))
                yield f'<text class="small" text-anchor="middle" x="{x}" y="{top + 12:g}">{label}</text>'
        for a, b in self.gaps.spans:
            if self.holds((a + b) / 2):
                left, right, length = self.inside(a), self.inside(b), in_words(b - a, b - a, 3)
                yield (
                    f'<rect class="gap" x="{left}" y="{top + 18:g}" width="{max(right - left, 1):.1f}" '
                    f'height="{bottom - top - 22:g}"><title>{length} left out</title></rect>'
                )
                if right - left >= 7 * len(length):
                    place = f'text-anchor="middle" x="{(left + right) / 2:.1f}" y="{top + 30:g}"'
                    yield f'<text class="small" {place}>{length}</text>'


class Picture:
    def __init__(self, trace: reading.Trace, names: Names, title: str, window: tuple[float, float] | None):
        """window: microseconds from the first message on; None: from there on as much as a picture holds"""
        self.trace, self.names, self.title = trace, names, title
        self.lines = {who: i for i, who in enumerate(trace.processes())}
        every = list(trace.messages().values())
        self.whole = sorted((m for m in every if m.send and m.receive), key=lambda m: m.send.ns)
        self.half = sum(not (m.send and m.receive) for m in every)
        times = [r.ns for r in trace.records if r.event in reading.MESSAGE_EVENTS]
        self.origin = min(times, default=0.0)
        self.last = max(times, default=0.0) + 1
        self.start, self.end = self.part(window)
        self.shown = [m for m in self.whole if m.receive.ns >= self.start and m.send.ns < self.end]
        flights = [(m.send.ns, max(m.send.ns, m.receive.ns)) for m in self.shown]
        self.gaps = gaps_between(flights) if window is None else NO_GAPS
        count, width = self.strips_and_width()
        drawn = self.gaps.squeezed(self.end) - self.gaps.squeezed(self.start)
        self.bands = Bands(trace, self.start, self.end, COLUMN * drawn / count / (width - LEFT - RIGHT))
        self.strips = self.cut()

    def part(self, window: tuple[float, float] | None) -> tuple[float, float]:
        """From when to when is shown."""
        start, end, most = self.origin, self.last, A_STRIP * USUAL_STRIPS
        if window is not None:
            start, end = (self.origin + time * 1000 for time in window)
            most = MOST_MESSAGES
        found = [m for m in self.whole if m.receive.ns >= start and m.send.ns < end]
        if len(found) > most:
            end = max(found[most - 1].receive.ns, start + 1)
        return start, end

    def strips_and_width(self) -> tuple[int, int]:
        count = max(1, math.ceil(len(self.shown) / A_STRIP))
        return count, NARROW if count == 1 else WIDE

    def cut(self) -> list[Strip]:
        count, width = self.strips_and_width()
        start = self.gaps.squeezed(self.start)
        length = (self.gaps.squeezed(self.end) - start) / count
        top = HEAD + (BAND if self.is_part else 0)
        height = SCALE + self.below + (18 if count > 1 else 0)
        return [
            Strip(start + i * length, start + (i + 1) * length, top + i * height, width, self.gaps)
            for i in range(count)
        ]

    @property
    def below(self) -> int:
        """Of a strip, under its times: processes' lines, and what memory has counted of processors."""
        return STEP * max(len(self.lines), 1) + self.row * len(self.bands.processors)

    @property
    def row(self) -> int:
        return HEADING + self.bands.height

    @property
    def is_part(self) -> bool:
        return self.start > self.origin or self.end < self.last

    @property
    def width(self) -> int:
        return NARROW if len(self.strips) == 1 else WIDE

    @property
    def height(self) -> float:
        return self.strips[-1].top + SCALE + self.below + FOOT + 18 * len(self.bands.kinds)

    def y(self, strip: Strip, who: tuple) -> float:
        return strip.top + SCALE + STEP * self.lines[who] + STEP // 2

    def notes(self) -> list[str]:
        """Sentences about what is drawn, and what is not."""
        said = [counted(len(self.shown), "message")]
        if self.is_part:
            span = self.last - self.origin
            first, end = (in_words(ns - self.origin, span) for ns in (self.start, self.end))
            said = [
                f"shows {first} to {end} of {in_words(span, span)}: {len(self.shown)} of "
                f"{counted(len(self.whole), 'message')}"
            ]
            following = math.floor(self.end - self.origin) / 1000
            if self.end < self.last:
                step = max(round(self.end - self.start) / 1000, 0.001)
                window = self.trace.word("window", f"{following:.10g}..{following + step:.10g}")
                said.append(f"{window} shows what follows")
        if self.gaps.spans:
            said.append(told_of(self.gaps, "without a message"))
        if self.half:
            said.append(
                counted(
                    self.half,
                    "message without its send or its receive is not drawn",
                    "messages without their send or their receive are not drawn",
                )
            )
        if self.trace.lost:
            said.append(self.trace.lost_records())
        return said

    def text(self) -> str:
        waits = [
            (begin, end)
            for begin, end in reading.waits(self.trace.records)
            if (begin.job, begin.process) in self.lines and end >= self.start and begin.ns < self.end
        ]
        asleep = reading.blocked(self.trace.records)
        body = [*self.overview()]
        for number, strip in enumerate(self.strips):
            body += self.strip(number, strip, waits, asleep)
        title, width, height = escape(shown(self.title)), self.width, f"{self.height:g}"
        words = f"<desc>{escape(self.bands.words())}</desc>" if self.bands.kinds else ""
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                f'height="{height}" role="img">',
                f"<title>{title}</title>{words}",
                f"<style>{STYLE}{STYLE_OF_BANDS * bool(words)}</style>{HATCH * bool(words)}",
                f'<rect width="{width}" height="{height}" fill="#fff"/>',
                f'<text class="head" x="12" y="24">{title}</text>',
                *body,
                *self.legend(),
                "</svg>\n",
            ]
        )

    def overview(self):
        """How many messages were sent when, over the whole run, and which part of it is shown."""
        if not self.is_part:
            return
        counts = [0] * BINS
        for message in self.whole:
            place = (message.send.ns - self.origin) / (self.last - self.origin)
            counts[min(int(place * BINS), BINS - 1)] += 1
        bar = Strip(self.origin, self.last, HEAD, self.width)
        left, right, bottom = bar.inside(self.start), bar.inside(self.end), HEAD + 24
        yield f'<text class="small" x="12" y="{HEAD + 16}">whole run</text>'
        yield f'<rect x="{left}" y="{HEAD}" width="{max(right - left, 2):.1f}" height="24" fill="#cfe3f2"/>'
        step, most = (self.width - LEFT - RIGHT) / BINS, max([*counts, 1])
        columns = (
            f"M{LEFT + i * step:.1f} {bottom}h{step:.1f}v{-max(22 * count / most, 1):.1f}h{-step:.1f}z"
            for i, count in enumerate(counts)
            if count
        )
        yield f'<path fill="#555" d="{"".join(columns)}"/>'
        yield f'<line class="grid" x1="{LEFT}" y1="{bottom}" x2="{self.width - RIGHT}" y2="{bottom}"/>'

    def strip(self, number: int, strip: Strip, waits: list, asleep: set) -> list[str]:
        bottom = strip.top + SCALE + self.below
        width = strip.width - LEFT - RIGHT
        clip = (
            f'<clipPath id="strip{number}"><rect x="{LEFT}" y="{strip.top:g}" width="{width:g}" '
            f'height="{bottom - strip.top:g}"/></clipPath>'
        )
        drawn = [element for wait in waits if strip.meets(wait[0].ns, wait[1])
                 for element in self.wait(strip, *wait, asleep)]  # fmt: skip
        drawn += self.lives(strip)
        for message in self.shown:
            if strip.meets(message.send.ns, message.receive.ns):
                drawn += self.arrow(strip, message)
        labels = (
            f'<text x="12" y="{self.y(strip, who) + 4:g}" fill="{colour(line)}">'
            f"{escape(shown(self.names.process(*who)))}</text>"
            for who, line in self.lines.items()
        )
        return [
            clip,
            *strip.marks(self.origin, self.start, self.end, strip.top, bottom),
            *labels,
            f'<g clip-path="url(#strip{number})">',
            *drawn,
            "</g>",
            *self.memory(strip, bottom),
        ]

    def memory(self, strip: Strip, bottom: float):
        top = bottom - self.row * len(self.bands.processors)
        for processor in self.bands.processors:
            yield f'<text class="small" x="12" y="{top + HEADING - 2:g}">processor {processor}</text>'
            yield from self.bands.drawn(strip, processor, top + HEADING)
            top += self.row

    def lives(self, strip: Strip):
        for who in self.lines:
            y = self.y(strip, who)
            yield f'<line class="life" x1="{LEFT}" y1="{y:g}" x2="{strip.width - RIGHT}" y2="{y:g}"/>'

    def wait(self, strip: Strip, begin: reading.Record, end: float, asleep: set):
        how = "blocked" if begin in asleep else "spinning"
        left, right = strip.inside(begin.ns), strip.inside(end)
        y = self.y(strip, (begin.job, begin.process)) - BAR // 2
        yield (
            f'<rect x="{left}" y="{y:g}" width="{max(right - left, 0.2):.1f}" height="{BAR}" '
            f'fill="{SHADE[how]}"/>'
        )

    def arrow(self, strip: Strip, message: reading.Message) -> list[str]:
        """Two elements: the line and its head; one that goes on in the next strip is drawn in both."""
        send, receive = message.send, message.receive
        start, end = (send.job, send.process), (receive.job, receive.process)
        if start not in self.lines or end not in self.lines:
            return []
        x1, y1, x2, y2 = strip.x(send.ns), self.y(strip, start), strip.x(receive.ns), self.y(strip, end)
        ink = colour(self.lines[start])
        note = f"type {send.type}, {send.length} bytes, {(receive.ns - send.ns) / 1000:.4g} us"
        if start == end:
            path = f"M{x1} {y1:g}Q{(x1 + x2) / 2:.1f} {y1 - 22:g} {x2} {y2:g}"
        else:
            path = f"M{x1} {y1:g}L{x2} {y2:g}"
        again = "" if strip.start <= send.ns or strip is self.strips[0] else " continued"
        return [
            f'<path class="arrow{again}" stroke="{ink}" d="{path}"><title>{note}</title></path>',
            f'<path fill="{ink}" d="{head(x1, y1, x2, y2)}"/>',
        ]

    def legend(self):
        y = self.height - 30 - 18 * len(self.bands.kinds)
        yield f'<rect x="{LEFT}" y="{y - 10:g}" width="18" height="{BAR}" fill="{SHADE["spinning"]}"/>'
        yield f'<text class="small" x="{LEFT + 24}" y="{y:g}">waits, spinning</text>'
        yield f'<rect x="{LEFT + 120}" y="{y - 10:g}" width="18" height="{BAR}" fill="{SHADE["blocked"]}"/>'
        yield f'<text class="small" x="{LEFT + 144}" y="{y:g}">waits, blocked</text>'
        x = LEFT + 240
        yield f'<path class="sample" stroke="{COLOURS[0]}" d="M{x} {y - 10:g}L{x + 18} {y + 1:g}"/>'
        yield f'<path fill="{COLOURS[0]}" d="{head(x, y - 10, x + 18, y + 1)}"/>'
        words = "message, from its send to its receive, in its sender's colour"
        yield f'<text class="small" x="{x + 24}" y="{y:g}">{words}</text>'
        yield f'<text class="small" x="{LEFT}" y="{y + 16:g}">{"; ".join(self.notes())}</text>'
        yield from self.bands.legend(LEFT, y + 34)


def told_of(left_out: Gaps, what: str) -> str:
    count = len(left_out.spans)
    one = counted(count, "stretch", "stretches")
    return f"{one} {what}, {in_words(left_out.ns, left_out.ns, 3)} in all, left out"


def marks(start: float, end: float, span: float) -> list[float]:
    """Round times between start and end; of a span at most ten."""
    step = 10 ** math.floor(math.log10(span))
    step = next(part for part in (step / 10, step / 5, step / 2, step, 2 * step) if span / part <= 10)
    return [step * i for i in range(math.ceil(start / step), math.floor(end / step + 1e-9) + 1)]


def in_words(ns: float, longest: float, digits: int = 6) -> str:
    unit, name = next((u, n) for u, n in ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns")) if longest >= u)
    return f"{ns / unit:.{digits}g} {name}"


def colour(line: int) -> str:
    return COLOURS[line % len(COLOURS)]


def head(x1: float, y1: float, x2: float, y2: float) -> str:
    """A small triangle whose tip is the end of the line."""
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 0.1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    bx, by = x2 - 7 * dx, y2 - 7 * dy
    return f"M{x2} {y2:g}L{bx - 3 * dy:.1f} {by + 3 * dx:.1f}L{bx + 3 * dy:.1f} {by - 3 * dx:.1f}Z"
