# SPDX-License-Identifier: MIT
"""MULTIPROCESSORS=: one booted machine whose nodes are divided into several multiprocessors, which simulated
network interfaces join. A word of the design says so to the kernel."""

import re

from .status import BadRequest

MOST = 32  # as the transport has it; a test compares


def transport(values: dict) -> str:
    """The class that a design needs for it."""
    return f"transport=interfaces:{values['multiprocessors']}"


def refusal(request) -> str:
    """Why the machine cannot be divided so, or nothing."""
    count = request.values["multiprocessors"]
    if count == 1:
        return ""
    word = f"MULTIPROCESSORS={count}"
    if request.machines > 1:
        boots = f"BOOTS={request.machines}"
        return f"{word} divides one machine, and {boots} boots several: leave out one of them."
    if request.processors % count:
        what = f"{request.processors} processors cannot be divided into {word}"
        return f"{what}: take a multiple of {count} (PROCESSORS=)."
    for job in request.jobs:
        what = f"Job {job.name} has {job.nodes} nodes for {word}"
        if job.nodes < count:
            return f"{what}: take at least {count} (NODES=), or fewer multiprocessors."
        if job.nodes % count:
            return f"{what}, which have as many each: take a multiple of {count} (NODES=)."
        for design in job.design.split():
            if "transport=" in design and not re.search(rf"transport=interfaces:{count}\b", design):
                own = f"transport=interfaces:{count}"
                return f"{word} is {own}, and {design} names another transport: leave out one of them."
    return ""


def check(request) -> None:
    if sentence := refusal(request):
        raise BadRequest(sentence)
