# SPDX-License-Identifier: MIT
"""Whatever stands in a file that the runner reads, it answers with what the file says or with one sentence. A
thousand variants of each, always the same ones."""

import io
import json
import os
import random
import sys
import tempfile
import unittest

from runner_case import TOOLS, elf

sys.path.insert(0, TOOLS)
from parley_runner import (  # noqa: E402
    archive,
    config_file,
    executable,
    frames,
    linux_calls,
    outcome,
    record,
    request,
    table,
)
from parley_runner.out_folder import OutFolder  # noqa: E402
from parley_runner.screen import Screen, shown  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402
from parley_runner.watch import Seen  # noqa: E402
from parley_trace import output, reading, times  # noqa: E402
from parley_trace.naming import Names  # noqa: E402

VARIANTS = 1000
NASTY = (b"\xff", b"\0", b"\n", b"=", b"[[", b"]]", b'"', b"{", b"-", b"9" * 5000, b"\x1b]0;x\x07", b"../")
NUMBERS = (0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, (1 << 63) - 1, (1 << 64) - 1)
TOML = b"""# a run
processors = 4
clock = "free"
files = "work"
[[job]]
name = "one"
design = ["exp1", "exp6"]
args = "--sizes 0,8 \\"a b\\""
[[job]]
app = "./program"
nodes = 3
budget = 65536
"""


def plan() -> list[tuple[int, bytes]]:
    row = frames.ROW_HEAD.pack(0, 0) + frames.ROW_BODY.pack(
        b"round trip", b"ns", b"none", 64, 9, 1500.0, 1400.0, 1600.0, 1.0, 9e9
    )
    file = frames.FILE_HEAD.pack(0, 3, 4, 0) + b"a/btext"
    return [
        (frames.PLAN, b"version=1\nprocessors=2\nclock=free\nchecks=full\ndispatch=virtual\njobs=1\n"),
        (frames.JOB, b"job=0\nname=ring\ndesign=d\nrow=exp6\napp=bin/ring\nnodes=2\npids=1\nhost=0\n"),
        (frames.HEARTBEAT, bytes(16)),
        (frames.ROW, row),
        (frames.FILE, file),
        (frames.PROCESS, b"job=0\nnode=1\npid=0\nstatus=11\nreason=a fault\n"),
        (frames.TIME, b"job=0\nendpoint=1\nlife=1000\ninside=600\nwaiting=200\ncalls=3\nclock_hertz=1000\n"),
        (frames.JOB_END, b"job=0\nstatus=ok\nframes_leaked=0\nobjects_leaked=0\nunknown_calls=57 \n"),
        (frames.END, b"jobs=1\nfailed=0\nrows=1\n"),
    ]


def damaged(content: bytes, dice: random.Random) -> bytes:
    """One to four things done to it that break files."""
    data = bytearray(content)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(data) + 1)
        what = dice.randrange(6)
        if what == 0:
            del data[at:]
        elif what == 1:
            data[at:at] = dice.choice(NASTY)
        elif what == 2:
            del data[at : at + dice.randint(1, 20)]
        elif what == 3 and at < len(data):
            data[at] ^= 1 << dice.randrange(8)
        elif what == 4:
            size = dice.choice((1, 2, 4, 8))
            data[at : at + size] = (dice.choice(NUMBERS) & (1 << 8 * size) - 1).to_bytes(size, "little")
        else:
            start = dice.randrange(len(data) + 1)
            data[at:at] = data[start : start + dice.randint(1, 200)]
    return bytes(data)


