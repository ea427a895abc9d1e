# SPDX-License-Identifier: MIT
"""What a study may add to the runner: keys, and what follows from them. A study's module runner_keys.py
(studies.py) has one as ADDED, with what it adds; what it leaves out is as here, nothing."""

from typing import Any

from .key import Key


class Additions:
    keys: tuple[Key, ...] = ()
    implying: str | None = None  # the key from which what is implied follows
    texts: tuple[str, ...] = ()  # fields of the kernel's that stay text even when they look like a number

    def parse(self, key: Key, value: str) -> None:
        """Raises BadRequest: `key`, if it is one of these, does not take the value."""

    def implied(self, values: dict) -> dict:
        """What follows from these keys for others that the request leaves out, of a run or of one of its
        jobs. `values`: as the request says them, and the defaults. Raises BadRequest."""
        return {}

    def check(self, request: Any) -> None:
        """Raises BadRequest: values of these keys do not go together, or not with this request."""

    def processors(self, values: dict) -> int | None:
        """How many the machine has, where one of these keys says it."""
        return None

    def machine(self, request: Any) -> list[str]:
        """Words for the kernel's key `machine`. Where there are any, a measuring kernel is booted."""
        return []

    def of_job(self, values: dict, end: dict) -> dict:
        """What a job's entry in the record has beside what the kernel said in `end`."""
        return {}

    def notes(self, records: list[dict]) -> list[str]:
        """Sentences under a table."""
        return []
