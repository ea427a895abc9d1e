# SPDX-License-Identifier: MIT
"""Reports and comparisons of records, without a machine: what they say, and that nothing breaks them."""

import base64
import copy
import io
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

from made_records import boot, ring, row, times, written

TOOLS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, TOOLS)

from parley_report import compare, measurements, packages, report, verdicts  # noqa: E402
from parley_report import page as pages  # noqa: E402
from parley_runner import table  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402

try:
    packages.need("matplotlib", "scipy", "jinja2")
    MISSING = ""
except BadRequest as problem:
    MISSING = str(problem)
NAUGHTY = "<b>$x_1$ & \x1b[31m\"'\u202e" + "]]>"


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def record(self, *boots, name="record.json") -> str:
        return written(self.path(name), *boots)

    def parley(self, *words, **more) -> subprocess.CompletedProcess:
        command = [sys.executable, "-B", os.path.join(TOOLS, "parley"), *words]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=self.folder, timeout=120, **more
        )


def nxrun(rows, app: str) -> dict:
    """Its record, in which a job's name is the program's path."""
    record = boot(rows, "native", app, clock="native", dispatch="static", kernel=None, checks=None)
    record["jobs"][0] |= {"name": app, "app": app}
    record["asked"] = {"jobs": [{"app": app, "design": "native"}], "processors": 2}
    record["host"] = {"emulator": None, "cores": 2, "seconds": 1.0}
    return record


def noisy(factor=1.0, boots=5, seed=1, design="exp6", scatter=0.05):
    """Boots whose host runs at any speed, and whose ratios scatter."""
    chance = random.Random(seed)
    result = []
    for _ in range(boots):
        rows = ring(factor, 60 * math.exp(chance.gauss(0, 0.7)))
        for entry in rows[1:]:
            shift = math.exp(chance.gauss(0, scatter))
            for figure in ("median", "lower_quartile", "upper_quartile", "minimum", "maximum"):
                entry[figure] *= shift
        result.append(boot(rows, design))
    return result


# What is written in a picture.
WRITTEN = re.compile(r"<text [^>]*>([^<]*[a-z]{3}[^<]*)</text>")


def words_in(picture: str) -> set[str]:
    return set(" ".join(WRITTEN.findall(picture)).split())


def decoded(data: str) -> str:
    return base64.b64decode(data).decode()


