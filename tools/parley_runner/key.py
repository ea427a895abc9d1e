# SPDX-License-Identifier: MIT
"""What a key of a request is."""

from dataclasses import dataclass
from typing import Any

RUN, JOB = "run", "job"


@dataclass(frozen=True)
class Key:
    name: str
    scope: str
    default: Any
    meaning: str
    choices: tuple[str, ...] = ()
    lowest: int = 0
    highest: int = 0
    path: bool = False

    @property
    def is_number(self) -> bool:
        return self.highest > 0
