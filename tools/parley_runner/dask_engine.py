# SPDX-License-Identifier: MIT
"""The boots of a sweep handed to Dask, whose workers may be this host's, others', or jobs of Slurm.

Each boot is a command of its own on its worker, which has the project, the sweep's file and its folder of
records under the same paths; what comes back is how the command ended. The record is in the folder."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

from . import ending, guest, places
from .status import BadRequest

LOCAL = "local"
RUNNER = os.path.join(places.ROOT, "tools", "parley")
CONNECTION_SECONDS = 30


def open_client(where: str, side_by_side: int):
    """A client of `local`, so many workers of this host; of a scheduler's address; or of the file that a
    scheduler has written. BadRequest, one sentence, where there is none."""
    try:
        import distributed
    except ImportError:
        raise BadRequest(
            "DASK= needs Dask's package distributed, which is not installed: say `apt install "
            "python3-distributed', or leave DASK= out."
        ) from None
    try:
        if where == LOCAL:
            cluster = distributed.LocalCluster(
                n_workers=1, threads_per_worker=side_by_side, processes=False, dashboard_address=None
            )
            return distributed.Client(cluster)
        if "://" in where:
            return distributed.Client(where, timeout=CONNECTION_SECONDS)
        if not os.path.isfile(where):
            raise BadRequest(
                f"DASK={where} is neither `{LOCAL}', nor an address as tcp://host:8786, nor the file that "
                "`dask-scheduler --scheduler-file' has written."
            )
        return distributed.Client(scheduler_file=where, timeout=CONNECTION_SECONDS)
    except (OSError, ValueError, TimeoutError) as problem:
        raise BadRequest(
            f"No scheduler of Dask answers at DASK={where} ({problem}): start `dask-scheduler' there, or say "
            f"DASK={LOCAL}."
        ) from None


def most_side_by_side(clocks: set[str]) -> int:
    """Boots under the free clock would disturb each other's times."""
    return 1 if "free" in clocks else guest.host_cores()


def command(path: str, out: str, name: str) -> list[str]:
    """Makes the record of this name of a sweep."""
    whole = [f"FILE={os.path.abspath(path)}", f"OUT={os.path.abspath(out)}", f"--record={name}"]
    return [sys.executable, "-B", RUNNER, "sweep", *whole]


def each(client, path: str, out: str, names: list[str]) -> Iterator[tuple[str, str, float]]:
    """Of each record, in the order in which they are done: its name, what went wrong so that there may be no
    record, or nothing, and how many seconds after the last one it came. Where that is left before the last:
    what has not begun is given up, and what runs in this process's own workers is asked to end."""
    import distributed

    names_of = {
        client.submit(
            subprocess.run, command(path, out, name), capture_output=True, text=True, pure=False
        ): name
        for name in names
    }
    before = time.monotonic()
    try:
        for future in distributed.as_completed(names_of):
            now = time.monotonic()
            yield names_of[future], problem_of(future), now - before
            before = now
    except BaseException:
        client.cancel(list(names_of))
        ending.ask_children()
        raise


def problem_of(future) -> str:
    """What a worker has to say of a boot; empty where its record tells."""
    problem = future.exception()
    if problem is not None:
        return f"its worker failed ({type(problem).__name__}: {problem})"
    done = future.result()
    if done.returncode in (0, 1):
        return ""
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"its command ended with status {done.returncode} and said nothing"
