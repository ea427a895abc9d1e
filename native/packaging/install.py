#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make install and make uninstall: puts the native library under a prefix, and takes away exactly what it has
put there.

install.py check|install|uninstall|stage --build BUILD --version VERSION --prefix PREFIX --destination DESTDIR

What was installed, and which folders were made for it, is written to lib/parley/installed; uninstall goes by
that list, so it also takes away what an older or newer version has put there. `stage` writes no list: the
files then belong to a package. `check` says, before anything is built, whether it can be installed.

Every file is written beside its place first, and all are put there together: on a full disk nothing is
installed, and what was there before stays.
"""

import argparse
import errno
import glob
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.append(os.path.join(ROOT, "tools"))

from parley_runner import ending  # noqa: E402

LIST = "lib/parley/installed"
PROGRAMS = ("nxrun", "nxtrace", "nxcc", "nxc++", "nxf77", "cedarf77")
# Folders whose files are all installed.
WHOLE = ("include/parley", "lib/parley", "lib/pkgconfig", "lib/cmake/Parley", "share/man/man1",
         "share/man/man3", "share/man/man7", "share/bash-completion/completions")  # fmt: skip
OLD_NAMES = "lib/parley/old-names/"  # links to the wrappers, and a program
DOCUMENTATION = "share/doc/parley-nx"  # another package is called parley
PAGES = ("LICENSE", "docs/native.md", "docs/nx2-calls.md", "docs/old-programs.md")


NEW = ".parley-new"  # at the end of a name, until all files are written
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class Refused(Exception):
    """What cannot be done; the sentence says what to do."""


class Place:
    """The folder that is installed into, and what has been put there."""

    def __init__(self, prefix: str, destination: str):
        if not os.path.isabs(prefix):
            raise Refused(f"prefix is the whole path of a folder, not '{prefix}': prefix=$HOME/.local, say.")
        self.root = os.path.join(destination or "/", prefix.lstrip("/"))
        self.files, self.folders = [], []

    def check(self) -> None:
        """An OSError where nothing may be written."""
        folder = self.root
        while not os.path.isdir(folder):
            folder = os.path.dirname(folder)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), folder)

    def path(self, name: str) -> str:
        return os.path.join(self.root, name)

    def make_folder(self, path: str) -> None:
        if not os.path.isdir(path):
            self.make_folder(os.path.dirname(path))
            os.mkdir(path)
            os.chmod(path, 0o755)
            self.folders.append(path)

    def make_way(self, name: str) -> str:
        """Where the file is written, with nothing in its way."""
        path = self.path(name) + NEW
        self.make_folder(os.path.dirname(path))
        if os.path.lexists(path):
            os.unlink(path)
        self.files.append(name)
        return path

    def settle(self) -> None:
        """Gives all files their names, the list first; a running program keeps the file that it has."""
        for name in sorted(self.files, key=lambda one: one != LIST):
            os.replace(self.path(name) + NEW, self.path(name))

    def withdraw(self) -> None:
        """Takes away what is not settled."""
        self.remove([name + NEW for name in self.files])
        for folder in reversed(self.folders):
            try:
                os.rmdir(folder)
            except OSError:
                pass  # it is settled in part

    def put(self, source: str, name: str, mode: int = 0o644) -> None:
        path = self.make_way(name)
        shutil.copyfile(source, path)
        os.chmod(path, mode)

    def link(self, target: str, name: str) -> None:
        os.symlink(target, self.make_way(name))

    def recorded(self) -> tuple[list[str], list[str]]:
        """The files and the folders of what is installed here now."""
        try:
            with open(self.path(LIST), encoding="utf-8") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            return [], []
        kinds = {"file": [], "folder": []}
        for line in lines:
            kind, name = line.split(" ", 1)
            kinds[kind].append(name)
        return kinds["file"], kinds["folder"]

    def record(self, folders: list[str]) -> None:
        path = self.make_way(LIST)
        own = [os.path.relpath(folder, self.root) for folder in self.folders]
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"file {name}\n" for name in self.files)
            file.writelines(f"folder {name}\n" for name in dict.fromkeys([*folders, *own]))
        os.chmod(path, 0o644)

    def remove(self, names: list[str]) -> None:
        for name in names:
            if os.path.lexists(self.path(name)):
                os.unlink(self.path(name))


def install(build: str, version: str, place: Place) -> None:
    for name in PROGRAMS:
        place.put(f"{build}/bin/{name}", f"bin/{name}", 0o755)
    shared, major = f"libnx.so.{version}", f"libnx.so.{version.split('.', maxsplit=1)[0]}"
    place.put(f"{build}/lib/{major}", f"lib/{shared}")
    place.link(shared, f"lib/{major}")
    place.link(major, "lib/libnx.so")
    for name in ("libnx.a", "libkmath.a"):
        place.put(f"{build}/lib/{name}", f"lib/{name}")
    for folder in WHOLE:
        for path in sorted(glob.glob(f"{build}/{folder}/**", recursive=True)):
            if os.path.islink(path):
                place.link(os.readlink(path), os.path.relpath(path, build))
            elif os.path.isfile(path):
                name = os.path.relpath(path, build)
                place.put(path, name, 0o755 if name.startswith(OLD_NAMES) else 0o644)
    for page in PAGES:
        place.put(os.path.join(ROOT, page), f"{DOCUMENTATION}/{os.path.basename(page)}")


def tell_linker(arguments) -> None:
    """Programs find libnx.so by a table of the system's folders."""
    if not arguments.destination and os.geteuid() == 0 and shutil.which("ldconfig"):
        subprocess.run(["ldconfig"], check=False)


