# SPDX-License-Identifier: MIT
"""The time-line as a picture (SVG): a line a processor, the process that has it as a bar in that process's
colour, light where it waits, nothing where nobody has it; a program's own events, P and V stand over it. Of a
modelled machine cache misses and waiting for the bus stand under it (memory_bands.py). Of a whole run long
stretches without any event are left out and marked (gaps.py)."""

from html import escape

from . import reading
from .gaps import NO_GAPS, gaps_between
from .memory_bands import COLUMN, HATCH, Bands
from .memory_bands import STYLE as STYLE_OF_BANDS
from .naming import Names, shown
from .picture import HEAD, LEFT, RIGHT, SCALE, STEP, STYLE, WIDE, Strip, colour, told_of
from .telling import origin_of, part_of, state_after, symbols

BAR, FOOT, MOST = 18, 56, 20_000
MARKED = ("event", "P", "V")


class TimeLine:
    def __init__(self, trace: reading.Trace, names: Names, title: str, window: tuple[float, float] | None):
        """window: microseconds from the first message on; None: all"""
        self.trace, self.names, self.title = trace, names, title
        self.origin = origin_of(trace)
        chosen = part_of(trace, window)
        self.start = min((record.ns for record in chosen), default=0.0)
        self.end = max((record.ns for record in chosen), default=0.0) + 1
        self.gaps = gaps_between([(r.ns, r.ns) for r in chosen]) if window is None else NO_GAPS
        self.colours = {who: colour(line) for line, who in enumerate(trace.processes())}
        self.bars, self.marks = self.lay_out(reading.placed(trace.records))
        start, end = self.gaps.squeezed(self.start), self.gaps.squeezed(self.end)
        self.strip = Strip(start, end, HEAD, WIDE, self.gaps)
        self.bands = Bands(trace, self.start, self.end, COLUMN * (end - start) / (WIDE - LEFT - RIGHT))
        known = {bar[0] for bar in self.bars} | {mark[0] for mark in self.marks}
        self.lines, self.bottom = {}, HEAD + SCALE  # where processors' bars have their middle
        for processor in sorted(known | set(self.bands.processors)):
            self.lines[processor] = self.bottom + STEP // 2
            self.bottom += STEP + self.bands.height * (processor in self.bands.processors)
        self.bottom = max(self.bottom, HEAD + SCALE + STEP)

    def lay_out(self, placed: list) -> tuple[list, list]:
        """(processor, from, to, process, waits) and (processor, when, what)"""
        bars, signs = [], []
        running: dict[int, tuple] = {}  # processor -> (since, process, state)
        for record, processor in zip(self.trace.records, placed):
            if processor is None:
                continue
            since, who, state = running.get(processor, (record.ns, None, " "))
            if record.event in MARKED and self.start <= record.ns <= self.end:
                signs.append((processor, record.ns, symbols(record, self.names)[0]))
            after = state_after(record, state)
            owner = (record.job, record.process) if record.event == "switch" or who is None else who
            if (owner, after) != (who, state):
                if who is not None and state != " " and record.ns > self.start and since < self.end:
                    bars.append((processor, since, record.ns, who, state == ":"))
                running[processor] = (record.ns, owner, after)
        last = self.trace.records[-1].ns if self.trace.records else 0.0
        for processor, (since, who, state) in running.items():
            if state != " " and since < self.end and last > since:
                bars.append((processor, since, last, who, state == ":"))
        return bars, signs

    def notes(self) -> list[str]:
        """What the colours do not say, and what is not drawn."""
        said = ["light: it waits"]
        if self.marks:
            said.append("a stroke: an event of the program's own, or P or V")
        if self.gaps.spans:
            said.append(told_of(self.gaps, "without an event"))
        if self.trace.memory and not self.bands.kinds:
            said.append("the machine's memory has counted neither misses nor waiting")
        left_out = max(len(self.bars) - MOST, 0) + max(len(self.marks) - MOST, 0)
        if left_out:
            said.append(f"{left_out} bars and events are not drawn: ask for a shorter part")
        return said

    def text(self) -> str:
        strip, lines, bottom = self.strip, self.lines, self.bottom
        title, height = escape(shown(self.title)), bottom + FOOT + 18 * len(self.bands.kinds)
        words = f"<desc>{escape(self.bands.words())}</desc>" if self.bands.kinds else ""
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {height}" width="{WIDE}" '
                f'height="{height}" role="img">',
                f"<title>{title}</title>{words}",
                f"<style>{STYLE}{STYLE_OF_BANDS * bool(words)}</style>{HATCH * bool(words)}",
                f'<rect width="{WIDE}" height="{height}" fill="#fff"/>',
                f'<text class="head" x="12" y="24">{title}</text>',
                *strip.marks(self.origin, self.start, self.end, HEAD, bottom),
                *(f'<text x="12" y="{y + 4}">processor {number}</text>' for number, y in lines.items()),
                *(self.bar(strip, lines[bar[0]], *bar[1:]) for bar in self.bars[:MOST]),
                *(self.mark(strip, lines[mark[0]], *mark[1:]) for mark in self.marks[:MOST]),
                *(
                    part
                    for number in self.bands.processors
                    for part in self.bands.drawn(strip, number, lines[number] + BAR)
                ),
                *self.legend(bottom),
                "</svg>\n",
            ]
        )

    def bar(self, strip: Strip, y: float, start: float, end: float, who: tuple, waits: bool) -> str:
        left, right = strip.inside(start), strip.inside(end)
        name = escape(shown(self.names.process(*who)))
        what = f"{name}{' waits' * waits}, {(end - start) / 1000:.4g} us"
        light = ' opacity=".3"' * waits
        return (
            f'<rect class="bar" x="{left}" y="{y - BAR // 2}" width="{max(right - left, 0.2):.1f}" '
            f'height="{BAR}" fill="{self.colours.get(who, "#999")}"{light}>'
            f"<title>{what}</title></rect>"
        )

    def mark(self, strip: Strip, y: float, when: float, what: str) -> str:
        x = strip.x(when)
        return (
            f'<path class="mark" stroke="#222" d="M{x} {y - BAR // 2 - 6}L{x} {y + BAR // 2}">'
            f'<title>{escape(what)}</title></path><text class="small" x="{x}" y="{y - BAR // 2 - 8}">'
            f"{escape(what)}</text>"
        )

    def legend(self, bottom: float):
        x = float(LEFT)
        for who, ink in self.colours.items():
            name = shown(self.names.process(*who))
            if x > WIDE - RIGHT - 300:
                break
            yield f'<rect x="{x:g}" y="{bottom + 12}" width="18" height="12" fill="{ink}"/>'
            yield f'<text class="small" x="{x + 24:g}" y="{bottom + 22}">{escape(name)}</text>'
            x += 44 + 7 * len(name)
        notes = escape("; ".join(self.notes()))
        yield f'<text class="small" x="{LEFT}" y="{bottom + 40}">{notes}</text>'
        yield from self.bands.legend(LEFT, bottom + 60)
