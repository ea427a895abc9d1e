# SPDX-License-Identifier: MIT
"""The wire between machines that are booted together. Every emulator hands the frames of its network card to
a process of ours as datagrams, which hands each on to the machine that its address names, and loses, repeats
or holds back some by a seed where the run asks for it.

wire.py FOLDER MACHINES [LOST:REPEATED:OVERTAKEN[:SEED]] is that process; it ends when its input does.
"""

import os
import random
import re
import selectors
import socket
import sys

MOST_MACHINES = 8  # as kernel/program/configuration.hpp has it; a test compares
TRANSPORT = "transport=network"
LARGEST = 1 << 17  # bytes of a datagram


def refusal(request) -> str:
    """Why several machines cannot be booted so, or nothing."""
    from .counted import counted  # not above: as a process of its own this file is in no package

    values, boots = request.values, request.machines
    if boots == 1:
        return "WIRE= is about machines that are booted together: say BOOTS=2." if values["wire"] else ""
    if values["wire"] and not faults(values["wire"]):
        return (
            f"WIRE={values['wire']} is not LOST:REPEATED:OVERTAKEN or LOST:REPEATED:OVERTAKEN:SEED, numbers"
            " of frames of a hundred, each at most 90."
        )
    if values["clock"] != "free":
        return f"BOOTS={boots} goes with CLOCK=free only: machines that a wire joins share no other clock."
    for name in ("trace", "profile", "boot"):
        if values[name] not in (None, "", "0", "direct"):
            word = f"{name.upper()}={values[name]}"
            return f"BOOTS={boots} and {word} exclude each other: leave out one of them."
    if values["jobs"] == "together" and len(request.jobs) > 1:
        return f"BOOTS={boots} and JOBS=together exclude each other: say JOBS=sequential."
    for job in request.jobs:
        if job.nodes < boots:
            what = f"Job {job.name} has {counted(job.nodes, 'node')} for BOOTS={boots} machines"
            return f"{what}: take more, or fewer boots."
        if job.has_host:
            what = f"APP={job.app} is a host program, which loads nodes of one machine"
            return f"{what}: leave out BOOTS={boots}."
    return ""


def check(request) -> None:
    from .status import BadRequest

    if sentence := refusal(request):
        raise BadRequest(sentence)


def faults(text: str) -> list[int]:
    """LOST, REPEATED, OVERTAKEN, SEED; empty: the text says something else."""
    if not re.fullmatch(r"\d{1,2}(:\d{1,2}){2}(:\d{1,9})?", text):
        return []
    numbers = [int(part) for part in text.split(":")]
    return [] if max(numbers[:3]) > 90 else (numbers + [1])[:4]


def end_of_machine(folder: str, machine: int) -> str:
    return os.path.join(folder, f"machine-{machine}")


def end_of_wire(folder: str, machine: int) -> str:
    return os.path.join(folder, f"wire-{machine}")


def options(request, folder: str, machine: int) -> list[str]:
    """Of the emulator's command line."""
    if request.machines == 1:
        return []
    local = end_of_machine(folder, machine).replace(",", ",,")
    remote = end_of_wire(folder, machine).replace(",", ",,")
    return [
        "-netdev",
        f"dgram,id=wire,local.type=unix,local.path={local},remote.type=unix,remote.path={remote}",
        "-device",
        "virtio-net-pci,netdev=wire,disable-modern=on,disable-legacy=off,romfile=",
        "-append",
        f"machines={request.machines}:{machine}",
    ]


class Wire:
    def __init__(self, folder: str, machines: int, lost=0, repeated=0, overtaken=0, seed=1):
        self.folder, self.chance = folder, random.Random(seed)
        self.lost, self.repeated, self.overtaken = lost, repeated, overtaken
        self.ends = [socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(machines)]
        for machine, end in enumerate(self.ends):
            end.bind(end_of_wire(folder, machine))
            end.setblocking(False)
        self.held: list[tuple[int, bytes]] = []  # frames that others overtake

    def happens(self, of_a_hundred: int) -> bool:
        return of_a_hundred > 0 and self.chance.random() * 100 < of_a_hundred

    def carry(self, frame: bytes) -> None:
        to = frame[5] if len(frame) > 5 else len(self.ends)
        if to >= len(self.ends) or self.happens(self.lost):
            return
        if self.happens(self.overtaken):
            self.held.append((to, frame))
            return
        for _ in range(2 if self.happens(self.repeated) else 1):
            self.deliver(to, frame)
        self.release()

    def release(self) -> None:
        """What was held back follows those that have overtaken it."""
        held, self.held = self.held, []
        for to, frame in held:
            self.deliver(to, frame)

    def deliver(self, to: int, frame: bytes) -> None:
        """What a machine cannot take is lost, as on any wire."""
        try:
            self.ends[to].sendto(frame, end_of_machine(self.folder, to))
        except OSError:
            pass

    def run(self, until: int) -> None:
        """Until that descriptor has ended."""
        selector = selectors.DefaultSelector()
        for end in self.ends:
            selector.register(end, selectors.EVENT_READ, end)
        selector.register(until, selectors.EVENT_READ, None)
        while True:
            events = selector.select(0.01 if self.held else None)
            if not events:
                self.release()
            for event, _ in events:
                if event.data is not None:
                    self.take(event.data)
                elif not os.read(until, 4096):
                    return

    def take(self, end: socket.socket) -> None:
        at_once = 64
        for _ in range(at_once):
            try:
                self.carry(end.recv(LARGEST))
            except OSError:
                return


def main() -> int:
    folder, machines = sys.argv[1], int(sys.argv[2])
    Wire(folder, machines, *(faults(sys.argv[3]) if len(sys.argv) > 3 else ())).run(sys.stdin.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
