# SPDX-License-Identifier: MIT
"""Jobs of which a rank is killed from outside at any moment: each must end at once, say so in one sentence,
and leave nothing behind."""

import os
import random
import signal
import subprocess
import time

from native_case import NXRUN, lives, ranks_of

# Every way of sending and receiving, for ever.
TRAFFIC = """
#include <nx.h>
#include <stdlib.h>
int main(int count, char **words)
{
    static char bytes[100000];
    long right = (mynode() + 1) % numnodes(), size = count > 1 ? atol(words[1]) : 100, work;
    double sum = 1, place;
    for (long i = 0;; i++) {
        long id = irecv(1, bytes, sizeof bytes);
        csend(1, bytes, i * 37 % (size + 1), right, 0);
        msgwait(id);
        if (i % 16 == 0)
            gisum(&i, 1, &work), i = i / numnodes();
        if (i % 64 == 0)
            gdsum(&sum, 1, &place), gsync();
    }
}
"""
DESIGNS = (
    *("exp6", "exp4", "exp6,port=carrying", "exp6,port=locked", "exp6,transfer=adaptive"),
    *("exp6,synchronization=mcs", "exp6,synchronization=two-phase", "exp3", "exp5", "exp6,light"),
)
SIGNALS = (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM, signal.SIGFPE)
LONGEST = 30  # seconds for what takes milliseconds


def shared_files() -> set[str]:
    return {name for name in os.listdir("/dev/shm") if "parley" in name}


def kill_one(program: str, chance: random.Random) -> str:
    """Runs a job and kills one of its ranks, or nxrun itself. What was wrong, or nothing."""
    design, number = chance.choice(DESIGNS), chance.choice(SIGNALS)
    nodes, size = chance.choice((2, 3, 5)), chance.choice((0, 100, 5000, 99000))
    before = shared_files()
    line = [NXRUN, "-n", str(nodes), "-d", design, program, str(size)]
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as job:
        end = time.monotonic() + LONGEST
        while not (ranks := ranks_of(job.pid)) and job.poll() is None and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(chance.random() * 0.05)
        now = ranks_of(job.pid)
        if not now:
            job.kill()
            return f"{' '.join(line)}: it ended by itself: {job.communicate()[1]!r}"
        os.kill(chance.choice(now), number)
        try:
            said = job.communicate(timeout=LONGEST)[1]
        except subprocess.TimeoutExpired:
            job.kill()
            return f"{' '.join(line)}: it went on after signal {number}"
    left = [rank for rank in ranks if lives(rank)]
    # A rank that was killed before it began is one that nxrun has lost all the same.
    if job.returncode != 1 or len(said.splitlines()) != 1 or f"signal {int(number)}" not in said:
        return f"{' '.join(line)}: signal {number}: status {job.returncode}, {said!r}"
    if left:
        return f"{' '.join(line)}: ranks {left} go on"
    if shared_files() - before:
        return f"{' '.join(line)}: {shared_files() - before} stayed in /dev/shm"
    return ""