@unittest.skipIf(MISSING, MISSING)
class Pages(InAFolder):
    def page(self, *boots) -> tuple[str, dict[str, str]]:
        """The page, and its pictures."""
        made = report.make(measurements.read([self.record(*boots)]))
        path = pages.write(made, self.path("out"))
        found = {}
        for name in os.listdir(self.path("out")):
            with open(self.path(f"out/{name}"), encoding="utf-8") as file:
                found[name] = file.read()
        text = found.pop(os.path.basename(path))
        for name, picture in found.items():
            with self.subTest(picture=name):
                xml.etree.ElementTree.fromstring(picture.encode())
        return text, found

    def test_curves_stand_beside_each_other_with_their_clock_and_units(self):
        counted = {"clock": "counted"}
        text, pictures = self.page(boot(ring(), "exp1", **counted), boot(ring(1.5), "exp6", **counted))
        curve = pictures["ring-round-trip-counted.svg"]
        for word in ("exp1", "exp6", "round trip, µs", "bytes", "clock counted", "1 Ki", "2 nodes"):
            self.assertIn(word, curve)
        self.assertIn("ring-round-trip-beside-exp1-counted.svg", pictures)
        self.assertIn("exp6 is slower at 3 of 3 sizes than exp1, on average x1.50", text)

    def test_what_is_called_different_shows_the_digit_in_which_it_is(self):
        later = ring()
        later[2]["median"] += 0.25
        text, _ = self.page(boot(ring(), "exp1", clock="counted"), boot(later, "exp6", clock="counted"))
        self.assertRegex(text, r">1\.9536\b[^<]*<(?s:.*?)>1\.9539\b[^<]* x1\.0001 slower<")

    def test_an_average_of_what_differs_is_not_called_1(self):
        later = ring()
        for entry in later[1:]:
            entry["median"] *= 1.0004
        text, _ = self.page(boot(ring(), "exp1", clock="counted"), boot(later, "exp6", clock="counted"))
        self.assertIn("exp6 is slower at 3 of 3 sizes than exp1, on average x1.0004.", text)

    def test_a_run_s_table_gives_crowds_no_multiple_of_a_ping_pong(self):
        rows = [*ring(), row("barrier, 2", 0, 600.0), row("barrier, 8", 0, 6000.0)]
        lines = table.render([boot(rows, memory=1)]).splitlines()
        (two,), (eight,) = ([line for line in lines if f"barrier, {n}" in line] for n in (2, 8))
        self.assertIn("x10.0", two)
        self.assertNotIn("x", eight)

    def test_crowds_are_drawn_as_measured(self):
        crowd = [row(f"barrier, {parties}", 0, 1000.0 * parties) for parties in (4, 8)]
        _, pictures = self.page(boot([*ring(), *crowd]))
        self.assertNotIn("times the bare ping-pong", pictures["ring-barrier-free.svg"])

    def test_labels_of_an_axis_have_room_between_them(self):
        from parley_report import drawing

        sizes = [0, 8, 48, 100, 512, 1024, 2048, 4096, 16384, 65536, 262144, 1048576, 4194304]
        for columns, both in ((1, True), (2, False)):
            made, panels = drawing.figure(4, columns)
            drawing.by_size(panels[0], sizes, "bytes")
            marks = list(panels[0].xaxis.get_major_locator()())
            self.assertEqual({48, 100} <= set(marks), both, marks)
            self.assertLessEqual({0, 4194304}, set(marks))
            made.savefig(io.BytesIO(), format="svg")
            boxes = [label.get_window_extent() for label in panels[0].get_xticklabels()]
            self.assertEqual(len(boxes), len(marks))
            for left, right in zip(boxes, boxes[1:]):
                self.assertLess(left.x1, right.x0, marks)

    def test_a_page_names_record_command_clock_and_host_and_loads_nothing(self):
        text, pictures = self.page(boot(ring(), clock="counted", args="--sizes 0,128"))
        for word in (
            "record",
            "make run ARGS=",
            "--sizes 0,128",
            "CLOCK=counted",
            "QEMU emulator version 7.2",
        ):
            self.assertIn(word, text)
        sources = re.findall(r'(?:src|href)="([^"]*)"', text)
        self.assertTrue(pictures)
        for source in sources:
            self.assertTrue(
                source.startswith(("data:image/svg+xml;base64,", "#")) or source in pictures, source
            )

    def test_a_narrow_screen_gets_each_picture_drawn_for_it(self):
        from parley_report import drawing

        text, pictures = self.page(boot(ring(), clock="counted"))
        data = r'"data:image/svg[^,]*,([^"]*)"'
        both = re.findall(f"srcset={data}><img src={data}", text)
        self.assertEqual(len(both), len(pictures))
        for narrow, wide in (map(decoded, pair) for pair in both):
            self.assertIn(wide, pictures.values())
            self.assertRegex(wide, rf'<svg [^>]*width="{72 * drawing.WIDTH:g}pt"')
            self.assertRegex(narrow, rf'<svg [^>]*width="{72 * drawing.NARROW:g}pt"')
            self.assertLessEqual(words_in(wide), words_in(narrow))

    def test_panels_stand_below_each_other_where_it_is_narrow_and_marks_have_room(self):
        from parley_report import drawing

        sizes = [1 << power for power in range(7, 23)]
        made, panels = drawing.figure(4, 2)
        for axes in panels:
            axes.plot(sizes, sizes, label="some design")
            drawing.by_size(axes, sizes, "bytes")
            drawing.legend(axes)
        drawing.make_narrow(made)
        made.savefig(io.BytesIO(), format="svg")
        upper, lower = (axes.get_window_extent() for axes in panels)
        self.assertGreater(upper.y0, lower.y1)
        for axes in panels:
            self.assertGreaterEqual(axes.get_legend().get_window_extent().y0, axes.get_window_extent().y1)
            boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
            for left, right in zip(boxes, boxes[1:]):
                self.assertLess(left.x1, right.x0)

    def test_each_column_and_each_line_says_what_it_is_of_and_each_table_is_reached_by_keys(self):
        text, _ = self.page(boot(ring(), clock="counted"))
        parts = "".join(re.findall(r"<div.*?</div>", text, re.S))
        root = xml.etree.ElementTree.fromstring(f"<parts>{parts}</parts>")
        self.assertEqual(len(root), 2)
        for around in root:
            (table,) = around
            self.assertEqual({head.get("scope") for head in table.iterfind("thead/tr/th")}, {"col"})
            for line in table.iterfind("tbody/tr"):
                self.assertEqual([cell.tag for cell in line], ["th", "td"])
                self.assertEqual(line[0].get("scope"), "row")
            self.assertEqual(around.get("tabindex"), "0")
        labels = {around.get("aria-label") for around in root}
        numbers = "The numbers: median (quartiles)"
        self.assertEqual(labels, {f"round trip: {numbers}", f"Single measurements of time: {numbers}"})

    def test_a_page_of_nxrun_tells_of_linux_and_names_no_boot_s_command(self):
        runs = [nxrun(ring(unit=unit), f"/somewhere/own/{name}") for unit, name in ((60.0, "a"), (61.0, "b"))]
        text, _ = self.page(*runs)
        for words in ("2 processors, static dispatch</dd>", "<dd>Linux, 2 host cores</dd>"):
            self.assertIn(words, text)
        for words in ("make run", "/somewhere/own", "kernel unknown", "None"):
            self.assertNotIn(words, text)

    def test_the_free_clock_is_drawn_in_units_of_the_boots_own_ping_pong(self):
        _, pictures = self.page(*noisy(boots=2))
        self.assertIn("times the bare ping-pong", pictures["ring-round-trip-free.svg"])

    def test_every_program_becomes_a_page(self):
        gang = [row("create and add", members, 100.0 * members) for members in (2, 4, 6)]
        contend = [row(f"to one, {parties}", 0, 100.0 * parties) for parties in (1, 2, 4)]
        fft = [row("share", 2048 << n, 80.0 - n, unit="percent") for n in range(3)]
        fft += [row("spectrum", 2048, 4.0e17, 0, "digest", samples=1)]
        simplex = [row("share", 0, 77.0, unit="percent"), row("pivots", 0, 122.0, 0, "pivots", samples=1)]
        zeros = [row("nothing", size, 0.0) for size in (0, 1, 2)]
        many = [row(f"measurement {n}", 0, 1.0 + n) for n in range(100)]
        nodes = [row("each", size, 5.0 + node, node=node) for size in (0, 8) for node in range(3)]
        for app, rows in (
            ("gang", gang), ("contend", contend), ("fft", fft), ("simplex", simplex), ("zeros", zeros),
            ("many", many), ("nodes", nodes), ("none", []),
        ):  # fmt: skip
            with self.subTest(app=app):
                text, pictures = self.page(boot(rows, "exp1", app), boot(rows, "exp6", app))
                self.assertEqual(bool(pictures), app != "none")
                self.assertIn("no measurements" if app == "none" else app, text)
                shutil.rmtree(self.path("out"))

    def test_what_comes_to_nothing_beside_another_is_drawn_without_a_ratio(self):
        one, other = ([row("wait", size, time) for size in (0, 8)] for time in (5.0, 0.0))
        half = [one[0], other[1]]
        for rows in (half, other):
            text, _ = self.page(boot(one, "exp1", clock="counted"), boot(rows, clock="counted"))
            self.assertIn("0 x0 faster", text)
            shutil.rmtree(self.path("out"))

    def test_shares_of_time_are_drawn_from_a_profile(self):
        text, pictures = self.page(boot([], app="fft", times=times(), clock="counted"))
        picture = pictures["fft-time-counted.svg"]
        for word in ("40 %", "20 %", "waiting there", "node 1"):
            self.assertIn(word, picture)
        self.assertIn("60", text)

    def test_unsteady_rows_are_marked_and_judged_by_nobody(self):
        boots = noisy(design="exp1") + noisy(3.0, seed=2)
        for entry in boots[5:]:
            entry["rows"][2]["unsteady"] = True
        text, pictures = self.page(*boots)
        self.assertIn("5 measurements marked unsteady", text)
        self.assertIn("unsteady: the host was busy", pictures["ring-round-trip-free.svg"])
        self.assertIn("not to be told at 1", text)

    def test_what_is_no_number_is_left_out_and_said(self):
        rows = ring()
        rows[1]["median"] = None
        text, _ = self.page(boot(rows))
        self.assertIn("1 row left out: their figures are no finite numbers", text)

    def test_names_that_programs_choose_break_nothing(self):
        rows = [row(NAUGHTY, size, 5.0 + size, access=NAUGHTY) for size in (0, 8)]
        text, pictures = self.page(boot(rows, NAUGHTY, "x" + NAUGHTY.replace("/", "")))
        self.assertNotIn("<b>$", text)
        self.assertNotIn("\x1b", text + "".join(pictures.values()))

    def test_counts_that_differ_between_designs_are_said(self):
        one, other = ([row("spectrum", 0, value, 0, "digest", samples=1)] for value in (1e17, 2e17))
        self.assertIn(
            "differs between designs: spectrum", self.page(boot(one, "exp1"), boot(other, "exp6"))[0]
        )

    def test_an_earlier_page_is_replaced_and_what_is_not_its_own_stays(self):
        self.page(boot(ring(), clock="counted"))
        with open(self.path("out/mine.svg"), "w", encoding="utf-8") as file:
            file.write("<svg/>")
        self.page(boot(ring(), app="other", clock="counted"))
        found = sorted(os.listdir(self.path("out")))
        self.assertEqual(
            [name for name in found if name.startswith(("ring", "mine", ".parley"))], ["mine.svg"]
        )

    def test_a_full_disk_leaves_everything_as_it_was(self):
        record = self.record(boot(ring(), clock="counted"))
        pages.write(report.make(measurements.read([record])), self.path("out"))
        before = {
            name: os.stat(self.path(f"out/{name}")).st_mtime_ns for name in os.listdir(self.path("out"))
        }

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

        for folder in ("out", "new"):
            done = self.parley("report", record, f"OUT={folder}", preexec_fn=small_files)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn("File too large; nothing was written", done.stderr)
        after = {name: os.stat(self.path(f"out/{name}")).st_mtime_ns for name in os.listdir(self.path("out"))}
        self.assertEqual(before, after)
        self.assertFalse(os.path.exists(self.path("new")))

    def test_the_command_says_where_the_page_is_and_refuses_in_one_sentence(self):
        record = self.record(boot(ring(), clock="counted"))
        done = self.parley("report", f"RECORD={record}")
        self.assertIn("record-report/report.html and 2 pictures", done.stdout)
        for words, sentence in (
            ([], "No record is named."),
            (["none.json"], "There is no record none.json"),
            ([record, "OUT=/proc/x"], "/proc"),
            ([record, "BASE=exp9"], "no record has measurements of this design"),
            ([record, "DESIGN=exp1"], "There is no key 'DESIGN' here"),
            ([self.folder], "Is a directory"),
        ):
            with self.subTest(words=words):
                done = self.parley("report", *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(sentence, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)

    def test_a_missing_package_is_said_in_one_sentence_that_names_the_command(self):
        with unittest.mock.patch.dict(sys.modules, {"matplotlib": None, "jinja2": None}):
            with self.assertRaisesRegex(BadRequest, "apt-get install .*python3-matplotlib python3-jinja2$"):
                packages.need("matplotlib", "scipy", "jinja2")


def broken(value, chance: random.Random):
    """The same with one part replaced, removed or doubled."""
    value = copy.deepcopy(value)
    place, steps = value, chance.randint(1, 5)
    for _ in range(steps):
        if not isinstance(place, (dict, list)) or not place:
            break
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
        if not isinstance(place[key], (dict, list)) or not place[key] or chance.random() < 0.3:
            if chance.random() < 0.3:
                del place[key]
            else:
                junk = (None, True, -1, 1e308, 10**19, "", NAUGHTY, [], {}, [None], {"a": 1}, 0, 3.5, [[]])
                place[key] = copy.deepcopy(chance.choice(junk))
            break
        place = place[key]
    return value


@unittest.skipIf(MISSING, MISSING)
class BrokenRecords(InAFolder):
    def test_a_thousand_broken_records_end_in_a_page_or_in_one_sentence(self):
        chance = random.Random(7)
        whole = {"format": "parley-record-1",
                 "runs": [boot(ring(), "exp1", times=times(), clock="counted"),
                          boot(ring(), "exp6", times=times(), clock="counted")]}  # fmt: skip
        whole["runs"] += noisy(boots=2)
        good = refused = 0
        for number in range(1000):
            variant = broken(whole, chance)
            path = self.path("r.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(json.dumps(variant))
            try:
                records = measurements.read([path])
                found = measurements.sections(records)
                judged = [report.judge(section) for section in found]
                compare.compare(records.columns, records.columns, ("A", "B"))
                if number % 200 == 0:
                    pages.render(report.make(records))
                good += bool(judged)
            except BadRequest as problem:
                self.assertEqual(str(problem).count("\n"), 0)
                refused += 1
        self.assertGreater(good, 100)
        self.assertGreater(refused, 100)

    def test_what_is_no_json_is_refused(self):
        for text in (
            "",
            "{",
            "[]",
            "null",
            "\x00",
            "[" * 100000,
            '{"format": "parley-record-1", "runs": {}}',
        ):
            with self.subTest(text=text[:20]):
                with open(self.path("r.json"), "w", encoding="utf-8") as file:
                    file.write(text)
                with self.assertRaises(BadRequest):
                    measurements.read([self.path("r.json")])


def judged(before, after):
    """Verdicts of the rows that both lists of boots have, by name and bytes. Their records have one name, as
    those of one command before and after a change."""
    folder = tempfile.mkdtemp(prefix="parley-test-")
    try:
        paths = []
        for name, side in (("before", before), ("after", after)):
            os.mkdir(os.path.join(folder, name))
            paths.append(written(os.path.join(folder, name, "record.json"), *side))
        sides = [records.columns for records in measurements.read_each(paths)]
    finally:
        shutil.rmtree(folder)
    made = compare.compare(*sides, ("A", "B"))
    return {(change.key[0], change.key[3]): change.verdict for change in made.changes}


@unittest.skipIf(MISSING, MISSING)
class Verdicts(unittest.TestCase):
    TRIPS = [("round trip", size) for size in (0, 128, 1024)]

    def test_what_is_the_same_is_seldom_called_different(self):
        for boots in (1, 5):
            wrong = 0
            for seed in range(40):
                found = judged(noisy(boots=boots, seed=2 * seed), noisy(boots=boots, seed=2 * seed + 1))
                wrong += any(verdict.differs for verdict in found.values())
            self.assertLess(wrong, 6, f"{boots} boots: of 40 comparisons")

    def test_what_differs_is_found_with_enough_boots(self):
        right = 0
        for seed in range(20):
            found = judged(noisy(boots=6, seed=2 * seed), noisy(1.2, boots=6, seed=2 * seed + 1))
            right += all(found[trip].kind == verdicts.HIGHER for trip in self.TRIPS)
        self.assertGreater(right, 17, "of 20")

    def test_one_boot_each_tells_a_large_difference_and_no_small_one(self):
        for factor, kind in ((2.0, verdicts.HIGHER), (0.5, verdicts.LOWER), (1.15, verdicts.SAME)):
            found = judged([boot(ring())], [boot(ring(factor))])
            self.assertEqual({found[trip].kind for trip in self.TRIPS}, {kind}, factor)

    def test_a_host_that_is_twice_as_slow_is_no_difference(self):
        found = judged([boot(ring(unit=60))], [boot(ring(unit=120))])
        self.assertFalse(any(verdict.differs for verdict in found.values()))

    def test_crowds_are_compared_by_time_and_not_by_the_ping_pong(self):
        """Here the second host's ping-pong is twice the first's, and so is its barrier of four."""
        sides = []
        for factor, seed in ((1.0, 1), (2.0, 2)):
            boots = noisy(seed=seed, scatter=0.01)
            for number, entry in enumerate(boots):
                entry["rows"][0]["median"] = 60 * factor
                times = {"barrier, 4": 2000.0, "to one, 2": 500.0}
                entry["rows"] += [
                    row(name, 0, time * factor * (1 + 0.01 * number)) for name, time in times.items()
                ]
            sides.append(boots)
        found = judged(*sides)
        self.assertEqual(found["barrier, 4", 0].kind, verdicts.HIGHER)
        self.assertAlmostEqual(found["barrier, 4", 0].ratio, 2.0, delta=0.05)
        self.assertEqual(found["to one, 2", 0].kind, verdicts.SAME)

    def test_the_counted_clock_is_exact(self):
        for apart, kind in ((0, verdicts.SAME), (1, verdicts.HIGHER), (-1, verdicts.LOWER)):
            after = ring()
            after[2]["median"] += apart
            found = judged([boot(ring(), clock="counted")], [boot(after, clock="counted")])
            self.assertEqual(found["round trip", 128].kind, kind)
            self.assertEqual(found["round trip", 0].kind, verdicts.SAME)

    def test_times_of_equal_medians_are_the_same_whatever_single_samples_say(self):
        for figure in ("maximum", "upper_quartile"):
            after = ring()
            after[2][figure] += 40
            found = judged([boot(ring(), clock="counted")], [boot(after, clock="counted")])
            self.assertEqual(found["round trip", 128].kind, verdicts.SAME, figure)
            self.assertEqual(found["round trip", 128].why, verdicts.OTHER_SAMPLES)

    def test_what_a_program_counts_is_compared_whole(self):
        one, other = ([row("messages", 0, 100.0, 0, "messages", samples=3)] for _ in range(2))
        other[0]["maximum"] += 1
        self.assertTrue(judged([boot(one)], [boot(other)])["messages", 0].differs)

    def test_how_often_boots_count_what_is_compared_too(self):
        sides = [
            [boot([row("messages", 0, value, 0, "messages", samples=1)]) for value in values]
            for values in ((1.0, 1.0, 2.0), (1.0, 2.0, 2.0))
        ]
        self.assertTrue(judged(*sides)["messages", 0].differs)

    def test_counts_are_exact_under_every_clock(self):
        one, other = ([row("messages", 0, value, 0, "messages", samples=1)] for value in (100.0, 101.0))
        self.assertTrue(judged([boot(one)], [boot(other)])["messages", 0].differs)

    def test_a_time_of_nothing_is_told_from_one_of_ten_ping_pongs(self):
        """It has no ratio; the error of what is in ping-pongs is, too."""
        one, other = ([*ring(), row("wait", 0, time, 0.05)] for time in (600.0, 0.0))
        verdict = judged([boot(one)], [boot(other)])["wait", 0]
        self.assertEqual((verdict.kind, verdict.figures), (verdicts.LOWER, (10.0, 0.0)))
        self.assertTrue(verdict.divided)

    def test_figures_around_zero_have_no_ratio(self):
        for before, after, ratio in ((-5.0, -10.0, None), (5.0, -5.0, None), (5.0, 0.0, 0.0)):
            one, other = ([row("wait", 0, time, 0)] for time in (before, after))
            verdict = judged([boot(one, clock="counted")], [boot(other, clock="counted")])["wait", 0]
            self.assertEqual((verdict.kind, verdict.ratio), (verdicts.LOWER, ratio))

    def test_a_busy_host_is_not_judged(self):
        found = judged([boot(ring(unit=5e6))], [boot(ring(3.0))])
        self.assertEqual({found[trip].kind for trip in self.TRIPS}, {verdicts.UNTOLD})
        self.assertIn("busy", found["round trip", 0].why)

    def test_jobs_of_one_boot_are_compared_as_measured_there(self):
        """The boot is the same, so how far boots lie apart is none of its noise."""
        rows = ring() + [{**entry, "job": 1} for entry in ring(1.15, spread=0.01)]
        whole = boot([{**entry} for entry in rows])
        whole["jobs"].append({**whole["jobs"][0], "job": 1})
        whole["asked"]["jobs"].append({**whole["asked"]["jobs"][0], "design": "exp1"})
        folder = tempfile.mkdtemp(prefix="parley-test-")
        self.addCleanup(shutil.rmtree, folder)
        records = measurements.read([written(os.path.join(folder, "r.json"), whole)])
        (section,) = measurements.sections(records)
        found = report.judge(section)
        self.assertEqual(found[1, ("round trip", "none", "ns", 128, 0)].kind, verdicts.HIGHER)


@unittest.skipIf(MISSING, MISSING)
class Comparisons(InAFolder):
    def compare(self, *words) -> subprocess.CompletedProcess:
        return self.parley("compare-runs", *words)

    def setUp(self):
        super().setUp()
        slower = ring()
        slower[1]["median"] += 7
        self.a = self.record(boot(ring(), clock="counted"), name="a.json")
        self.b = self.record(boot(slower, clock="counted"), name="b.json")
        self.free = self.record(boot(ring()), name="free.json")

    def test_the_status_says_whether_something_changed(self):
        self.assertEqual(self.compare("a.json", "a.json").returncode, 0)
        done = self.compare("A=a.json", "B=b.json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"round trip, us +1.80 +1.81 +1.004 +exact +slower")
        self.assertIn("Changed: 1 slower; 3 of 4 measurements the same.", done.stdout)

    def test_as_many_digits_are_printed_as_tell_two_figures_apart(self):
        for unit, apart, line in (
            ("ns", 0.25, r"trip, us +1\.8003 +1\.8 +0\.9999 +exact +faster"),
            ("ns", 1 / 3e5, r"trip, us +1\.800000003 +1\.8 +0\.999999998 +exact +faster"),
            ("digest", 1.0, r"trip, digest +[0-9a-f]{8} +[0-9a-f]{8} +- +exact +"),
        ):
            sides = [[row("round trip", 0, 1800.0 + shift, 0, unit)] for shift in (apart, 0.0)]
            boots = [boot(rows, clock="counted") for rows in sides]
            paths = [self.record(one, name=f"{place}.json") for place, one in enumerate(boots)]
            done = self.compare(*paths)
            self.assertRegex(done.stdout, line)

    def test_times_of_crowds_are_said_to_be_compared_as_measured(self):
        crowd = [*ring(), row("barrier, 8", 0, 1000.0)]
        self.record(boot(crowd), name="c.json")
        done = self.compare("c.json", self.record(boot(crowd), name="d.json"))
        self.assertIn("1 time of more than two parties compared as measured: a ping-pong of two", done.stdout)
        self.assertNotIn("for want of a bare ping-pong", done.stdout)

    def test_records_of_one_name_in_two_folders_are_of_two_boots(self):
        twice_as_slow = [boot(ring(unit=120))]
        for place, boots in (("before", [boot(ring(unit=60))]), ("after", twice_as_slow)):
            os.mkdir(self.path(place))
            written(self.path(f"{place}/x.json"), *boots)
        done = self.compare("before/x.json", "after/x.json")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("No change beyond the noise", done.stdout)

    def test_two_files_are_two_boots_and_one_file_is_one_however_it_is_named(self):
        for first, second, boots in (("y", "y.json", 2), ("y.json", "./y.json", 1)):
            for path in (first, second):
                written(self.path(path), boot(ring()))
            sides = measurements.read_each([self.path(first), self.path(second)])
            names = {column.boot for records in sides for column in records.columns}
            self.assertEqual(len(names), boots, (first, second))

    def test_a_single_sample_is_a_note_and_no_change(self):
        other = ring()
        other[1]["maximum"] += 7
        self.record(boot(other, clock="counted"), name="c.json")
        done = self.compare("a.json", "c.json")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 measurement with equal medians whose other samples", done.stdout)
        self.assertIn("No change beyond the noise: 4 of 4 measurements the same.", done.stdout)

    def test_json_says_the_same(self):
        done = self.compare("a.json", "b.json", "--json")
        data = json.loads(done.stdout)
        self.assertEqual((done.returncode, data["changed"], len(data["rows"])), (1, True, 4))
        self.assertEqual([entry["verdict"] for entry in data["rows"]].count("slower"), 1)

    def test_what_is_gone_or_ended_otherwise_is_a_change(self):
        lost = self.record(boot(ring()[:-1], clock="counted"), name="lost.json")
        done = self.compare(self.a, lost)
        self.assertEqual(done.returncode, 1)
        self.assertIn("round trip, 1024 bytes is not in lost", done.stdout)
        failed = boot(ring(), clock="counted")
        failed["jobs"][0]["status"] = "failed"
        done = self.compare(self.a, self.record(failed, name="failed.json"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("ended with ok in a, with failed in failed", done.stdout)

    def test_two_designs_are_compared_when_each_record_has_one(self):
        done = self.compare(self.a, self.record(boot(ring(2.0), "exp1", clock="counted"), name="c.json"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("exp6, 2 nodes in a is set beside ring, exp1, 2 nodes in c", done.stdout)

    def test_bad_input_is_refused_in_one_sentence(self):
        other = self.record(boot(ring(), app="other", clock="counted"), name="other.json")
        for words, sentence in (
            ([], "Two records are compared, not 0"),
            ([self.a], "Two records are compared, not 1"),
            ([self.a, "none.json"], "There is no record none.json"),
            ([self.a, self.free], "different clocks cannot be compared"),
            ([self.a, other], "nothing in common"),
            ([self.a, self.b, "--jason"], "Did you mean --json?"),
        ):
            with self.subTest(words=words):
                done = self.compare(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(sentence, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
