# SPDX-License-Identifier: MIT
"""What is asked of Active Messages on the modelled Enterprise 5000, of runs made by hand: each statement
holds of the thesis's own numbers, and each fails where it should."""

import contextlib
import io
import os
import subprocess
import sys
import unittest
import unittest.mock
from dataclasses import replace

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

import modelled  # noqa: E402
from clumps import document, exact, modelled_statements as statements, network  # noqa: E402
from clumps import polling, slow_interfaces  # noqa: E402
from clumps.modelled_runs import Run, Told, figures_in  # noqa: E402
from parley_study.statements import listed  # noqa: E402
from test_clumps_exact import LOOKS  # noqa: E402

PRINTED = document.read()
PROCESSORS = [{"clock": 9e9, "memory_time": 0, "bus_transfers": 0, "bus_waiting": 0}]


def of(figures: dict[str, float], messages: int | None = None) -> Told:
    return Told({name: (value, 0.01) for name, value in figures.items()}, PROCESSORS, messages)


def loggp() -> dict[str, Told]:
    """As printed, and blocks that take 50 us and once 8, of which half reach half of the bandwidth."""
    times = {f"transfer, {bytes_}": 8 + bytes_ * 50 / 8192 for bytes_ in (1024, 4096, 8192, 16384, 32768)}
    cells = PRINTED.loggp
    return {claim: of({name: cells[name][claim] for name in cells} | times) for claim in PRINTED.claims}


def many_to_one() -> dict[str, Told]:
    cells = PRINTED.many_to_one
    return {
        claim: of({statements.writers(count): by_claim[claim] for count, by_claim in cells.items()})
        for claim in PRINTED.claims
    }


def sample() -> dict[str, Told]:
    times = PRINTED.dedicated["SAMPLE"]
    return {claim: of({"time": times[claim]}, 76517) for claim in PRINTED.claims}


def polled(**figures: float) -> Told:
    """As printed, where it is; and beside that one look in sixteen polls, or in each."""
    found = {"a look": 2.6, "fixed": 15.0, "fractional:16": 7.0} | PRINTED.polling
    return of(found | {name.replace("_", ":"): value for name, value in figures.items()})


def column(name: str) -> Told:
    """Of table 7.6, where L of its last column is what it is calibrated by."""
    return of({parameter: cells[name] for parameter, cells in PRINTED.protocols.items()})


def joined(**times: float) -> tuple:
    """Table 7.6 as printed, and EM3D with these times in place of what the model of chapter 8 gives: for
    processors that communicate half of their time, of whose messages those go to others that do."""
    loggp_of = {network.WITHIN: column("within"), network.BETWEEN: column("between")}
    parts = {1: 0.0, 2: 0.3, 4: 0.6, 8: 1.0}
    mesh = {count: replace(of({"time": 1000.0}), remote=part) for count, part in parts.items()}
    mesh[1] = of({"time": 550.0})
    alone = of({"time": 500.0})
    for count in (2, 4):
        time = times.get(f"of{count}", network.predicted(mesh, alone, count))
        mesh[count] = replace(mesh[count], figures={"time": (time, 1.0)})
    mesh[1] = of({"time": times.get("of1", 550.0)})
    return column("one"), loggp_of, mesh, alone, PRINTED


# Of commit 8ada4fc9, and what chapter 8's model gives for it.
BY_MODEL = {"1 interface": 8116.0, "2 pooled": 4094.0, "2 divided": 4316.0}


def slowed(**times: float) -> tuple:
    """EM3D over slow interfaces with these times in place of what the model of chapter 8 gives."""
    slow = {
        name: replace(of({"time": times.get(name, time)}), remote=0.264) for name, time in BY_MODEL.items()
    }
    slow[slow_interfaces.WORKSTATIONS] = replace(of({"time": 6455.0}), remote=0.8)
    return slow, of({"time": 1146.0}), of({"time": 312.0})


def changed(told: dict[str, Told], claim: str, **figures: float) -> dict[str, Told]:
    """With these numbers of one claim in place of its own."""
    new = {name: (value, 0.01) for name, value in figures.items()}
    return told | {claim: replace(told[claim], figures=told[claim].figures | new)}


