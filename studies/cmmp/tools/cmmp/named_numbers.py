# SPDX-License-Identifier: MIT
"""Numbers with names, as keys of a run take them: fast:3,slow:2."""

import re

from parley_runner.status import BadRequest


def parse(text: str, names: tuple[str, ...], says: str) -> dict[str, int]:
    """Each name at most once, in any order; or a BadRequest, in which `says` is what the key says."""
    found: dict[str, int] = {}
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\w+)\s*:\s*([0-9]{1,4})\s*", part)
        if match is None or match[1] not in names or match[1] in found:
            raise BadRequest(f"{says}; '{part}' does not.")
        found[match[1]] = int(match[2])
    return found