class Fuzzed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parley-fuzz-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def each(self, content: bytes, body):
        """`body` gets each variant; a sentence is an answer as well."""
        dice, sentences = random.Random(1), 0
        for number in range(VARIANTS):
            variant = damaged(content, dice)
            try:
                body(variant)
            except BadRequest as problem:
                sentences += 1
                self.assertGreater(len(str(problem)), 10)
            except Exception as problem:
                problem.add_note(f"variant {number}: {variant!r}"[:2000])
                raise
        return sentences

    def write(self, name: str, content: bytes) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def test_programs_and_what_lies_beside_them(self):
        path = os.path.join(self.folder, "program")

        def body(variant: bytes):
            self.write("beside", variant)
            executable.neighbours(path)
            executable.loads_others(path)
            executable.check(self.write("program", variant))

        refused = self.each(elf() + bytes(200), body)
        self.assertTrue(100 < refused < VARIANTS, refused)

    def test_configurations(self):
        def body(variant: bytes):
            path = self.write("c.toml", variant)
            made = request.make([f"CONFIG={path}"])
            made.boots(lambda: ["exp1"])
            _ = made.processors

        refused = self.each(TOML, body)
        self.assertTrue(100 < refused < VARIANTS, refused)

    def test_configurations_that_lie_deep(self):
        for text in (b"a = " + b"[" * 50000, b"nodes = " + b"9" * 5000, b"name = '\xff'"):
            with self.assertRaises(BadRequest):
                config_file.read(self.write("c.toml", text))

    def test_records(self):
        text = json.dumps(self.made(b"".join(self.channel(plan()))), indent=1).encode()
        path = os.path.join(self.folder, "record.json")

        def body(variant: bytes):
            self.write("record.json", variant)
            shown(table.render(record.read(path)))

        refused = self.each(text, body)
        self.assertTrue(100 < refused < VARIANTS, refused)

    def test_records_that_no_json_is(self):
        for text in (b"[" * 50000, b'{"format": "parley-record-1", "runs": NaN}', b"\xff", b""):
            with self.assertRaises(BadRequest):
                record.read(self.write("record.json", text))

    def channel(self, parts: list[tuple[int, bytes]]) -> list[bytes]:
        return [frames.encode(kind, number, payload) for number, (kind, payload) in enumerate(parts)]

    def made(self, stream: bytes) -> dict:
        """The record of a boot that sends this, which every reader of JSON takes."""
        seen, decoder = Seen(returncode=outcome.EXIT_SUCCESS), frames.Decoder()
        seen.frames = decoder.feed(stream)
        seen.damage = decoder.finish()
        asked = request.make(["APP=/none/such"])
        made = record.make(asked, seen, *outcome.judge(seen), {"emulator": "fake"}, {})
        linux_calls.missed(made["jobs"])
        text = record.text(made)
        return json.loads(text, parse_constant=self.fail)

    def test_the_results_channel_as_it_comes(self):
        stream = b"".join(self.channel(plan()))
        self.each(stream, self.made)

    def test_the_results_channel_with_payloads_of_any_kind(self):
        """Checksums and numbers are right, what the frames say is not."""
        dice = random.Random(2)

        def body(_: bytes):
            parts = [
                (kind, damaged(payload, dice) if dice.random() < 0.5 else payload) for kind, payload in plan()
            ]
            made = self.made(b"".join(self.channel(parts)))
            table.render([made], 80)
            times.table(made["times"], Names(made["jobs"]))

        self.each(b"x", body)

    def test_files_that_come_out_of_the_machine(self):
        folder = OutFolder(os.path.join(self.folder, "out"))

        def body(variant: bytes):
            frame = frames.Frame(frames.FILE, variant)
            if not frames.check_payload(frame):
                folder.take(frame)

        self.each(plan()[4][1], body)
        folder.finish()
        self.assertEqual(os.listdir(self.folder), ["out"])

    def test_traces(self):
        head = reading.HEAD.pack(reading.VERSION, reading.RECORD.size, 1, 0, 3, 1_000_000_000, 1000)
        values = [(2000 + 100 * i, 16, 7, 5, 1, i % 2, 1 - i % 2, 1 + i % 8, 0) for i in range(12)]
        content = head + b"".join(reading.RECORD.pack(*each) for each in values)

        def body(variant: bytes):
            try:
                trace = reading.read([variant])
            except ValueError:
                return
            for name in ("a.json", "a.svg"):
                output.content(name, trace, [], None)
            output.summary("a", trace)

        self.each(content, body)

    def test_names_of_files(self):
        dice = random.Random(3)
        folder = os.path.join(self.folder, "files")
        os.mkdir(folder)

        def body(_: bytes):
            name = damaged(b"a name\xc3\xa9.txt", dice).replace(b"/", b"").replace(b"\0", b"")[:255]
            if name not in (b"", b".", b".."):
                with open(os.path.join(os.fsencode(folder), name), "wb"):
                    pass

        self.each(b"x", body)
        out = archive.Archive(os.path.join(self.folder, "archive"), 1 << 30)
        out.add_folder("files", folder)
        self.assertGreater(out.close(), 100)

    def test_the_console_of_a_terminal(self):
        screen = Screen(io.StringIO(), io.StringIO())

        def body(variant: bytes):
            text = screen.harmless(variant).decode()
            self.assertFalse([c for c in text if ord(c) < 32 and c not in "\n\t" or 0x7F <= ord(c) < 0xA0])

        self.each("bytes  median\tus ± é\r\n\x1b[31m".encode(), body)


if __name__ == "__main__":
    unittest.main()
