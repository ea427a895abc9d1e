# SPDX-License-Identifier: MIT
"""The results channel: framed, checksummed records (interface/results.h is the authority).

A Decoder takes bytes as they come and returns whole frames. The first damage ends decoding: what follows a
broken frame cannot be trusted, so it is counted and not read.
"""

import math
import re
import struct
import zlib
from dataclasses import dataclass, field

MAGIC = 0x594C5250
HEADER = struct.Struct("<IIII")
PLAN, HEARTBEAT, JOB, ROW, FILE, PROCESS, JOB_END, PANIC, END, TRACE, TIME, UNRECEIVED = range(1, 13)
ACCOUNT, LOCK_WAIT = range(13, 15)
VERSION = "1"  # of what frames hold (kernel/boot/run.cpp says it in the plan)
NAMES = "plan heartbeat job row file process job_end panic end trace time unreceived account lock_wait"
KIND_NAMES = dict(enumerate(NAMES.split(), start=1))
# No kernel's, but the runner's in a .trace file: what a modelled machine's memory has counted of a processor,
# by intervals of time (parley_trace/memory.py).
INTERVALS = 256
FILE_KIND_NAMES = {**KIND_NAMES, INTERVALS: "intervals"}
LARGEST_PAYLOAD = 16 << 20

# The whole numbers without which a frame of text cannot be read, and those that some kernels leave out.
NUMBERS = {
    JOB: ("job", "nodes"),
    PROCESS: ("job", "node"),
    JOB_END: ("job",),
    UNRECEIVED: ("job", "node", "pid", "count"),
    ACCOUNT: ("job", "cluster", "processors", "elapsed", "clock_hertz"),
    LOCK_WAIT: ("job", "cycles", "times", "clock_hertz"),
    TIME: ("job", "endpoint", "life", "inside", "waiting", "calls", "clock_hertz"),
}
OPTIONAL_NUMBERS = ("pids", "pid", "host", "processors", "memory", "endpoints")
WHOLE_NUMBER = re.compile(r"-?[0-9]{1,19}")

ROW_HEAD = struct.Struct("<Ii")
ROW_BODY = struct.Struct("<24s12s12sqqddddd")
FILE_HEAD = struct.Struct("<IIQQ")
SPREAD = ("median", "lower_quartile", "upper_quartile", "minimum", "maximum")


@dataclass
class Frame:
    kind: int
    payload: bytes

    @property
    def name(self) -> str:
        return FILE_KIND_NAMES[self.kind]

    def fields(self) -> dict[str, str]:
        """The key=value lines of a text frame."""
        lines = self.payload.decode("utf-8", "replace").splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def text(self) -> str:
        return self.payload.decode("utf-8", "replace").rstrip("\0\n")

    def heartbeat(self) -> tuple[int, int]:
        return struct.unpack("<QQ", self.payload)

    def row(self) -> dict:
        job, node = ROW_HEAD.unpack_from(self.payload)
        values = ROW_BODY.unpack(self.payload[ROW_HEAD.size :])
        name, unit, access, size, samples, median, lower, upper, least, most = values
        return {
            "job": job,
            "node": node,
            "name": string(name),
            "unit": string(unit),
            "access": string(access),
            "bytes": size,
            "samples": samples,
            **{key: finite(value) for key, value in zip(SPREAD, (median, lower, upper, least, most))},
        }

    def file(self) -> tuple[int, str, int, int, bytes]:
        """job, name, whole size, offset, this piece"""
        job, name_bytes, file_bytes, offset = FILE_HEAD.unpack_from(self.payload)
        start = FILE_HEAD.size
        name = self.payload[start : start + name_bytes]
        if len(name) != name_bytes:
            raise ValueError("the name is cut off")
        return (
            job,
            name.decode("utf-8", "surrogateescape"),
            file_bytes,
            offset,
            self.payload[start + name_bytes :],
        )


def finite(value: float) -> float | None:
    """None for what is no number, or infinite: no record could hold it."""
    return value if math.isfinite(value) else None


def string(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")


def encode(kind: int, sequence: int, payload: bytes) -> bytes:
    """One frame, for the tests' fake emulator."""
    body = HEADER.pack(MAGIC, kind, sequence, len(payload)) + payload
    return body + struct.pack("<I", zlib.crc32(body))


def check_payload(frame: Frame) -> str:
    """A sentence about a payload that does not have its kind's shape, or nothing."""
    try:
        if frame.kind == PLAN and (version := frame.fields().get("version")) != VERSION:
            return (
                f"they are of version {version or 'none'}, and this runner reads {VERSION}; build the kernel"
                " and the tools from the same sources"
            )
        if frame.kind == HEARTBEAT:
            frame.heartbeat()
        elif frame.kind == ROW:
            frame.row()
        elif frame.kind == FILE:
            frame.file()
        else:
            check_numbers(frame)
    except (struct.error, ValueError) as problem:
        return f"a {frame.name} frame is malformed: {problem}"
    return ""


def check_numbers(frame: Frame) -> None:
    fields = frame.fields() if frame.kind in NUMBERS or frame.kind == PLAN else {}
    wanted = (*NUMBERS.get(frame.kind, ()), *(name for name in OPTIONAL_NUMBERS if name in fields))
    for name in wanted:
        if not WHOLE_NUMBER.fullmatch(fields.get(name, "")):
            raise ValueError(f"its {name} is {fields.get(name, 'missing')!r}")


@dataclass
class Decoder:
    pending: bytearray = field(default_factory=bytearray)
    sequence: int = 0
    damage: str = ""
    names: dict[int, str] = field(default_factory=lambda: KIND_NAMES)  # of the kinds that there may be

    def feed(self, data: bytes) -> list[Frame]:
        if self.damage:
            return []
        self.pending += data
        frames = []
        while (frame := self.next_frame()) is not None:
            frames.append(frame)
        return frames

    def next_frame(self) -> Frame | None:
        if self.damage or len(self.pending) < HEADER.size:
            return None
        magic, kind, sequence, size = HEADER.unpack_from(self.pending)
        if self.reject(magic, kind, sequence, size):
            return None
        end = HEADER.size + size
        if len(self.pending) < end + 4:
            return None
        body, crc = bytes(self.pending[:end]), struct.unpack_from("<I", self.pending, end)[0]
        if zlib.crc32(body) != crc:
            self.damage = f"the checksum of frame {sequence} ({self.names[kind]}) is wrong"
            return None
        del self.pending[: end + 4]
        self.sequence += 1
        frame = Frame(kind, body[HEADER.size :])
        self.damage = check_payload(frame)
        return None if self.damage else frame

    def reject(self, magic: int, kind: int, sequence: int, size: int) -> bool:
        if magic != MAGIC:
            self.damage = f"frame {self.sequence} does not start with the magic number"
        elif kind not in self.names:
            self.damage = f"frame {self.sequence} is of unknown kind {kind}"
        elif sequence != self.sequence:
            self.damage = f"frame {self.sequence} is missing (found {sequence})"
        elif size > LARGEST_PAYLOAD:
            self.damage = f"frame {sequence} claims {size} bytes"
        return bool(self.damage)

    def finish(self) -> str:
        """To be called at the end of the stream: the damage, if any."""
        if not self.damage and self.pending:
            self.damage = f"the channel ends in the middle of frame {self.sequence}"
        return self.damage