def install_and_record(arguments, place: Place) -> None:
    before, folders = place.recorded()
    install(arguments.build, arguments.version, place)
    place.record(folders)
    place.settle()
    place.remove([name for name in before if name not in place.files])
    print(f"Installed under {place.root}; `make uninstall' with the same words takes it away.")
    tell_linker(arguments)


def uninstall(arguments, place: Place) -> None:
    files, folders = place.recorded()
    if not files:
        raise Refused(f"Nothing of Parley is installed under {place.root}: say the prefix= that it has.")
    place.remove(files)
    for folder in sorted((os.path.normpath(place.path(name)) for name in folders), key=len, reverse=True):
        try:
            os.rmdir(folder)
        except OSError:
            pass  # somebody else's files are in it
    print(f"Taken away from {place.root}.")
    tell_linker(arguments)


def put_there(arguments, place: Place) -> None:
    try:
        if arguments.what == "install":
            install_and_record(arguments, place)
        else:
            install(arguments.build, arguments.version, place)
            place.settle()
    except BaseException:
        place.withdraw()
        raise


def told(problem: OSError, arguments) -> str:
    if problem.errno in NO_ROOM:
        where = os.path.join(arguments.destination or "/", arguments.prefix.lstrip("/"))
        if arguments.what == "stage":
            return f"{where}: {problem.strerror}."
        advice = "make room, or say prefix= or DESTDIR= for a folder on another disk"
        return f"{where}: {problem.strerror}. Nothing was installed; {advice}."
    where = problem.filename or arguments.prefix
    return f"{where}: {problem.strerror}. Say prefix= for a folder of your own, or do it as root."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("check", "install", "uninstall", "stage"))
    for name in ("build", "version", "prefix", "destination"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    ending.on_request()
    try:
        place = Place(arguments.prefix, arguments.destination)
        if arguments.what == "uninstall":
            uninstall(arguments, place)
        elif arguments.what == "check":
            place.check()
        else:
            put_there(arguments, place)
    except Refused as problem:
        print(problem, file=sys.stderr)
        return 2
    except OSError as problem:
        print(told(problem, arguments), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; what was installed before is as it was.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
