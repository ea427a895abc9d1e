# SPDX-License-Identifier: MIT
"""Where the time of parallel loops goes: the formulas of Natarajan, Sharma and Iyer's study of Cedar (1994,
section 7), for numbers of any kind that computes, exact ones or intervals.

A cluster's average concurrency is how many of its processors are active, over the whole program. Everything
but parallel loops is done by one processor of a cluster.
"""

from collections.abc import Sequence


def loop_concurrency(average, completion, loops):
    """How many processors of a cluster run parallel loops while it does so: with pf, the part of the
    `completion` time that it spends in `loops`, (1 - pf) + pf * loop_concurrency = average."""
    return (average - 1) * completion / loops + 1


def loop_share(average, concurrency):
    """The same, solved for the part of its time that a cluster spends in parallel loops."""
    return (average - 1) / (concurrency - 1)


def ideal_time(cluster_only, spread, concurrency: Sequence):
    """What parallel loops would take if no processor ever waited for another's access to memory. From the
    times on one processor of loops of the main cluster alone, and of those that are spread over all clusters;
    `concurrency` is of loops on each cluster, the main one first."""
    return cluster_only / concurrency[0] + spread / sum(concurrency[1:], start=concurrency[0])


def contention(actual, ideal, completion):
    """What contention for memory and network takes of a program's time, in percent."""
    return (actual - ideal) / completion * 100