class Statements(unittest.TestCase):
    def judged(self, told: dict[str, Told], name: str) -> dict[str, statements.Verdict]:
        found = {
            "loggp": lambda: statements.of_loggp(told) + statements.of_bandwidth(told),
            "many_to_one": lambda: statements.of_many_to_one(told),
            "sample": lambda: statements.of_sample(told, 8, 262144),
            "printed": lambda: statements.of_printed(told, PRINTED),
        }[name]()
        return {verdict.sentence: verdict for verdict in found}

    def fails(self, told: dict[str, Told], name: str, *words: str) -> None:
        """The statements that have these words fail, each of its own, and no other."""
        wrong = [sentence for sentence, verdict in self.judged(told, name).items() if not verdict.holds]
        self.assertEqual(len(wrong), len(words), wrong)
        for word in words:
            self.assertTrue(any(word in sentence for sentence in wrong), (word, wrong))

    def test_all_hold_of_what_the_thesis_prints(self):
        """But that its L follows from its other numbers to some hundredths."""
        self.fails(many_to_one(), "many_to_one")
        self.fails(sample(), "sample")
        self.fails(loggp(), "printed")
        exact = loggp()
        for claim, run in loggp().items():
            exact = changed(exact, claim, L=run["RTT"] / 2 - run["o_s"] - run["o_r"])
        self.fails(exact, "loggp")
        self.exact = exact

    def loggp_changed(self, claim: str, **figures: float) -> dict[str, Told]:
        self.test_all_hold_of_what_the_thesis_prints()
        return changed(self.exact, claim, **figures)

    def test_a_latency_that_does_not_follow_is_found(self):
        self.fails(self.loggp_changed("anderson", L=-0.9), "loggp", "L is half a round trip")

    def test_a_latency_above_zero_is_found(self):
        told = self.loggp_changed("fifo", L=0.5, RTT=2 * (0.5 + 1.883 + 1.49))
        self.fails(told, "loggp", "below zero", "within 10 %", "longest round trip")

    def test_a_round_trip_that_stands_out_is_found(self):
        told = self.loggp_changed("anderson", RTT=6.1, L=6.1 / 2 - 1.884 - 1.49)
        self.fails(told, "loggp", "within 10 %")

    def test_a_sleeping_lock_that_is_no_slower_is_found(self):
        told = self.loggp_changed("preemption-safe", RTT=5.7, L=5.7 / 2 - 2.160 - 1.57)
        self.fails(told, "loggp", "longest round trip")

    def test_a_gap_that_is_more_than_its_parts_is_found(self):
        self.fails(self.loggp_changed("fifo", g=4.5), "loggp", "g is o_s + o_r")

    def test_blocks_that_overlap_less_when_they_are_few_are_found(self):
        told = self.loggp_changed("fifo", **{"transfer, 16384": 130.0})
        self.fails(told, "loggp", "formula")

    def test_a_block_alone_that_is_slow_is_found(self):
        slow = {f"transfer, {bytes_}": 70 + bytes_ * 50 / 8192 for bytes_ in (1024, 4096, 8192, 16384, 32768)}
        self.fails(self.loggp_changed("fifo", **slow), "loggp", "half of the bandwidth")

    def test_another_order_at_seven_writers_is_found(self):
        told = changed(many_to_one(), "ticket-claim", **{"7 writers": 3.7})
        self.fails(told, "many_to_one", "order of table 6.4")

    def test_a_second_writer_that_adds_nothing_is_found(self):
        told = changed(many_to_one(), "anderson", **{"2 writers": 3.3})
        self.fails(told, "many_to_one", "second writer")

    def test_a_test_and_set_that_does_not_rise_is_found(self):
        told = changed(many_to_one(), "test-and-set", **{"5 writers": 4.2})
        self.fails(told, "many_to_one", "with each writer")

    def test_a_lock_free_claim_that_rises_is_found(self):
        told = changed(many_to_one(), "lock-free", **{"4 writers": 3.95})
        self.fails(told, "many_to_one", "no longer with more writers")

    def test_no_exception_at_two_writers_is_found(self):
        told = changed(many_to_one(), "lock-free", **{"2 writers": 3.7})
        self.fails(told, "many_to_one", "behind the simple spin locks", "no longer with more writers")

    def test_a_fifo_that_is_behind_is_found(self):
        told = changed(many_to_one(), "fifo", **{"6 writers": 3.72})
        self.fails(told, "many_to_one", "before lock-free")

    def test_a_sort_that_is_no_faster_without_locks_is_found(self):
        self.fails(changed(sample(), "lock-free", time=0.9), "sample", "faster under lock-free")

    def test_a_sort_that_is_not_slowest_where_waiters_sleep_is_found(self):
        self.fails(changed(sample(), "preemption-safe", time=1.0), "sample", "slowest")

    def test_messages_that_do_not_follow_are_found(self):
        told = sample()
        told["fifo"] = replace(told["fifo"], messages=90000)
        self.fails(told, "sample", "short messages that follow")

    def test_numbers_far_from_the_printed_are_found(self):
        self.fails(changed(loggp(), "fifo", G=7.0), "printed", "15 %")
        self.fails(changed(loggp(), "fifo", L=-0.9), "printed", "0.2 us")

    def test_polling_that_adds_too_much_or_too_little_is_found(self):
        for told, wrong in (
            (polled(), ""),
            (polled(adaptive_4_64=6.8), "adaptive polling adds at most 20 %"),
            (polled(fixed=10.7), "naive polling adds a whole look"),
        ):
            found = [verdict.sentence for verdict in polling.statements(told) if not verdict.holds]
            self.assertEqual(len(found), bool(wrong), found)
            self.assertIn(wrong, "".join(found))

    def wrong_of_network(self, asked: tuple) -> list[str]:
        return [verdict.sentence for verdict in network.statements(*asked) if not verdict.holds]

    def test_all_that_is_asked_of_several_multiprocessors_holds_of_what_is_printed(self):
        self.assertEqual(self.wrong_of_network(joined()), [])

    def test_what_does_not_hold_of_several_multiprocessors_is_found(self):
        for side, figure, value, *words in (
            (network.BETWEEN, "L", -0.1, "L is above zero", "L is within 15 %"),
            (network.BETWEEN, "L", 15.0, "L is within 15 %"),
            (network.BETWEEN, "G", 36.0, "G is within 15 %"),
            (network.BETWEEN, "o_r", 7.0, "round trip, o_s, o_r and g"),
            (network.BETWEEN, "o_s", 9.0, "round trip, o_s, o_r and g", "to receive takes longer"),
            (network.WITHIN, "RTT", 6.8, "at most 20 % longer"),
            (network.WITHIN, "g", 5.0, "as many times as long"),
        ):
            with self.subTest(figure=figure, value=value):
                asked = joined()
                asked = (asked[0], changed(asked[1], side, **{figure: value}), *asked[2:])
                wrong = self.wrong_of_network(asked)
                self.assertEqual(len(wrong), len(words), wrong)
                for sentence, word in zip(wrong, words, strict=True):
                    self.assertIn(word, sentence)

    def test_a_mesh_that_is_not_as_the_thesis_says_is_found(self):
        wrong = self.wrong_of_network(joined(of4=1001.0))
        self.assertTrue(any("share an interface than on workstations" in one for one in wrong), wrong)
        wrong = self.wrong_of_network(joined(of2=joined()[2][2]["time"] * 1.2))
        self.assertTrue(any("chapter 8's model" in one for one in wrong), wrong)
        wrong = self.wrong_of_network(joined(of1=990.0))
        self.assertTrue(any("fastest on one" in one for one in wrong), wrong)

    def test_slow_interfaces_that_are_not_as_chapter_8_says_are_found(self):
        def wrong(**times: float) -> list[str]:
            asked = slow_interfaces.statements(*slowed(**times))
            return [verdict.sentence for verdict in asked if not verdict.holds]

        self.assertEqual(wrong(), [])
        for name, time in BY_MODEL.items():
            self.assertAlmostEqual(slow_interfaces.predicted(*slowed(), name), time, delta=1)
        by_model = BY_MODEL
        for name in slow_interfaces.MACHINES:
            (sentence,) = wrong(**{name: by_model[name] * (0.84 if name != "2 divided" else 1.16)})
            self.assertIn("chapter 8's model within 15 %", sentence)
        (sentence,) = wrong(**{"2 pooled": by_model["2 divided"] + 1})
        self.assertIn("faster where two are pooled", sentence)

    def test_slow_interfaces_are_told_beside_the_model(self):
        text = "\n".join(slow_interfaces.lines(*slowed()))
        for cell in ("on 2 of 4; on workstations it takes 6455 us", "1 interface", "2 pooled", "2 divided"):
            self.assertIn(cell, text)

    def test_a_run_over_slow_interfaces_says_so(self):
        runs = slow_interfaces.runs_of()
        words = {name: run.words("record") for name, run in runs.items()}
        self.assertIn("INTERFACE=message=30us", words["workstations"])
        self.assertIn("MULTIPROCESSORS=8", words["workstations"])
        self.assertIn("INTERFACE=message=30us,number=2", words["2 pooled"])
        self.assertIn("INTERFACE=message=30us,pools=2", words["2 divided"])
        self.assertEqual(len({run.name for run in (*runs.values(), network.mesh_run(2))}), 5)
        self.assertNotIn("INTERFACE", " ".join(network.mesh_run(2).words("record")))

    def test_several_multiprocessors_are_told_beside_the_printed(self):
        text = "\n".join(network.lines(*joined()))
        for cell in ("12.56+-0.01 (12.56)", "2.135+-0.01 (2.135)", "2 of 4", "messages it takes 500 us"):
            self.assertIn(cell, text)

    def test_a_run_on_several_multiprocessors_says_so(self):
        run = network.mesh_run(4)
        self.assertIn("MULTIPROCESSORS=4", run.words("record"))
        self.assertIn("DESIGN=native,port=lock-free,polling=adaptive:4:64", run.words("record"))
        self.assertIn("DESIGN=native,port=lock-free", network.mesh_run(1).words("record"))
        self.assertIn("--processors 2", run.arguments)
        self.assertNotEqual(run.name, replace(run, multiprocessors=1).name)
        self.assertIn("--remote 0 ", network.alone_run().arguments)

    def test_what_polling_adds_is_told_beside_the_printed(self):
        text = "\n".join(polling.lines(polled(), PRINTED))
        for cell in ("6.675+-0.01 (6.675)", "19 % (19 %)", "168 %", "3.6"):
            self.assertIn(cell, text)

    def test_a_run_that_differs_is_found(self):
        one = of({})
        self.assertTrue(statements.of_repeated(one, of({})).holds)
        two = replace(one, processors=[PROCESSORS[0] | {"clock": 9e9 + 1}])
        self.assertFalse(statements.of_repeated(one, two).holds)

    def test_what_a_message_takes_is_what_more_of_them_add(self):
        counts = {"atomic": 100} | PROCESSORS[0]
        more = {name: value + 1000 for name, value in counts.items()} | {"memory_time": 3e7}
        less = replace(of({}), processors=[counts, counts])
        found = statements.taken(less, replace(less, processors=[more, more]), 10)
        self.assertEqual((found.atomic, found.transfers), (200, 200))
        self.assertAlmostEqual(found.memory, 6)


