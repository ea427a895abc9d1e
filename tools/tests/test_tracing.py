# SPDX-License-Identifier: MIT
"""Traces: reading records, pairing messages, and both kinds of file, without a machine."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

TOOLS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
sys.path.insert(0, TOOLS)

from parley_runner import frames  # noqa: E402
from parley_trace import cost, memory, memory_bands, output, perfetto, reading, telling  # noqa: E402
from parley_trace import timeline_picture, times  # noqa: E402
from parley_trace.naming import Names  # noqa: E402

NUMBER = {name: number for number, name in reading.EVENTS.items()}
JOBS = [{"job": 0, "name": "two <&>", "nodes": 2, "pids": 1, "row": "exp6"}]


def record(time, event, process, peer=reading.NOBODY, message=0, kind=0, length=0, job=1, processor=0):
    return struct.pack(
        "<QQIIHHHBB", time, length, message, kind, job, process, peer, NUMBER[event], processor
    )


def frame(*records, lost=0, job=0, source=0):
    return reading.HEAD.pack(reading.VERSION, 32, job, source, lost, 1_000_000_000, 1000) + b"".join(records)


def conversation() -> reading.Trace:
    """Node 0 sends to 1, which has waited spinning and answers; node 0 waits blocked. One answer never
    arrives."""
    first = frame(
        record(1100, "switch", 0),
        record(2000, "send", 0, 1, message=7, kind=5, length=16),
        record(2100, "wait", 0, 1, kind=6, length=8),
        record(2150, "block", 0),
        record(3900, "wake", 0, 1),
        record(4000, "resume", 0),
        record(4100, "match", 0, 1, message=9, kind=6),
        record(4200, "receive", 0, 1, message=9, kind=6),
        record(5000, "ended", 0),
    )
    second = frame(
        record(1200, "switch", 1, processor=1),
        record(1300, "wait", 1, kind=0xFFFFFFFF),
        record(2500, "resume", 1, processor=1),
        record(2600, "match", 1, 0, message=7, kind=5, length=16),
        record(2700, "receive", 1, 0, message=7, kind=5, length=16),
        record(3000, "send", 1, 0, message=9, kind=6),
        record(3100, "send", 1, 0, message=10, kind=6),
        source=1,
        lost=3,
    )
    return reading.read([second, first])


class Reading(unittest.TestCase):
    def test_a_process_keeps_as_many_records_as_its_part_of_memory_has_room_for(self):
        with open(os.path.join(TOOLS, "..", "interface", "trace.h"), encoding="utf-8") as file:
            bytes_of_part = int(re.search(r"TRACE_LIBRARY_BYTES (0x\w+)", file.read())[1], 16)
        self.assertEqual(reading.KEPT_OF_PROCESS, bytes_of_part // 32 - 2)

    def test_records_are_in_the_order_of_time_and_lost_ones_counted(self):
        trace = conversation()
        self.assertEqual([r.ns for r in trace.records], sorted(r.ns for r in trace.records))
        self.assertEqual((len(trace.records), trace.lost, trace.records[0].ns), (16, 3, 100))

    def test_each_send_is_paired_with_its_own_receive(self):
        messages = conversation().messages()
        self.assertEqual(messages[1, 0, 7].receive.process, 1)
        self.assertEqual(messages[1, 1, 9].receive.process, 0)
        self.assertIsNone(messages[1, 1, 10].receive)

    def test_a_chain_counts_messages_that_follow_from_each_other(self):
        self.assertEqual(reading.longest_chain(list(conversation().messages().values())), 2)

    def test_messages_that_do_not_follow_from_each_other_are_no_chain(self):
        sends = [record(2000 + 100 * i, "send", 0, 1, message=7 + i) for i in range(2)]
        answer = record(2050, "send", 1, 0, message=9)  # before anything has come
        receives = [record(2500 + 100 * i, "receive", 1, 0, message=7 + i) for i in range(2)]
        trace = reading.read(
            [frame(*sends, record(3000, "receive", 0, 1, message=9)), frame(answer, *receives)]
        )
        messages = list(trace.messages().values())
        self.assertEqual((len(messages), reading.longest_chain(messages)), (3, 1))

    def test_a_chain_is_seen_through_clocks_that_differ(self):
        # Node 0's clock is 4000 ticks behind: by the clocks node 1 has received and answered before it was
        # sent to.
        there = record(6000, "send", 0, 1, message=1)
        back = record(9000, "receive", 0, 1, message=2)
        again = record(9500, "send", 0, 1, message=3)
        other = [
            record(2500, "receive", 1, 0, message=1),
            record(2600, "send", 1, 0, message=2),
            record(5800, "receive", 1, 0, message=3),
        ]
        trace = reading.read([frame(there, back, again), frame(*other, source=1)])
        self.assertEqual(reading.longest_chain(list(trace.messages().values())), 3)

    def test_a_message_to_oneself_within_a_tick_is_a_link_of_a_chain(self):
        own = [record(2000, "receive", 0, 0, message=1), record(2000, "send", 0, 0, message=1)]
        after = record(2100, "send", 0, 1, message=2)
        trace = reading.read([frame(*own, after), frame(record(2200, "receive", 1, 0, message=2), source=1)])
        self.assertEqual(reading.longest_chain(list(trace.messages().values())), 2)

    def test_a_trace_that_contradicts_itself_has_a_chain_all_the_same(self):
        # Each has received the other's message before it sent its own.
        one = [record(2000, "receive", 0, 1, message=2), record(2100, "send", 0, 1, message=1)]
        other = [record(2000, "receive", 1, 0, message=1), record(2100, "send", 1, 0, message=2)]
        alone = record(3000, "send", 2, 3, message=4), record(3100, "receive", 3, 2, message=4)
        trace = reading.read([frame(*one), frame(*other, source=1), frame(*alone, source=2)])
        self.assertEqual(reading.longest_chain(list(trace.messages().values())), 1)

    def test_waits_end_and_say_how_they_passed(self):
        trace = conversation()
        waits = {begin.process: (begin.ns, end) for begin, end in reading.waits(trace.records)}
        self.assertEqual(waits, {0: (1100, 3000), 1: (300, 1500)})
        self.assertEqual({r.process for r in reading.blocked(trace.records)}, {0})

    def test_a_process_buffer_names_the_job_that_its_records_do_not_know(self):
        trace = reading.read(
            [frame(record(2000, "send", 3, 1, message=1, job=0, processor=255), job=2, source=3)]
        )
        self.assertEqual((trace.records[0].job, trace.records[0].processor), (2, None))

    def test_another_layout_is_refused(self):
        for payload in (b"short", frame() + b"x", reading.HEAD.pack(9, 32, 0, 0, 0, 1, 0)):
            with self.assertRaises(ValueError):
                reading.read([payload])


def exchange(messages: int) -> reading.Trace:
    """Two nodes that send by turns, a message a microsecond; one that waits for the first."""
    one, other = [record(1500, "wait", 1)], []
    for i in range(messages):
        time, sender = 2000 + 1000 * i, i % 2
        one.append(record(time, "send", sender, 1 - sender, message=i))
        other.append(record(time + 600, "receive", 1 - sender, sender, message=i))
    return reading.read([frame(*one), frame(*other, source=1)])


class LongRuns(unittest.TestCase):
    def drawn(self, trace, window=None) -> tuple[int, str, str]:
        """Messages drawn, the picture, and what is said of it."""
        text, said = output.content("a.svg", trace, JOBS, window)
        xml.etree.ElementTree.fromstring(text.encode())
        return text.count('class="arrow"'), text, said

    def test_a_run_of_some_strips_is_drawn_whole(self):
        count, text, said = self.drawn(exchange(900))
        self.assertEqual((count, said), (900, ""))
        self.assertIn(">900 messages<", text)
        self.assertGreater(text.count("<clipPath"), 10)
        self.assertIn('width="1600"', text)

    def test_of_a_long_run_a_part_is_drawn_and_that_is_said(self):
        count, text, said = self.drawn(exchange(3900))
        self.assertLess(count, 1500)
        self.assertIn(f"{count} of 3900 messages", text)
        self.assertIn("whole run", text)
        self.assertRegex(said, rf"shows 0 ms to [0-9.]+ ms of 3.8996 ms: {count} of 3900 messages; WINDOW=")

    def test_the_windows_that_are_named_show_the_whole_run(self):
        trace, shown, window = exchange(3900), 0, None
        for _ in range(9):
            count, text, said = self.drawn(trace, window)
            shown += count
            following = re.search(r"WINDOW=([0-9.]+?)\.\.([0-9.]+) ", said)
            if following is None:
                break
            window = float(following[1]), float(following[2])
        # What crosses an edge of a window may be in both.
        self.assertTrue(3900 <= shown <= 3910, shown)

    def test_a_window_is_drawn_whole_up_to_what_a_viewer_bears(self):
        count, _, said = self.drawn(exchange(25000), (0.0, 2000.0))
        self.assertEqual(count, 2000)
        count, _, said = self.drawn(exchange(25000), (0.0, 25000.0))
        self.assertEqual(count, 20000)
        self.assertIn("20000 of 25000 messages", said)

    def test_messages_are_drawn_where_they_were_also_in_later_strips(self):
        _, text, _ = self.drawn(exchange(200))
        paths = re.findall(r'class="arrow" stroke="[^"]*" d="M([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)"', text)
        strip = 26 + 2 * 56 + 18
        starts = [((float(y1) - 34) // strip, float(x1)) for x1, y1, _, _ in paths]
        self.assertEqual(len(starts), 200)
        self.assertEqual(starts, sorted(starts))

    def test_long_stretches_without_a_message_are_left_out_and_said(self):
        trace = reading.Trace(
            [r._replace(ns=r.ns + 3e6 * (r.ns > 11800)) for r in exchange(60).records]
        )
        count, text, said = self.drawn(trace)
        self.assertEqual(count, 60)
        told = "60 messages; 1 stretch without a message, 3 ms in all, left out"
        self.assertEqual(said, f"The picture shows {told}.")
        self.assertEqual(text.count('class="gap"'), 1)
        self.assertIn("<title>3 ms left out</title>", text)
        # Before and behind it arrows are about as long as in a picture without it.
        _, whole, _ = self.drawn(exchange(60))
        lengths = [self.lengths_of(one) for one in (text, whole)]
        for ours, usual in zip(*lengths):
            self.assertGreater(ours, 0.9 * usual)
        # A part that is asked for is drawn as it is.
        _, text, said = self.drawn(trace, (0.0, 3070.0))
        self.assertNotIn('class="gap"', text)

    def lengths_of(self, text: str) -> list[float]:
        paths = re.findall(r'class="arrow" stroke="[^"]*" d="M([0-9.]+) [0-9.]+L([0-9.]+) [0-9.]+"><', text)
        return [float(right) - float(left) for left, right in paths]

    def test_messages_as_seldom_as_ever_leave_no_gap(self):
        for count in (1, 2, 3, 60):
            self.assertEqual(self.drawn(exchange(count))[2], "")

    def test_a_long_flight_of_a_message_is_no_gap(self):
        records = exchange(40).records
        last = max(record.ns for record in records)
        slow = [r._replace(ns=r.ns + 5e6) if r.ns == last else r for r in records]
        self.assertEqual(self.drawn(reading.Trace(slow))[2], "")

    def test_the_legend_says_what_an_arrow_is(self):
        told = "message, from its send to its receive, in its sender's colour"
        self.assertIn(told, self.drawn(exchange(3))[1])

    def test_a_time_line_leaves_out_what_has_no_event(self):
        records = [r._replace(ns=r.ns + 4e6 * (r.ns > 11800)) for r in exchange(60).records]
        line = timeline_picture.TimeLine(reading.Trace(records), Names(JOBS), "two", None)
        text = line.text()
        xml.etree.ElementTree.fromstring(text.encode())
        self.assertIn("1 stretch without an event, 4 ms in all, left out", text)
        self.assertEqual(text.count('class="gap"'), 1)

    def test_what_has_no_receive_is_counted(self):
        self.assertIn("1 message without its send or its receive is not drawn", self.drawn(conversation())[1])


class Files(unittest.TestCase):
    def test_json_has_a_track_a_process_and_an_arrow_a_message(self):
        data = json.loads(perfetto.text(conversation(), Names(JOBS)))
        events = data["traceEvents"]
        names = [e["args"]["name"] for e in events if e["name"] == "thread_name"]
        self.assertEqual(names, ["node 0", "node 1"])
        starts = {e["id"]: e for e in events if e["ph"] == "s"}
        ends = {e["id"]: e for e in events if e["ph"] == "f"}
        self.assertEqual((set(starts), len(starts)), (set(ends), 2))
        self.assertTrue(all(starts[i]["ts"] <= ends[i]["ts"] for i in starts))
        waits = {e["cat"]: e["args"] for e in events if e["name"].startswith("wait")}
        self.assertEqual((set(waits), waits["spinning"]["type"]), ({"spinning", "blocked"}, -1))
        self.assertEqual(data["otherData"]["lost_records"], 3)

    def test_svg_is_well_formed_and_has_an_arrow_a_message(self):
        text = output.content("a.svg", conversation(), JOBS, None)[0]
        root = xml.etree.ElementTree.fromstring(text.encode())
        arrows = [e for e in root.iter() if e.get("class") == "arrow"]
        self.assertEqual(len(arrows), 2)
        self.assertIn("3 records were lost", text)

    def test_a_window_leaves_out_what_is_outside(self):
        text = output.content("a.svg", conversation(), JOBS, (0.9, 3.0))[0]
        self.assertEqual(text.count('class="arrow"'), 1)

    def test_an_empty_trace_is_a_file_too(self):
        for name in ("a.json", "a.svg"):
            self.assertTrue(output.content(name, reading.read([]), JOBS, None)[0])

    def test_several_designs_have_a_file_each(self):
        self.assertEqual(output.file_name("a/t.json", "exp1 + exp2", True), "a/t-exp1_+_exp2.json")
        self.assertEqual(output.file_name("a/t.json", "exp1", False), "a/t.json")


class Telling(unittest.TestCase):
    """The reports of a .trace file, as `nxtrace` and `tools/parley trace` print them."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.path = os.path.join(self.folder, "a.trace")

    def kept(self, *payloads: bytes, price: int = 0) -> None:
        cost = f"record_picoseconds={price}\n" if price else ""
        job = f"job=0\nname=two\ndesign=exp6\nnodes=2\npids=1\nhost=0\n{cost}"
        parts = [(frames.JOB, job.encode()), *((frames.TRACE, payload) for payload in payloads)]
        with open(self.path, "wb") as file:
            file.writelines(frames.encode(kind, i, payload) for i, (kind, payload) in enumerate(parts))

    def told(self, *words: str, status: int = 0) -> str:
        line = [os.path.join(TOOLS, "parley"), "trace", *words, self.path]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status == 0 else done.stderr

    def round_trip(self, price: int = 0) -> None:
        """Node 0 sends, waits and gets an answer; each record has cost 50 ns."""
        self.kept(
            frame(
                record(1100, "switch", 0),
                record(2000, "send", 0, 1, message=7, kind=5, length=16),
                record(2100, "wait", 0, 1, kind=6, length=8),
                record(4100, "match", 0, 1, message=9, kind=6),
                record(4200, "resume", 0),
                record(4300, "event", 0, kind=372, length=(1 << 64) - 5),
                record(4900, "event", 0, kind=373),
                record(5000, "ended", 0),
            ),
            frame(
                record(1200, "switch", 1, processor=1),
                record(1300, "wait", 1, kind=0xFFFFFFFF, processor=255),
                record(2600, "match", 1, 0, message=7, kind=5, length=16, processor=255),
                record(3000, "send", 1, 0, message=9, kind=6, processor=255),
                source=1,
            ),
            price=price,
        )

    def test_a_dump_of_each_process_in_the_order_of_time(self):
        self.round_trip()
        lines = self.told("--by-process").splitlines()
        self.assertEqual(lines[0], "node 0")
        self.assertIn("         0.000  send      type 5, 16 bytes, to node 1, message 7", lines)
        self.assertIn("         2.300  event     372, value -5", lines)
        second = lines[lines.index("node 1") :]
        self.assertEqual(second[3], "        -0.700  wait      for: message, type -1")
        self.assertEqual(len(lines), 2 + 8 + 1 + 2 + 4)

    def test_a_dump_of_each_processor_places_what_does_not_know_its_own(self):
        self.round_trip()
        lines = self.told("--by-processor").splitlines()
        second = lines[lines.index("processor 1") :]
        self.assertEqual([line.split()[3] for line in second[2:]], ["switch", "wait", "match", "send"])

    def test_a_time_line_has_a_column_a_processor_and_the_symbols_of_its_time(self):
        self.round_trip()
        lines = self.told("--time-line").splitlines()
        self.assertRegex(lines[0], r"^ +time, us  processor 0 +processor 1$")
        self.assertEqual(lines[1].split(), ["-0.900", "-", "CSW", "-"])
        self.assertEqual(lines[2].split(), ["-0.900", "PROCESS", "node", "0"])
        self.assertIn("         0.000  SEND 5 > node 1           :", lines)
        self.assertRegex("\n".join(lines), r"(?m)^ +2\.300  EVENT 372 ")
        self.assertEqual(lines[-1], "         3.000  END                       |")

    def test_policy_processes_come_after_those_that_the_message_system_knows(self):
        known = {**JOBS[0], "endpoints": 3}
        called = [Names([known]).process(1, endpoint) for endpoint in range(5)]
        self.assertEqual(called, ["node 0", "node 1", "delivery", "policy process 1", "policy process 2"])

    def test_a_service_routine_stands_between_brackets_and_who_ran_goes_on_after_it(self):
        events = ((1100, "switch"), (1200, "interrupt"), (1300, "returned"), (1400, "ended"))
        trace = reading.read([frame(*(record(time, event, 0) for time, event in events))])
        lines = [line.split()[1:] for line in telling.time_line(trace, Names(JOBS))[1:]]
        self.assertEqual(lines[2:], [["["], ["]"], ["END"]])
        bars = timeline_picture.TimeLine(trace, Names(JOBS), "", None).bars
        self.assertEqual([(begin, end, waits) for _, begin, end, _, waits in bars], [(100.0, 400.0, False)])

    def test_a_part_of_it(self):
        self.round_trip()
        text = self.told("--time-line", "--window", "2.2..2.5")
        self.assertEqual([line.split()[1] for line in text.splitlines()[1:]], ["RESUME", "EVENT"])

    def test_a_time_line_is_drawn_too(self):
        self.round_trip()
        picture = os.path.join(self.folder, "a.svg")
        self.told("--time-line", "--output", picture)
        root = xml.etree.ElementTree.parse(picture).getroot()
        bars = [e for e in root.iter() if e.get("class") == "bar"]
        self.assertEqual(sum(e.get("opacity") is not None for e in bars), 2)
        self.assertEqual(len([e for e in root.iter() if e.get("class") == "mark"]), 2)

    def test_statistics_count_and_time(self):
        self.round_trip(50_000)
        text = self.told("--statistics")
        self.assertRegex(text, r"(?m)^event 372 to 373, same process +1 +0\.600 ")
        self.assertRegex(text, r"(?m)^waits of node 0 +1 +2\.100 ")
        self.assertIn("The tracer's own cost: 50.0 ns a record", text)
        self.assertRegex(text, r"(?m)^  node 0: 8 records, 0\.400 us, ")

    def test_what_the_tracer_costs_is_taken_out(self):
        """A message comes earlier by all that was written on its way, and what a process writes while it
        would have to wait anyway costs nothing."""
        self.round_trip(50_000)
        rows = [line.split() for line in self.told("--compensated", "--by-process").splitlines()]
        events = [(row[1], float(row[0])) for row in rows if row and re.fullmatch(r"-?[0-9.]+", row[0])]
        at = {name: [t for n, t in events if n == name] for name in ("send", "match", "event")}
        # In ns since the first send, which itself moves by the one record before it. Node 0 is late by two
        # records when its message goes, and so node 1 when it matches; its answer goes another one later.
        self.assertEqual(at["send"], [0.0, 0.9])
        self.assertEqual(at["match"], [1.95, 0.55])
        self.assertEqual(at["event"], [2.05, 2.6])

    def test_a_cost_that_nobody_measured_is_not_taken_out(self):
        self.round_trip()
        self.assertIn("does not say what the tracer cost", self.told("--compensated", status=2))

    def test_what_is_no_trace_is_one_sentence(self):
        for content in (b"", b"hello", b"x" * 100):
            with open(self.path, "wb") as file:
                file.write(content)
            said = self.told(status=2)
            self.assertEqual(len(said.splitlines()), 1)
            self.assertIn("is no whole file of a trace: ", said)


