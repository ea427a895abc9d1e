# SPDX-License-Identifier: MIT
"""The pictures of `make paper` from made measurements."""

import contextlib
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from unittest import mock

import draw
import modelled
import modelled_inputs
from paper import measurements, modelled_boots, modelled_numbers, modelled_orderings, published
from parley_report import packages
from parley_runner.status import BadRequest

try:
    packages.need("matplotlib", "jinja2")
    MISSING = ""
except BadRequest as problem:
    MISSING = str(problem)
DESIGNS = ("exp1", "exp2", "exp6", "nx2")


def fft_rows(nodes, design):
    rows = {}
    for points in (128, 1024):
        size = 16 * points
        rows["fft time", size] = 1e6 / nodes + 100 * DESIGNS.index(design) + points
        rows["share", size] = 50.0
        rows["messages", size] = 8.0 * nodes
        rows["bytes sent", size] = 64.0 * points
    return rows


def simplex_rows(nodes, design):
    return {("simplex time", 0): 1e6 / nodes + DESIGNS.index(design), ("share", 0): 10.0 * nodes,
            ("messages", 0): 300.0 * nodes, ("selection messages", 128): 240.0 * nodes,
            ("pivot messages", 816): 60.0 * nodes}  # fmt: skip


def measured(rows):
    return {(nodes, design): rows(nodes, design) for nodes in (1, 2, 4, 8) for design in DESIGNS}


def make_data(folder):
    curve = {size: 1000.0 + size for size in (128, 1024, 4096)}
    statements = [["exp2 is flat", ""], ["exp4 is far above exp6", "only 1.41 times at 128 bytes"]]
    measurements.keep(folder, "orderings", {"curves": {d: curve for d in DESIGNS}, "statements": statements})
    activities = [{"activity": f"part {n}", "ours": 100 + n, "paper": 50 * n + 50} for n in range(4)]
    measurements.keep(folder, "breakdown", {"activities": activities})
    measurements.keep(folder, "fft", {"measured": measurements.plain(measured(fft_rows))})
    measurements.keep(folder, "simplex", {"measured": measurements.plain(measured(simplex_rows))})
    stations = ["create and add", "schedule and collect", "ready to running, min", "ready to running, max"]
    counted = [[name, count, 100.0 * count] for name in stations for count in (2, 4, 6, 8)]
    free = [["collect, flooded", count, 1e6 * count] for count in (2, 4, 8)]
    measurements.keep(
        folder, "gangs", {"stations": stations, "processors": 16, "counted": counted, "free": free}
    )


@unittest.skipIf(MISSING, MISSING)
class PaperFigures(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.data, self.out = os.path.join(self.folder, "data"), os.path.join(self.folder, "out")

    def paper(self) -> subprocess.CompletedProcess:
        """In this process, which has read matplotlib once for all."""
        words, said, complained = ["draw.py", self.data, self.out], io.StringIO(), io.StringIO()
        with (
            mock.patch.object(sys, "argv", words),
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(complained),
        ):
            status = draw.main()
        return subprocess.CompletedProcess(words, status, said.getvalue(), complained.getvalue())

    def test_the_command_draws(self):
        make_data(self.data)
        command = [sys.executable, "-B", draw.__file__, self.data, self.out]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"paper.html and \d+ pictures \(SVG\) beside it\n$")

    def test_every_figure_is_drawn_with_the_published_numbers_beside_ours(self):
        make_data(self.data)
        done = self.paper()
        self.assertEqual(done.returncode, 0, done.stderr)
        found = {}
        for name in os.listdir(self.out):
            with open(os.path.join(self.out, name), encoding="utf-8") as file:
                found[name] = file.read()
        page = found.pop("paper.html")
        figures = {f"paper-{number}.svg" for number in ("02 03 04 16 17 18 19 20 21 22 23 24".split())}
        self.assertEqual(set(found), figures | {"paper-messages.svg"})
        for name, picture in found.items():
            xml.etree.ElementTree.fromstring(picture.encode())
            self.assertIn(f'href="{name}"', page)
        for name in ("02", "03", "04", "16", "18", "21", "23"):
            self.assertIn("paper", found[f"paper-{name}.svg"].split("</metadata>")[-1], name)
        self.assertIn(str(published.SIMPLEX_MESSAGES[8]), page)
        self.assertIn("Does not hold here: exp4 is far above exp6", page)
        # Instructions over microseconds are no ratio.
        heads = ("part 0, ours (instructions)", "part 0, paper (microseconds)", "exp2, ours (µs, counted)")
        for head in heads:
            self.assertIn(f'<th scope="col">{head}</th>', page)
        for name in ("part 0", "exp2"):
            self.assertNotIn(f"<th scope=\"col\">{name}, ratio</th>", page)

    def test_the_modelled_machines_figures_have_the_published_numbers_and_ratios(self):
        results = modelled_inputs.on_the_model()
        with contextlib.redirect_stdout(io.StringIO()):
            modelled.report(modelled_boots.QUICK, results, modelled_inputs.ADVICE, self.data)
        done = self.paper()
        self.assertEqual(done.returncode, 0, done.stderr)
        numbers = "02 03 04 06 07 09 10 12 13 16 17 18 19 20 21 22 23 24".split()
        self.assertEqual(
            set(os.listdir(self.out)), {"paper.html", *(f"paper-{number}.svg" for number in numbers)}
        )
        with open(os.path.join(self.out, "paper.html"), encoding="utf-8") as file:
            page = html.unescape(re.sub(r'"data:[^"]*"', "", file.read()))
        wanted = [f"Figure {int(number)}" for number in numbers]
        for said, reason in modelled_orderings.reasons().items():
            wanted += [said, reason]
        for said, reason in modelled_numbers.reasons().items():
            wanted += [said, reason]
        wanted += [f"{results.pointer[8].reads:.0f} reads of a transform", "14 of 19 hold"]
        wanted += [f">exp6, {of}<" for of in ("ours", "paper", "ratio", "hypercube")]
        wanted += ["<td>an input: calibrated</td>", "<td>predicted</td>", "simplex messages of a step"]
        wanted += ["Figure 6: round trips by size: The numbers, µs"]
        wanted += [f"On {machine}" for machine in modelled_inputs.ADVICE]
        self.assertEqual([text for text in wanted if text not in page], [])
        self.assertNotIn("Not measured", page)

    def test_what_was_not_measured_is_named(self):
        make_data(self.data)
        os.unlink(os.path.join(self.data, "gangs.json"))
        self.assertEqual(self.paper().returncode, 0)
        with open(os.path.join(self.out, "paper.html"), encoding="utf-8") as file:
            self.assertIn("Not measured: gangs (studies/paper/tools/gangs.py)", file.read())

    def test_bad_measurements_are_refused_in_one_sentence_and_nothing_is_written(self):
        self.assertEqual(self.paper().returncode, 2)
        make_data(self.data)
        for text in ("{", "{}", "[]", json.dumps({"measured": [{}]}), json.dumps({"measured": 3})):
            with self.subTest(text=text):
                with open(os.path.join(self.data, "fft.json"), "w", encoding="utf-8") as file:
                    file.write(text)
                done = self.paper()
                self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
                self.assertIn("applications.py fft", done.stderr)
                self.assertFalse(os.path.exists(self.out))


if __name__ == "__main__":
    unittest.main()
