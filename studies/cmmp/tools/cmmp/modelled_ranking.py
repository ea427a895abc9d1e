# SPDX-License-Identifier: MIT
"""Table 3.8, by the largest over the smallest of each source of variation, and which of them is the largest
(C26). Of kernel processes it is not printed between which times its ratio is, and for memory contention the
one bank has no room here, so these are not judged: C26 has the wake-ups of figure 3.8, the last over the
first of a stage, and the cycles of what there is room for."""

from cmmp import documents, modelled_memory, modelled_traces
from cmmp.modelled_verdict import THRESHOLD_WITHIN, Cause, Verdict, number

FIRST = "C26: of the sources of variation the application is the largest"
APPLICATION, KERNEL = "application", "kernel processes"
BOOTS = {
    APPLICATION: "undisturbed 1",
    "processors": "slow 1, undisturbed 1",
    "interrupts": "device 1, undisturbed 1",
    "memories": "semiconductor 1, undisturbed 1",
}
UNJUDGED = {
    f"T3.8, {KERNEL}": f"have a ratio of {documents.RANKING[KERNEL]:g}, and it is not printed between which"
    " times it is: F3.8 and C08 judge how far apart five processes wake up",
}


def sources(results) -> dict[str, float]:
    """`results`: modelled_results.Results."""
    took = results.evaluations
    return {
        APPLICATION: results.varied,
        "memory contention": modelled_memory.contention(results.memory),
        KERNEL: results.single.wakes[modelled_traces.POLICY].apart,
        "processors": took["slow 1"] / took["undisturbed 1"],
        "interrupts": results.stages["device 1"] / results.stages["undisturbed 1"],
        "memories": took["semiconductor 1"] / took["undisturbed 1"],
    }


def largest(found: dict[str, float]) -> str:
    return max(found, key=lambda source: found[source])


def judge(results) -> list[Verdict]:
    found = sources(results)
    made = [
        number(
            f"T3.8: the largest over the smallest of {source}",
            found[source],
            documents.RANKING[source],
            THRESHOLD_WITHIN,
            boots,
        )
        for source, boots in BOOTS.items()
    ]
    text = ", ".join(f"{source} {one:.3g}" for source, one in found.items())
    text += f"; {100 * results.memory.elsewhere:.0f} % of the pages of memory contention lie elsewhere"
    boots = f"as of T3.8; {modelled_memory.CONTENTION}; {modelled_traces.POLICY}"
    return [*made, Verdict(FIRST, largest(found) == APPLICATION, text, boots)]


def cause(results) -> Cause:
    """The application is an input."""
    few, many = (results.beside.varied[what] for what in ("ten roots", "ten roots unfixed"))
    others = {source: one for source, one in sources(results).items() if source != APPLICATION}
    most = largest(others)
    return Cause(
        f"the application is an input, {few:.2f} of ten roots and {many:.2f} without the steps that are"
        f" always the same, and of the others {most} have the most, {others[most]:.2f} (boots ten roots *)",
        few < others[most] < many,
    )
