# SPDX-License-Identifier: MIT
"""A test case with a build folder of its own, a fake emulator and a fake designs tool."""

import json
import os
import pty
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import textwrap
import unittest

TOOLS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
RUNNER = os.path.join(TOOLS, "parley")
FAKE_EMULATOR = os.path.join(TOOLS, "tests", "fake_emulator.py")
CLASSES = {
    "port": ("circular", "lanes"),
    "transport": ("buffered", "process"),
    "synchronization": ("spinlock", "semaphore"),
}
LISTING = {
    "presets": [{"name": "exp1"}, {"name": "exp6"}],
    "classes": [{"factor": factor, "name": name} for factor, names in CLASSES.items() for name in names],
}
DESIGNS = f"""#!/bin/sh
if [ "$1" = list ]; then echo '{json.dumps(LISTING)}'; exit 0; fi
if [ "$1" = semaphore ]; then echo "$2"; exit 0; fi
spins=true; [ "$2" = exp4 ] && spins=false
case "$2" in
*process*spinlock*) echo "a transport with delivery processes needs a processor for each" >&2; exit 2 ;;
exp*) echo "{{\\"name\\": \\"$2\\", \\"design\\": \\"$2\\","
      echo " \\"spins\\": $spins, \\"extra_processes\\": 0}}" ;;
*) echo "There is no design '$2'." >&2; exit 2 ;;
esac
"""


def elf(kind: int = 3, machine: int = 62, interpreter: bool = False) -> bytes:
    """The smallest file that looks like an executable to the runner."""
    headers = [1] + ([3] if interpreter else [])
    head = struct.pack(
        "<16sHHIQQQIHHHHHH",
        b"\x7fELF\x02\x01\x01",
        kind,
        machine,
        1,
        0,
        64,
        0,
        0,
        64,
        56,
        len(headers),
        0,
        0,
        0,
    )
    return head + b"".join(struct.pack("<IIQQQQQQ", header, 5, 0, 0, 0, 0, 0, 4096) for header in headers)


class RunnerCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.build = os.path.join(self.folder, "build")
        self.write("build/kernel.elf", b"kernel")
        self.write("build/apps/ring/ring", elf())
        self.write("build/designs", DESIGNS.encode())
        os.chmod(os.path.join(self.build, "designs"), 0o755)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def write(self, name: str, content: bytes | str) -> str:
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return path

    def environment(self, script: str, **more) -> dict:
        body = "import os, time\ndef play(machine):\n" + textwrap.indent(textwrap.dedent(script), "    ")
        return {
            **os.environ,
            "PARLEY_BUILD": self.build,
            "PARLEY_EMULATOR": FAKE_EMULATOR,
            "PARLEY_HANG_SECONDS": "1",
            "PARLEY_STEADY": "1",  # whatever else runs beside the tests
            "FAKE_SCRIPT": self.write("script.py", body),
            "PYTHONDONTWRITEBYTECODE": "1",
            **more,
        }

    largest_file = resource.RLIM_INFINITY  # for the runner, not for the fake emulator's pipes

    def before_exec(self) -> None:
        # as from a terminal, also where the tests were started in the background, which ignores it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it would be ignored
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.largest_file, resource.RLIM_INFINITY))

    def start(self, script: str, *words: str, **more) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, RUNNER, "run", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="surrogateescape",
            env=self.environment(script, **more),
            cwd=self.folder,
            preexec_fn=self.before_exec,
        )

    def run_fake(self, script: str, *words: str, **more) -> subprocess.CompletedProcess:
        process = self.start(script, *words, **more)
        out, errors = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, out, errors)

    def command(self, name: str, script: str, *words: str, **more) -> subprocess.CompletedProcess:
        """Another command of the runner than run, which boots several times."""
        return subprocess.run(
            [sys.executable, "-B", RUNNER, name, *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            timeout=300,
            env=self.environment(script, **more),
        )

    def terminal(self, script: str, *words: str, command: str = "run", **more) -> bytes:
        """What a terminal of 80 columns gets."""
        master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, 80))
        process = subprocess.Popen(
            [sys.executable, RUNNER, command, *words],
            stdout=slave,
            stderr=slave,
            cwd=self.folder,
            env=self.environment(script, TERM="xterm", **more),
        )
        os.close(slave)
        text = b""
        try:
            while piece := os.read(master, 4096):
                text += piece
        except OSError:
            pass  # the other end is closed: all has been read
        os.close(master)
        process.wait(timeout=60)
        return text

    def record(self, name: str = "record.json") -> dict:
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def assert_status(self, done: subprocess.CompletedProcess, status: int, sentence: str = ""):
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertIn(sentence, done.stdout + done.stderr)