# What the model's plugin writes of two processors, by intervals of a microsecond: when the time of
# conversation() begins the counter is at 1000.
COUNTED = """length=1000000
processor=0 clock=5000000
0 9 0 0 9 0
2 3 1 2 4 250000
3 0 4 0 4 0
processor=1 clock=6000000
1 0 0 1 1 500000
5 2 0 0 2 1000000
end
"""


def modelled() -> reading.Trace:
    trace = conversation()
    trace.memory = memory.read(COUNTED)
    return trace


class Memory(unittest.TestCase):
    """Cache misses and waiting for the bus of a modelled machine."""

    def total(self, trace: reading.Trace) -> memory.Counts:
        found = memory.Counts()
        for number in trace.memory.processors:
            found = found.plus(trace.memory.total(number))
        return found

    def test_it_is_read_as_it_was_written(self):
        found = memory.read(COUNTED)
        clocks = {number: one.clock for number, one in found.processors.items()}
        self.assertEqual((found.length, clocks), (10**6, {0: 5 * 10**6, 1: 6 * 10**6}))
        self.assertEqual(found.processors[0].intervals[2], memory.Counts(3, 1, 2, 4, 250000))
        self.assertEqual(found.total(0), memory.Counts(12, 5, 2, 17, 250000))
        self.assertEqual(found.total(0, 2, 3), memory.Counts(3, 1, 2, 4, 250000))
        columns = {0: memory.Counts(9, 0, 0, 9), 1: memory.Counts(3, 5, 2, 8, 250000)}
        self.assertEqual(found.columns(0, 2), columns)

    def test_what_is_cut_off_anywhere_is_not_taken_for_whole(self):
        for length in range(len(COUNTED)):
            with self.assertRaises(ValueError):
                memory.read(COUNTED[:length])
        for wrong in (COUNTED.replace("length=1000000", "length=0"), COUNTED.replace("4 250000", "4")):
            with self.assertRaises(ValueError):
                memory.read(wrong)

    def test_a_trace_file_keeps_it(self):
        found = memory.read(COUNTED)
        self.assertEqual(memory.kept(memory.payloads(found)), found)
        self.assertIsNone(memory.kept([]))
        other = memory.payloads(memory.read(COUNTED.replace("length=1000000", "length=2000000")))
        with self.assertRaises(ValueError):
            memory.kept([*memory.payloads(found)[:1], *other[1:]])

    def test_no_kernel_sends_it(self):
        sent = frames.encode(frames.INTERVALS, 0, memory.payloads(memory.read(COUNTED))[0])
        live, file = frames.Decoder(), frames.Decoder(names=frames.FILE_KIND_NAMES)
        self.assertEqual((live.feed(sent), live.damage), ([], "frame 0 is of unknown kind 256"))
        self.assertEqual([frame.name for frame in file.feed(sent)], ["intervals"])

    def test_perfetto_has_two_counters_a_processor_whose_sums_are_what_was_counted(self):
        trace = modelled()
        events = json.loads(perfetto.text(trace, Names(JOBS)))["traceEvents"]
        counters = [one for one in events if one["ph"] == "C"]
        names = sorted({one["name"] for one in counters})
        whose = [name.partition(":")[0] for name in names]
        self.assertEqual(whose, ["processor 0", "processor 0", "processor 1", "processor 1"])
        sums = dict.fromkeys(("reads", "writes", "fetches", "part"), 0.0)
        for name in names:
            own = [one for one in counters if one["name"] == name]
            self.assertEqual(own, sorted(own, key=lambda one: one["ts"]))
            self.assertTrue(not any(own[-1]["args"].values()), "the last value would last for ever")
            for one, following in zip(own, own[1:]):
                for part, value in one["args"].items():
                    sums[part] += value * (following["ts"] - one["ts"])
        all_of = self.total(trace)
        for part, sum_of_it in zip(sums.values(), (*all_of[:3], all_of.bus_waiting / 1e4)):
            self.assertAlmostEqual(part, sum_of_it, places=9)
        # By the records' clock, which begins at the counter's 1000.
        self.assertEqual(min(one["ts"] for one in counters), -1)

    def test_without_it_nothing_is_told_of_it(self):
        line = timeline_picture.TimeLine(conversation(), Names(JOBS), "two", None).text()
        for text in (
            perfetto.text(conversation(), Names(JOBS)),
            line,
            "".join(telling.statistics(conversation(), Names(JOBS))),
        ):
            self.assertNotRegex(text, "misses|bus wait|memory|Memory|<desc")

    def bands(self, trace: reading.Trace, window=None) -> dict[tuple[int, str], str]:
        """Of a time-line: (processor, kind) -> what it says."""
        text = timeline_picture.TimeLine(trace, Names(JOBS), "two", window).text()
        root = xml.etree.ElementTree.fromstring(text.encode())
        found = {}
        for part in root.iter():
            if part.get("class") in ("misses", "waiting") and len(part):
                processor, told = re.fullmatch(r"processor (\d+): (.*)", part[0].text).groups()
                found[int(processor), part.get("class")] = told
                self.assertIn(told, root.find("{http://www.w3.org/2000/svg}desc").text)
        return found

    def test_a_time_line_has_two_bands_a_processor_and_says_in_words_what_they_show(self):
        found = self.bands(modelled())
        # From 1.1 us of the machine's time to 5.001: the second interval to the sixth.
        self.assertEqual(
            found,
            {
                (0, "misses"): "3 reads, 5 writes and 2 fetches missed, at most 6 a microsecond",
                (0, "waiting"): "waited 0.2 us for the bus, 6.41 % of the time, at most 25 %",
                (1, "misses"): "2 reads, 0 writes and 1 fetch missed, at most 2 a microsecond",
                (1, "waiting"): "waited 1.5 us for the bus, 38.45 % of the time, at most 100 %",
            },
        )

    def made(self, ns: int, lines: list[str]) -> memory.Memory:
        """Of one processor, by intervals of so many ns."""
        return memory.read("\n".join([f"length={ns}000", "processor=0 clock=900000000", *lines, "end", ""]))

    def test_a_picture_of_messages_has_them_for_each_processor_in_each_strip(self):
        trace = exchange(200)
        trace.memory = self.made(1000, [f"{at} {at % 3} 0 1 0 {9000 * (at % 7)}" for at in range(205)])
        text = output.content("a.svg", trace, JOBS, None)[0]
        root = xml.etree.ElementTree.fromstring(text.encode())
        for name in ("misses", "waiting"):
            drawn = [part for part in root.iter() if part.get("class") == name and len(part)]
            self.assertEqual(len(drawn), 3)
            self.assertEqual({part[0].text for part in drawn}, {drawn[0][0].text})
            # From the left end of the first strip's times to the right end of the last one's.
            edges = [float(x) for part in drawn for x in re.findall("[MH]([0-9.]+)", part.get("d"))]
            self.assertEqual((min(edges), max(edges)), (110.0, 1580.0))
            self.assertLessEqual(sum(part.get("d").count("H") for part in drawn), 205 + 2)
            bases = [float(re.match(r"M[0-9.]+ ([0-9.]+)", part.get("d"))[1]) for part in drawn]
            strip = 26 + 2 * 56 + 18 + 18 + 2 * 28
            self.assertEqual([later - bases[0] for later in bases], [0, strip, 2 * strip])
        self.assertIn("of the time, at most", root.find("{http://www.w3.org/2000/svg}desc").text)
        self.assertIn(">filled: cache misses a microsecond, 1 us a step<", text)
        self.assertIn(">hatched: the part of the time in which it waits for the bus or a bank, 1 us", text)

    def test_columns_of_a_band_are_as_high_as_what_was_counted(self):
        trace = modelled()
        line = timeline_picture.TimeLine(trace, Names(JOBS), "two", None)
        base = line.bands.drawn(line.strip, 0, 100.0)
        path = next(part for part in base if 'class="misses"' in part)
        heights = [128.0 - float(y) for y in re.findall(r"V([0-9.]+)H", path)]
        self.assertEqual(line.bands.most, {"misses": 10.0, "waiting": 100.0})
        self.assertEqual(heights, [memory_bands.HEIGHT * part for part in (0.6, 0.4)])
        lefts = [float(x) for x in re.findall(r"M([0-9.]+)", path)]
        self.assertEqual(lefts, [line.strip.x(1000.0)])

    def test_many_intervals_are_drawn_as_one_and_none_is_lost(self):
        trace = exchange(900)
        trace.memory = self.made(15, [f"{at} {at % 3} 0 0 0 {1000 * at}" for at in range(1, 60_000)])
        line = timeline_picture.TimeLine(trace, Names(JOBS), "two", None)
        self.assertLess(len(line.bands.columns[0]), 1600)
        # The first record is at 1.5 us of the machine's time.
        first = min(line.bands.columns[0]) * (line.bands.length // trace.memory.length)
        self.assertIn(first, range(80, 101))
        self.assertEqual(line.bands.sum(0), trace.memory.total(0, first))

    def test_a_window_and_its_own_time(self):
        told = "0 reads, 4 writes and 0 fetches missed, at most 4 a microsecond"
        self.assertEqual(self.bands(modelled(), (0.9, 1.05)), {(0, "misses"): told})
        text = "\n".join(telling.statistics(modelled(), Names(JOBS), (0.0, 1.0)))
        self.assertRegex(text, r"(?m)^processor 0 +3 +1 +2 +4 +0\.250 +25\.00 %$")
        self.assertRegex(text, r"(?m)^processor 1 +0 +0 +0 +0 +0\.000 +0\.00 %$")

    def test_statistics_tell_all_of_it(self):
        text = "\n".join(telling.statistics(modelled(), Names(JOBS)))
        self.assertIn("\nMemory, of intervals of 1 us\n", text)
        self.assertRegex(text, r"(?m)^processor 0 +12 +5 +2 +17 +0\.250 +5\.00 %$")
        self.assertRegex(text, r"(?m)^processor 1 +2 +0 +1 +3 +1\.500 +25\.00 %$")

    def test_a_memory_that_counts_nothing_is_said_to(self):
        trace = conversation()
        trace.memory = memory.read("length=1000000\nprocessor=0 clock=5000000\nend\n")
        text = timeline_picture.TimeLine(trace, Names(JOBS), "two", None).text()
        self.assertIn("has counted neither misses nor waiting", text)
        self.assertEqual(self.bands(trace), {})

    def test_without_the_tracers_cost_nobody_knows_when_it_was(self):
        self.assertIsNone(cost.compensated(modelled(), cost.Price(10.0)).memory)

    def test_scales_end_at_round_numbers(self):
        for value, most in ((0, 0), (0.03, 0.05), (1, 1), (1.01, 2), (4.9, 5), (73, 100)):
            self.assertAlmostEqual(memory_bands.round_up(value), most)


class Times(unittest.TestCase):
    def test_shares_add_up(self):
        entry = {"job": 0, "endpoint": 1, "life": 1000, "inside": 600, "waiting": 200, "calls": 3}
        text = "\n".join(times.table([{**entry, "clock_hertz": 1000}], Names(JOBS)))
        for word in ("node 1", "60.0 %", "40.0 %", "20.0 %"):
            self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main()
