# SPDX-License-Identifier: MIT
"""A GRUB image with kernel, archive and a menu entry for each design; it boots on QEMU and on a PC."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import replace

from . import designs, guest, places, request
from .counted import counted
from .request import Request
from .status import BadRequest, Status

MENU_SECONDS = 5


def entry(one: Request) -> tuple[str, str]:
    """title and kernel command line; the command line overrides the archive's configuration"""
    job = one.jobs[0]
    words = f"design={job.design} nodes={job.nodes} processors={one.processors}"
    nodes = counted(job.nodes, "node")
    return f"{job.name} under {job.design}, {nodes}", words


def menu(entries: list[tuple[str, str]], timeout: int) -> str:
    lines = [f"set timeout={timeout}", "set default=0"]
    for title, words in entries:
        lines += [
            f"menuentry {quoted(title)} {{",
            f"    multiboot2 /boot/kernel.elf {words}",
            "    module2 /boot/archive.cpio",
            "    boot",
            "}",
        ]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """As GRUB's shell reads it: nothing inside single quotes means anything, and they end at the next one."""
    return "'" + text.replace("'", "'\\''") + "'"


def make(path: str, archive: str, one: Request, entries: list[tuple[str, str]], timeout: int) -> None:
    if shutil.which("grub-mkrescue") is None:
        raise BadRequest("grub-mkrescue is missing; `make iso' installs what it needs.")
    folder = tempfile.mkdtemp(prefix="parley-iso-")
    try:
        os.makedirs(os.path.join(folder, "boot", "grub"))
        shutil.copy(guest.kernel(one), os.path.join(folder, "boot", "kernel.elf"))
        shutil.copy(archive, os.path.join(folder, "boot", "archive.cpio"))
        with open(os.path.join(folder, "boot", "grub", "grub.cfg"), "w", encoding="utf-8") as file:
            file.write(menu(entries, timeout))
        done = subprocess.run(
            ["grub-mkrescue", "-o", path, "--fonts=", "--locales=", "--themes=", folder],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise BadRequest(f"grub-mkrescue failed: {done.stderr.strip().splitlines()[-1:]}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def command(words: list[str]) -> int:
    """make iso: every named design, the asked-for one first."""
    asked = request.make(words)
    first = asked.boots(lambda: designs.presets(places.BUILD))[0]
    guest.check(first)
    names = dict.fromkeys([first.jobs[0].design, *designs.presets(places.BUILD)])
    entries = [entry(replace(first, jobs=[replace(first.jobs[0], design=name)])) for name in names]
    os.makedirs(places.BUILD, exist_ok=True)
    target = os.path.join(places.BUILD, "parley.iso")
    with tempfile.TemporaryDirectory(prefix="parley-") as scratch:
        archive = os.path.join(scratch, "archive.cpio")
        guest.make_archive(first, archive)
        make(target, archive, first, entries, MENU_SECONDS)
    print(
        f"{os.path.relpath(target)}: {len(entries)} menu entries; it boots on a PC, and in QEMU with\n"
        f"  tools/parley run BOOT=iso DESIGN={first.jobs[0].design}   (a fresh image with this one design)"
    )
    return Status.SUCCESS
