# SPDX-License-Identifier: MIT
"""What is to be told of programs/unreceived.c, in booted kernels and under nxrun."""

LINES = [
    "  node 0: irecv(selector 7, from any node): never got a message",
    "  node 0: irecv(selector 8, from node 1): never got a message",
    "  node 1: irecv(selector 11, from any node): has its message, never waited for",
    "  node 1: msgwait(1024): that request had ended before (2 times)",
    "  node 1: type 5, 100 bytes, from node 0: never received (3 times)",
    "  node 1: type 6, 0 bytes, from node 0: never received",
]
MESSAGE = {
    "job": 0,
    "node": 1,
    "pid": 0,
    "what": "message",
    "type": 5,
    "bytes": 100,
    "from_node": 0,
    "from_pid": 0,
    "count": 3,
    "sentence": "type 5, 100 bytes, from node 0: never received (3 times)",
}
CALL = {
    "job": 0,
    "node": 1,
    "pid": 0,
    "what": "msgwait again",
    "id": 1024,
    "count": 2,
    "sentence": "msgwait(1024): that request had ended before (2 times)",
}


def said(text: str) -> list[str]:
    """The lines about what was left, in an order that no host changes."""
    return sorted(line for line in text.splitlines() if line.startswith("  node "))
