# SPDX-License-Identifier: MIT
"""The emulator: its command line, its process, and ending it. Only this process is ever ended, by its own
id."""

import errno
import functools
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass

from . import guest, model, places, wire
from .request import Request

# As in interface/results.h; a test compares.
CONSOLE_PORT, RESULTS_PORT, EXIT_PORT = 0xE9, 0x5E9, 0xF4
PIPE_BYTES = 1 << 20
# Firmware that starts a kernel and does nothing else, of Debian's qemu-system-data. The emulator's own
# looks for disks and cards first, and its processors contend for a lock: where they take turns, counted or
# modelled, that is most of a short boot.
KERNEL_STARTER = "/usr/share/qemu/qboot.rom"
OWN_FIRMWARE = "the emulator's own"


@functools.cache
def version() -> str:
    try:
        done = subprocess.run(
            [places.EMULATOR, "--version"], capture_output=True, text=True, timeout=20, check=False
        )
        return done.stdout.splitlines()[0] if done.stdout else "unknown"
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"


def boot_arguments(request: Request, archive: str, iso: str | None) -> list[str]:
    if iso is not None:
        return ["-cdrom", iso, "-boot", "d"]
    bios = [] if firmware(request) == OWN_FIRMWARE else ["-bios", KERNEL_STARTER]
    return [*bios, "-kernel", guest.kernel(request), "-initrd", archive]


def firmware(request: Request) -> str:
    """Its name. A network card gets its addresses from the emulator's own, and a disc is started by that."""
    needs_own = request.values["boot"] == "iso" or request.machines > 1
    if needs_own or not os.path.exists(KERNEL_STARTER):
        return OWN_FIRMWARE
    return os.path.basename(KERNEL_STARTER)


def of_record(request: Request) -> dict[str, str]:
    return {"emulator": version(), "firmware": firmware(request)}


def command(
    request: Request,
    archive: str,
    console: str,
    results: str,
    scratch: str,
    iso: str | None = None,
    machine: int = 0,
) -> list[str]:
    """console and results: the options of two character devices, without their ids; scratch: a folder for
    files of this boot; machine: which of several"""
    line = [
        places.EMULATOR,
        "-M",
        "q35",
        "-nodefaults",
        "-accel",
        f"tcg,thread={guest.threads(request)}",
        "-cpu",
        "max",
        "-smp",
        str(request.processors + 1),  # one more keeps the time, so that no tick lands on the others
        "-m",
        str(request.values["memory"]),
        "-display",
        "none",
        "-no-reboot",
        "-device",
        f"isa-debug-exit,iobase={EXIT_PORT:#x},iosize=1",
        "-chardev",
        f"{console},id=console",
        "-device",
        f"isa-debugcon,iobase={CONSOLE_PORT:#x},chardev=console",
        "-chardev",
        f"{results},id=results",
        "-device",
        f"isa-debugcon,iobase={RESULTS_PORT:#x},chardev=results",
    ]
    if request.values["clock"] == "counted":
        line += ["-icount", "shift=0,sleep=off", "-rtc", "base=2000-01-01,clock=vm"]
    systems = [guest.kernel(request), guest.library(request)]
    line += model.options(request, scratch, systems) + wire.options(request, scratch, machine)
    return line + boot_arguments(request, archive, iso)


def dies_with_us() -> list[str]:
    """A prefix that makes the kernel end the emulator even if the runner itself is killed hard."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []


@dataclass
class Emulator:
    process: subprocess.Popen
    results: int  # read ends of the pipes
    console: int
    errors: int

    @staticmethod
    def start(
        request: Request, archive: str, scratch: str, iso: str | None = None, machine: int = 0
    ) -> "Emulator":
        """May raise OSError when there is no emulator."""
        if shutil.which(places.EMULATOR) is None:
            raise FileNotFoundError(errno.ENOENT, "there is no such program", places.EMULATOR)
        pipes = [os.pipe() for _ in range(3)]
        (results, results_in), (console, console_in), (errors, errors_in) = pipes
        grow(results)
        console_device, results_device = (f"file,path=/dev/fd/{end}" for end in (console_in, results_in))
        line = command(request, archive, console_device, results_device, scratch, iso, machine)
        try:
            process = subprocess.Popen(
                dies_with_us() + line,
                stdin=subprocess.DEVNULL,
                stdout=errors_in,
                stderr=errors_in,
                pass_fds=(results_in, console_in),
                process_group=0,
            )
        except OSError:
            for end in (results, console, errors):
                os.close(end)
            raise
        finally:
            for end in (results_in, console_in, errors_in):
                os.close(end)
        return Emulator(process, results, console, errors)

    def end(self) -> None:
        """Always works: the emulator has nothing to save, so it is not asked politely first."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        self.end()
        for end in (self.results, self.console, self.errors):
            os.close(end)


def grow(pipe: int) -> None:
    """A roomy pipe, so that the machine seldom waits for the runner."""
    import fcntl

    try:
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    except OSError:
        return
