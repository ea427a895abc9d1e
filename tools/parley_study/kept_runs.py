# SPDX-License-Identifier: MIT
"""Runs whose records are kept: what was measured already, of the same request and build, is not measured
again. So a study that was interrupted goes on."""

import concurrent.futures
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from parley_runner import contents, ending, places

Run = TypeVar("Run")
Found = TypeVar("Found")


class RunFailed(Exception):
    """A sentence says which run and how."""


def digest(paths: Iterable[str], *words: str) -> str:
    """Of what files hold, and of words: equal where runs of them must give equal records. A file that is not
    there counts as that; a name within the project is one from its root."""
    whole = hashlib.sha256("\0".join(words).encode())
    for path in paths:
        try:
            whole.update(contents.digest(os.path.join(places.ROOT, path)))
        except FileNotFoundError:
            whole.update(b"-")
    return whole.hexdigest()


class KeptRuns:
    """The records of a folder, each by the name of its run and a key for all that it comes from."""

    def __init__(self, folder: str):
        self.folder = folder

    def path(self, name: str) -> str:
        letters = (letter if letter.isalnum() or letter in "-." else "_" for letter in name)
        return os.path.join(self.folder, "".join(letters) + ".json")

    def get(self, name: str, key: str) -> dict | None:
        """None: there is no whole record of that key."""
        try:
            with open(self.path(name), encoding="utf-8") as file:
                found = json.load(file)
            return found["record"] if found["key"] == key else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, name: str, key: str, record: dict) -> None:
        """In place of an older one of that name. Raises BadRequest where it cannot be written."""
        places.make_folder(self.folder)
        text = json.dumps({"name": name, "key": key, "record": record}, indent=1)
        places.write_atomically(self.path(name), text.encode())

    def made(self, name: str, key: str, make: Callable[[], dict]) -> dict:
        """The record that is kept; or what make() gives, which then is."""
        record = self.get(name, key)
        if record is None:
            record = make()
            self.put(name, key, record)
        return record


def side_by_side(order: Sequence[Run], name: Callable[[Run], str], one: Callable[[Run], Found]) -> dict:
    """What one() gives of each run, begun in this order, as many at once as there are processors; each that
    has ended is told on standard error. After the first that fails, which raises, no other begins."""
    failures: list[BaseException] = []

    def unless_one_failed(run: Run) -> Found:
        if failures:
            raise concurrent.futures.CancelledError
        try:
            return one(run)
        except BaseException as failure:
            failures.append(failure)
            raise

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        try:
            waiting = {pool.submit(unless_one_failed, run): run for run in order}
            for at, result in enumerate(concurrent.futures.as_completed(waiting), start=1):
                result.result()
                print(f"{at} of {len(order)} runs: {name(waiting[result])}", file=sys.stderr, flush=True)
        except concurrent.futures.CancelledError:
            pool.shutdown(cancel_futures=True)
            raise failures[0] from None
        except KeyboardInterrupt:
            ending.give_up(pool)
            raise
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return {run: result.result() for result, run in waiting.items()}
