# SPDX-License-Identifier: MIT
"""CLOCK=modelled: the model under real boots. A kernel of known instructions against times computed by hand;
and Parley itself, which takes the same time in every boot, to the nanosecond."""

import os
import re
import struct
import subprocess
import sys
from unittest import mock

from boot_case import BUILD, ROOT, BootCase, needs, seldom

sys.path.insert(0, os.path.join(ROOT, "tools"))
from parley_runner import back_end, emulator, machine_file, model, symbols, trace_command  # noqa: E402
from parley_trace import memory  # noqa: E402

PROBE = os.path.join(ROOT, "tools", "machine_model", "probe.S")
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
OTHER_EMULATOR = os.path.join(ROOT, "tools", "machine_model", "other_emulator.c")
PLUGIN = os.path.join(BUILD, "machine_model", "plugin.so")
FROM_THE_READING_TO_THE_END = 9  # instructions of the probe
# The Multimax's memory, and instructions of 500 ns.
KNOWN = """
title = "known"
processors = 1
[instruction]
plain = "500 ns"
[cache]
bytes = "64 KiB"
line = "16 B"
subline = "4 B"
fill = "8 B"
read_miss = "320 ns"
write = "120 ns"
[bus]
transfer = "80 ns"
[memory]
banks = 8
bank = "320 ns"
width = "8 B"
"""
# The same, with words of two bytes: what moves four is two instructions of one memory access each.
NARROW = KNOWN.replace("[instruction]", '[instruction]\nword = "2 B"')
# A cluster of one processor: the probe's data lie in the cluster's memory, or in the memory for all.
OWN = """
title = "own"
processors = 1
[instruction]
plain = "500 ns"
[clusters]
number = 1
processors = 1
memory = "64 MiB"
cache = "64 KiB"
line = "32 B"
ways = 1
banks = 4
bank = "100 ns"
hit = "100 ns"
miss = "1000 ns"
bus = "170 ns"
[network]
stage = "20 ns"
port = "10 ns"
[global]
memory = "1 MiB"
width = "8 B"
module = "400 ns"
"""
FOR_ALL = OWN.replace('"1 MiB"', '"64 MiB"')
THERE, BACK = 2 * 20, 400 + 2 * 20
# What each of its patterns takes, in ns: of instructions alone; and with T = 500 ns an instruction, 320 for a
# fill, 120 for a store, 80 of the bus, 320 of a bank.
PATTERNS = {
    "ideal": {
        "eight nops": 10,  # and a move, and the counter's reading, as in all of them
        "four fills": 6,
        "what they have brought": 6,
        "two stores": 4,
        "lines that take each other's place": 5,
        "a store of eight bytes": 3,
        "a string instruction": 10,
        "a routine that copies": 6,
        "an instruction that goes on in another page": 6,
    },
    KNOWN: {
        "eight nops": 10 * 500,
        "four fills": 6 * 500 + 4 * 320,
        "what they have brought": 6 * 500,
        "two stores": 4 * 500 + 2 * 120,
        "lines that take each other's place": 5 * 500 + 2 * 320,
        "a store of eight bytes": 3 * 500 + 120 + 200 + 120,  # the bank is free 320 after the first began
        "a string instruction": 10 * 500 + 4 * 120,
        "a routine that copies": 6 * 500 + 120,
        "an instruction that goes on in another page": 6 * 500,
    },
    NARROW: {
        "eight nops": 10 * 500,
        "four fills": 2 * 500 + 4 * (500 + 320 + 500),
        "what they have brought": 2 * 500 + 4 * (500 + 500),
        "two stores": 2 * 500 + 2 * (500 + 120 + 500 + 120),
        "lines that take each other's place": 2 * 500 + 3 * (500 + 500) + 2 * 320,
        "a store of eight bytes": 3 * 500 + 120 + 200 + 120,  # of a class that knows no words
        "a string instruction": 10 * 500 + 4 * (120 + 500 + 120),
        "a routine that copies": 5 * 500 + 500 + 120 + 500 + 120,
        "an instruction that goes on in another page": 4 * 500 + 2 * (500 + 500),
    },
    OWN: {
        "eight nops": 10 * 500,
        "four fills": 6 * 500 + 4 * 100 + 1000,  # a line has them all
        "what they have brought": 6 * 500 + 4 * 100,
        "two stores": 4 * 500 + 2 * 100,
        "lines that take each other's place": 5 * 500 + 3 * 100 + 2 * 1000,
        "a store of eight bytes": 3 * 500 + 100,
        "a string instruction": 10 * 500 + 4 * (100 + 100),
        "a routine that copies": 6 * 500 + 100,
        "an instruction that goes on in another page": 6 * 500 + 2 * 100,
    },
    FOR_ALL: {
        "eight nops": 10 * 500,
        "four fills": 6 * 500 + 4 * (THERE + BACK),
        "what they have brought": 6 * 500 + 4 * (THERE + BACK),
        "two stores": 4 * 500 + 2 * THERE,
        "lines that take each other's place": 5 * 500 + 3 * (THERE + BACK),
        "a store of eight bytes": 3 * 500 + THERE,
        "a string instruction": 10 * 500 + 4 * (THERE + BACK + THERE),
        "a routine that copies": 6 * 500 + THERE,
        "an instruction that goes on in another page": 6 * 500 + 2 * (THERE + BACK),
    },
}
SIZES = "ARGS=--sizes 0,100,1024 --trips 2 --samples 3"
# On both sides of each of the native routine's ways.
NATIVE_SIZES = "ARGS=--sizes 1,15,33,129,1000,4097 --access read --trips 1 --samples 1 --warm-up 1"