class Command(unittest.TestCase):
    def test_what_the_page_lists_is_asked(self):
        asked = {
            verdict.sentence
            for verdict in (
                *statements.of_loggp(loggp()),
                *statements.of_bandwidth(loggp()),
                *statements.of_many_to_one(many_to_one()),
                *statements.of_sample(sample(), 8, 262144),
                *statements.of_printed(loggp(), PRINTED),
                *exact.statements(polled(), (of({}), of({})), PRINTED),
                *modelled.of_chapter_8(),
                *polling.statements(polled()),
                *network.statements(*joined()),
                *slow_interfaces.statements(*slowed()),
                statements.of_repeated(of({}), of({})),
            )
        }
        self.assertEqual(set(listed(modelled.DOCUMENT)) - asked, set())

    def study(self, many: dict[str, Told], full: bool = False) -> tuple[int, str]:
        """What it says of runs that would have found the thesis's numbers, where the page lists nothing."""
        counts = [{"atomic": 1} | PROCESSORS[0]]
        by_program = {"loggp": loggp(), "many_to_one": many, "sample_sort": sample()}
        by_program["two_sources"] = {"lock-free": replace(polled(), looks=LOOKS)}
        _, far, mesh, alone, _ = joined()

        def found_by(run: Run) -> Told:
            if run in exact.rows_runs():
                return replace(of({"time": 1.0}), bulk=56, remote=0.57)
            if run == network.alone_run():
                return alone
            for name, one in slow_interfaces.runs_of().items():
                if run == one:
                    return slowed()[0][name]
            if run.program == "em3d":
                return mesh[run.multiprocessors]
            if run.multiprocessors > 1:
                return far[network.BETWEEN if run.nodes == run.multiprocessors else network.WITHIN]
            return by_program[run.program][run.claim]

        def all_of(runs: list[Run], _: str, __: str) -> dict[Run, Told]:
            found = {run: found_by(run) for run in runs}
            return {run: replace(told, processors=counts) for run, told in found.items()}

        told = io.StringIO()
        with (
            unittest.mock.patch.object(modelled, "all_of", all_of),
            unittest.mock.patch.object(modelled, "listed", lambda _: {}),
            contextlib.redirect_stdout(told),
        ):
            return modelled.study("records", full, "virtual"), told.getvalue()

    def test_the_whole_study_tells_tables_and_verdicts(self):
        for full in (False, True):
            _, text = self.study(many_to_one(), full)
            tables = ("Table 6.3", "Table 6.4", "Table 6.5", "Table 7.6", "all three columns", "EM3D on 8")
            tables += ("EM3D over interfaces",)
            for words in (*tables, "What a message", "4.315+-0.01 (4.315)"):
                self.assertIn(words, text)
            self.assertRegex(text, "\n(holds|DOES NOT HOLD): EM3D over slow interfaces follows")
            self.assertIn("\nholds: at 7 writers claims come in the order of table 6.4 (6 of 6)", text)
            self.assertIn("\nholds: 3-D FFT sends the blocks that follow from it (2 of 2)", text)
            self.assertIn("\nholds: processors that take turns need at least 73 %", text)
        _, text = self.study(changed(many_to_one(), "fifo", **{"7 writers": 4.0}))
        self.assertIn("DOES NOT HOLD: at 7 writers", text)
        self.assertIn("measured: node 0 takes 4 us a message", text)

    def test_what_explains_is_computed_from_the_runs(self):
        found = statements.Taken(12, 20.5, 22.0, 0.25)
        taken = {("fifo", 1): found, ("fifo", 7): replace(found, transfers=30), ("test-and-set", 7): found}
        self.assertIn("wait 20.5 us for memory, 22.0 bus transfers", modelled.why_slow(taken, PRINTED))
        self.assertIn("with one writer under fifo, 30.0 with 7", modelled.why_even(taken, many_to_one()))
        self.assertIn("20.5", "".join(modelled.explained(taken)))

    def test_tables_have_both_numbers(self):
        text = "\n".join(modelled.tables(loggp(), many_to_one(), sample(), 262144, PRINTED))
        for cell in ("-0.59+-0.01 (-0.59)", "11.33+-0.01 (11.33)", "1.00 (1.00)", "3.19 (3.19)"):
            self.assertIn(cell, text)

    def test_programs_lines_are_read(self):
        text = "loggp: o_s + o_r 11.39 +- 0.07 us, sigma 0.1\nloggp: transfer, 256 60 +- 2 us, sigma 3\nx\n"
        self.assertEqual(
            figures_in("loggp", text), {"o_s + o_r": (11.39, 0.07), "transfer, 256": (60.0, 2.0)}
        )

    def test_a_run_is_named_by_all_that_it_is_asked(self):
        one = Run("loggp", "fifo", 2, "--samples 5")
        self.assertNotEqual(one.name, replace(one, which=1).name)
        self.assertNotEqual(one.name, replace(one, arguments="--samples 6").name)
        self.assertIn("DESIGN=native,port=fifo", one.words("record"))
        static = replace(one, dispatch="static")
        self.assertNotEqual(one.name, static.name)
        self.assertIn("DISPATCH=static", static.words("record"))

    def test_static_dispatch_is_asked_for_where_the_kernel_has_it(self):
        one = Run("loggp", "fifo", 2, "--samples 5")
        far = replace(one, multiprocessors=2)
        with unittest.mock.patch("parley_runner.designs.resolve", return_value={"static_row": True}):
            self.assertEqual(one.bound("static"), replace(one, dispatch="static"))
            self.assertEqual((one.bound("virtual"), far.bound("static")), (one, far))
        with unittest.mock.patch("parley_runner.designs.resolve", return_value={"static_row": False}):
            self.assertEqual(one.bound("static"), one)

    def test_make_finds_all_that_it_builds(self):
        line = ["make", "--dry-run", "paper", "STUDY=clumps", "CLOCK=modelled"]
        root = os.path.join(HERE, "..", "..", "..", "..")
        done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=root)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