@needs("model")
class Modelled(BootCase):
    def probe(
        self, machine: str, interval: int = 0, most: int = 1000, starter: str = emulator.KERNEL_STARTER
    ) -> tuple[list[int], int, dict]:
        """What each pattern took, the last reading of the counter in ns, and what the model says of the
        processor at the end. `machine`: a name, or a file's text. `interval`: in picoseconds, of those whose
        misses are written to the file `intervals`, at most so many; 0: nothing is. `starter`: firmware that
        is over soon; without it the emulator's own runs a million instructions first."""
        files = ("probe", "machine", "out", "report", "intervals")
        paths = {name: os.path.join(self.folder, name) for name in files}
        words = "-nostdlib -static -no-pie -Wl,--build-id=none -Wl,-z,noexecstack -Wl,-z,max-page-size=4096"
        places = "-Wl,-Ttext=0x200000 -Wl,-Tbss=0x20c000 -Wl,-e,start"
        subprocess.run(["gcc", *words.split(), *places.split(), "-o", paths["probe"], PROBE], check=True)
        with open(paths["machine"], "w", encoding="ascii") as file:
            file.write(machine_file.read(self.machine(machine)).text)
        begin, end = symbols.find(paths["probe"], "copies", "copies_end")
        plugin = f"file={PLUGIN},machine={paths['machine']},processors=1,report={paths['report']}"
        plugin += f",copies={begin:x}-{end:x}"
        if interval:
            plugin += f",intervals={paths['intervals']},interval={interval},most_intervals={most}"
        machine_words = "qemu-system-x86_64 -M q35 -nodefaults -accel tcg,thread=single -cpu max -smp 1 -m 64"
        devices = "-display none -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=1"
        console = f"-chardev file,path={paths['out']},id=c -device isa-debugcon,iobase=0xe9,chardev=c"
        line = [*machine_words.split(), *devices.split(), *console.split(), "-kernel", paths["probe"]]
        line += ["-bios", starter] if os.path.exists(starter) else []
        done = subprocess.run(
            [*line, "-plugin", plugin], capture_output=True, text=True, timeout=120, check=False
        )
        self.assertEqual(done.returncode, 33, done.stderr)
        with open(paths["out"], "rb") as file:
            *took, last = struct.unpack("<10I", file.read()[-40:])
        return took, last, model.told(self.folder, "report")["processors"][0]

    def machine(self, machine: str) -> str:
        return self.write("own.toml", machine) if "\n" in machine else machine

    def test_known_patterns_take_what_the_machine_says(self):
        for machine, patterns in PATTERNS.items():
            took, _, _ = self.probe(machine)
            self.assertEqual(dict(zip(patterns, took)), patterns, machine)

    def test_instructions_accesses_and_sleep_are_all_of_the_time(self):
        for machine in PATTERNS:
            _, _, told = self.probe(machine, **{"starter": ""} if machine == KNOWN else {})
            takes = machine_file.read(self.machine(machine)).parameters
            plain = takes["instruction.plain"]
            instructions = sum(
                told[kind] * takes.get(f"instruction.{kind}", plain) for kind in machine_file.INSTRUCTIONS
            )
            others = told["wide_time"] + told["memory_time"] + told["asleep"]
            # The firmware writes over its code, and so leaves blocks that count whole.
            few = 50 * plain
            self.assertLess(abs(instructions + others - told["clock"]), few, machine)
            self.assertGreater(told["plain"], 1_000_000 if machine == KNOWN else 10_000)

    def test_what_a_routine_takes_that_copies_is_counted_with_its_accesses(self):
        """All runs twice. The first time its code comes, by one fill."""
        for machine, took in (("ideal", 2 * 3), (KNOWN, 2 * (3 * 500 + 120) + 320)):
            _, _, told = self.probe(machine)
            self.assertEqual(told["copying"], 1000 * took, machine)

    def test_copying_is_counted_where_the_message_system_is_and_not_where_nothing_is_copied(self):
        words = ("CLOCK=modelled", "MACHINE=ideal", "MEMORY=64", "ARGS=--sizes 4096 --trips 2 --samples 2")
        found = {}
        for design in ("exp6", "exp6,location=user", "exp6,transfer=single-copy", "exp6,transfer=pointer"):
            told = self.boot_well(*words, f"DESIGN={design}").record["model"]["processors"]
            found[design] = sum(one["copying"] for one in told) / 1000
        self.assertGreater(found["exp6"], 0)
        # Boots copy as much beside their messages.
        copied_once = found["exp6"] - found["exp6,transfer=single-copy"]
        copied_twice = found["exp6"] - found["exp6,transfer=pointer"]
        self.assertAlmostEqual(copied_twice / copied_once, 2, delta=0.1)
        self.assertAlmostEqual(found["exp6,location=user"] / found["exp6"], 1, delta=0.1)

    def test_the_time_stamp_counter_is_the_models_clock(self):
        for machine, instruction in (("ideal", 1), (KNOWN, 500)):
            _, last, told = self.probe(machine)
            end = told["clock"] // 1000 - FROM_THE_READING_TO_THE_END * instruction
            self.assertEqual(end % (1 << 32), last, machine)

    def intervals(self) -> memory.Memory:
        with open(os.path.join(self.folder, "intervals"), encoding="ascii") as file:
            return memory.read(file.read())

    def totals(self, told: dict) -> memory.Counts:
        return memory.Counts(*(told[name] for name in memory.Counts._fields))

    def test_intervals_have_all_misses_and_waits_and_take_no_time(self):
        for machine in ("ideal", KNOWN, OWN, "cmmp", "enterprise", "modern"):
            without = self.probe(machine)
            for interval in (1_000_000, 700_000_000):
                self.assertEqual(self.probe(machine, interval), without, machine)
                found = self.intervals()
                self.assertEqual(found.total(0), self.totals(without[2]), machine)
                self.assertEqual(found.length % interval, 0)
                self.assertLessEqual(len(found.processors[0].intervals), 1000)
            self.assertEqual(found.total(0).bus_transfers > 0, machine not in ("ideal", "cmmp"))

    def test_a_miss_and_a_wait_are_told_where_they_were(self):
        """Only the store of eight bytes waits, once each time that all runs, and the second time eight reads
        miss before it."""
        _, _, told = self.probe(KNOWN, 10_000_000, 1_000_000)
        found = self.intervals()
        self.assertEqual(found.length, 10_000_000)
        intervals = found.processors[0].intervals
        waits = [(number, counts.bus_waiting) for number, counts in intervals.items() if counts.bus_waiting]
        self.assertEqual([time for _, time in waits[-2:]], [200_000, 200_000])
        # From there to the end: that store, instructions, other stores, and fills of code, which are all
        # behind that interval.
        at = waits[-1][0]
        fills = sum(counts.fetch_misses for number, counts in intervals.items() if number > at)
        rest = (3 + 13 + 9 + 2 + 3 + 36 * 5 + 10) * 500 + (3 + 4 + 1) * 120 + fills * 320
        rest += 120 + 200 + 120
        self.assertEqual((told["clock"] // 1000 - rest) // 10_000, at)
        # What comes behind the loop is fetched when that begins.
        last = max(number for number, counts in intervals.items() if counts.fetch_misses)
        begun = told["clock"] // 1000 - 10 * 500 - intervals[last].fetch_misses * 320
        self.assertEqual((begun // 10_000, last > at), (last, True))
        # Back from there to the reading that makes lines give way: instructions, fills and stores.
        before = (11 + 9 + 7 + 10 + 3) * 500 + 8 * 320 + 7 * 120
        first = (told["clock"] // 1000 - rest - before) // 10_000
        misses = {number: counts.read_misses for number, counts in intervals.items() if number >= first}
        self.assertEqual(sum(misses.values()), 2 + 4 + 2)
        # The last of them is a fill, seven instructions and a store before.
        last = (told["clock"] // 1000 - rest - (320 + 7 * 500 + 120)) // 10_000
        self.assertEqual(max(number for number, count in misses.items() if count), last)

    @needs("traced")
    def test_a_traced_boot_has_all_misses_and_waits_by_intervals_which_take_no_time(self):
        words = ("CLOCK=modelled", "MACHINE=multimax", "APP=ring", "MEMORY=64")
        words += ("ARGS=--sizes 100 --trips 1 --samples 2",)
        kept, records = [], []
        for name, length in (("short.trace", "20us"), ("long.trace", "40us")):
            path = os.path.join(self.folder, name)
            records.append(self.boot_well(*words, f"TRACE={path}", f"TRACE_INTERVAL={length}").record)
            kept.append(trace_command.load(path).trace)
        short, long = (trace.memory for trace in kept)
        # Another length changes nothing at all, but for what is in one interval.
        self.assertEqual(records[0]["rows"], records[1]["rows"])
        self.assertEqual(records[0]["model"], records[1]["model"])
        self.assertEqual(kept[0].records, kept[1].records)
        self.assertEqual((short.length, long.length), (20_000_000, 40_000_000))
        for told in records[0]["model"]["processors"]:
            number = told["processor"]
            self.assertEqual(short.total(number), self.totals(told))
            self.assertEqual(short.columns(number, 2), long.processors[number].intervals)
            self.assertEqual(short.processors[number].clock, told["clock"])

    def twice(self, *words: str) -> dict:
        """The record of the second of two boots that are equal in every time, and whose kernel takes the
        model's nanoseconds for nanoseconds."""
        first, second = (
            self.boot_well("CLOCK=modelled", "APP=ring", "MEMORY=64", *words).record for _ in range(2)
        )
        self.assertEqual(first["rows"], second["rows"])
        self.assertEqual(first["model"], second["model"])
        self.assertEqual(second["plan"]["clock_hertz"], 10**9)
        return second

    def test_a_ring_of_two_takes_the_same_time_twice(self):
        for machine in ("ideal", "multimax"):
            record = self.twice(f"MACHINE={machine}", SIZES)
            self.assertEqual((record["clock"], record["model"]["machine"]), ("modelled", machine))
            self.assertEqual(record["model"]["back_end"], "fast")
            self.assertGreater(len(record["rows"]), 5)

    def test_every_kind_of_memory_takes_the_same_time_twice(self):
        for machine in ("cedar", "cmmp", "enterprise", "modern"):
            self.twice(f"MACHINE={machine}", "DESIGN=exp1", "ARGS=--sizes 1024 --trips 1 --samples 2")

    def test_a_ring_of_four_that_sleep_takes_the_same_time_twice(self):
        self.twice("MACHINE=ideal", "DESIGN=exp4", "NODES=4", "ARGS=--sizes 0 --trips 1 --samples 2")

    # Rings of two and four do the same, and so does `make soak ONLY=modelled` with sixteen.
    @seldom
    def test_a_ring_of_sixteen_takes_the_same_time_twice(self):
        self.twice("MACHINE=multimax", "NODES=16", "ARGS=--sizes 0 --trips 1 --samples 2")

    def compare_back_ends(self, *words: str) -> None:
        """Without ticks each time is the same under both, to the nanosecond: who runs until when is decided,
        and the clock read, in other ways, and all else is the same."""
        words = ("MACHINE=multimax", "LOOKAHEAD=0", "ARGS=--sizes 0,100 --trips 2 --samples 3", *words)
        public, fast = (
            self.boot_well("CLOCK=modelled", "APP=ring", "MEMORY=64", f"BACK_END={one}", *words).record
            for one in ("public", "fast-without-ticks")
        )
        for record, name in ((public, back_end.PUBLIC), (fast, back_end.WITHOUT_TICKS)):
            self.assertEqual(record["model"]["back_end"], name)
        self.assertGreater(len(fast["rows"]), 4)
        self.assertEqual(public["rows"], fast["rows"])

    def test_both_back_ends_take_the_same_time_without_ticks(self):
        self.compare_back_ends("DESIGN=exp6")

    def test_a_program_reads_the_counter_by_either_instruction_under_the_public_back_end(self):
        program, source = os.path.join(self.folder, "readings"), os.path.join(PROGRAMS, "readings.c")
        subprocess.run(["gcc", "-O1", "-static", "-o", program, source], check=True)
        words = ("NODES=1", "PROCESSORS=1", "CLOCK=modelled", "MACHINE=ideal", "MEMORY=64")
        said = [
            self.boot_well(f"APP={program}", *words, f"BACK_END={one}").text for one in ("fast", "public")
        ]
        told = [re.search(r"rose by (\d+) and (\d+), processor 0", text) for text in said]
        # Two readings one after the other, and as many of the other kind: on this machine a few nanoseconds.
        self.assertEqual(*(one and one.groups() for one in told))
        self.assertTrue(told[0])

    @seldom
    def test_so_it_does_where_the_message_system_is_a_library(self):
        self.compare_back_ends("DESIGN=exp6,location=user")

    @needs("native-copy")
    def test_a_library_with_the_native_copy_routine_copies_the_same_bytes_in_another_time(self):
        """The ring compares every byte."""
        words = ("CLOCK=modelled", "MACHINE=ideal", "MEMORY=64", "DESIGN=exp6,location=user", NATIVE_SIZES)
        own = self.boot_well(*words).record
        with mock.patch.dict(os.environ, PARLEY_BUILD=os.path.join(BUILD, "native_copy")):
            other = self.boot_well(*words).record
        self.assertNotEqual(own["rows"], other["rows"])

    def seen_by_threads(self, machine: str, *words: str) -> tuple[str, list[list[int]]]:
        """What the program prints of its clusters, and of each thread: the first of its processors, how many
        these are, its stack's window, and what reading takes there and in the program's memory."""
        program, source = os.path.join(self.folder, "clusters"), os.path.join(PROGRAMS, "clusters.c")
        line = ["gcc", "-O1", "-fopenmp", "-static", "-o", program, source]
        line += [f"-I{ROOT}/userlib/include", f"-L{BUILD}/lib/openmp"]
        subprocess.run(line, check=True)
        words = ("NODES=1", "CLOCK=modelled", f"MACHINE={machine}", *words)
        text = self.boot_well(f"APP={program}", *words).text
        told = re.findall(r"from processor (\d+): (\d+), window (-?\d+), own (\d+), program's (\d+)", text)
        return text, [[int(number) for number in line] for line in told]

    @needs("loops")
    def test_threads_of_a_cluster_run_on_its_processors_and_have_its_memory(self):
        with open(machine_file.find("cedar"), encoding="utf-8") as file:
            small = re.sub(r"^(number|processors) = [48] ", r"\1 = 2 ", file.read(), flags=re.M)
        text, told = self.seen_by_threads(self.write("small.toml", small), "PROCESSORS=4")
        self.assertIn("2 clusters of 2", text)
        main, *helpers = sorted(told, key=lambda thread: thread[2])
        self.assertEqual(main[:3], [0, 4, -1], "the first thread is where the kernel has put it")
        self.assertEqual([thread[:3] for thread in helpers], [[0, 2, 0], [2, 2, 1], [2, 2, 1]])
        for thread in told:
            self.assertLess(2 * thread[3], thread[4], "its own cluster's memory is nearer")

    @seldom
    @needs("loops")
    def test_cluster_tasks_have_their_clusters_memory(self):
        with open(machine_file.find("cedar"), encoding="utf-8") as file:
            small = re.sub(r"^(number|processors) = [48] ", r"\1 = 2 ", file.read(), flags=re.M)
        program = os.path.join(self.folder, "tasks")
        line = ["gcc", "-O1", "-fopenmp", "-static", "-o", program]
        line += [f"{ROOT}/userlib/loops/tests/cedar_tasks.c", f"-I{ROOT}/userlib/include"]
        subprocess.run([*line, f"-L{BUILD}/lib/openmp"], check=True)
        machine = self.write("small.toml", small)
        words = ("NODES=1", "CLOCK=modelled", f"MACHINE={machine}", "PROCESSORS=4")
        text = self.boot_well(f"APP={program}", *words).text
        for at in range(2):
            self.assertRegex(text, rf"task {at}: sum \d+, 0 wrong, table {at}, stack {at}\b")

    @needs("loops")
    def test_on_a_machine_without_clusters_threads_run_anywhere(self):
        text, told = self.seen_by_threads("ideal", "PROCESSORS=2")
        self.assertIn("1 clusters of 2", text)
        self.assertEqual([thread[:3] for thread in told], [[0, 2, -1], [0, 2, -1]])

    def test_an_emulator_with_other_functions_and_wrong_arguments_are_refused_in_a_sentence(self):
        other = os.path.join(self.folder, "other")
        subprocess.run(["gcc", "-o", other, OTHER_EMULATOR], check=True)
        wrong, other_functions, useless = model.BAD_MACHINE, back_end.NO_FAST, model.BAD_EMULATOR
        for target, status, sentence, *arguments in (
            ("x86_64", other_functions, "it does not export qemu_get_cpu, cpu_exit,", "processors=1"),
            ("riscv64", useless, "it does not run a whole machine of x86-64 processors", "processors=1"),
            ("x86_64", wrong, "The model has no argument 'processor=1'", "processor=1"),
        ):
            with self.subTest(sentence=sentence):
                done = subprocess.run(
                    [other, PLUGIN, target, "1", *arguments], capture_output=True, text=True, check=False
                )
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(sentence, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_a_machine_that_cannot_be_is_refused_by_the_model(self):
        with open(machine_file.find("multimax"), encoding="utf-8") as file:
            odd = self.write("odd.toml", file.read().replace('"16 B"', '"24 B"'))
        boot = self.boot("CLOCK=modelled", f"MACHINE={odd}")
        self.assertRegex(boot.text, rf"MACHINE={odd}: Sizes of .* are powers of two, and one is 24")
        self.assertEqual((boot.status, boot.record), (2, {}))  # before anything was booted
