# SPDX-License-Identifier: MIT
"""The orderings that the paper states, judged on a modelled machine: each statement with its evidence. The
limits are what the paper says in words or prints; where its text and a figure disagree, either counts. This
project's own are what is flat (orderings.FLAT), what FAR_US and KERNEL_CALLS make of the text, and LARGEST,
beyond which two orderings do not hold on the modelled Multimax."""

from dataclasses import dataclass

from paper import collection, orderings, published
from paper.modelled_boots import LATE, SHARES_AT
from paper.modelled_results import Curve, Results
from parley_runner import places
from parley_study import statements

POINT = 16  # bytes
COLLECTED = (2, 4, 6, 8)
# The text prints no round trip of a larger message. Beyond it exp4 comes below exp6, and exp1 minus exp5 does
# not stay constant: such parts of a round trip are less there than what it matters where the pages of two
# runs lie in caches that are mapped directly.
LARGEST = max(size for sizes in published.RING_US.values() for size in sizes)

# 5.1.5: two context switches are what the text can explain of exp4's distance from exp6.
FAR_US = 2 * published.BASE_US["context switch"]
# 5.1.7 says that the kernel's price is two proxy calls, figure 16 that it is four: constant lies between.
KERNEL_CALLS = (2, 4)
# 5.1.1 explains 2690 us by copies that take 2048: it is as far off itself.
COPIES = published.RING_OTHERS_US["exp6 - exp1, 2048 bytes"] / published.EXTRA_COPIES_US
# 5.2.2, figure 21: the largest printed difference.
SIMPLEX_APART = 1.20
# 5.3: "varies slightly" is said of what figure 23 prints.
SLIGHTLY = published.GANG_MS[8][0] / published.GANG_MS[2][0]
STRAIGHT = 0.10  # this project's own: as far as that what members take is one member's time each

OF_THE_TEXT = "the text has single copy worst, which counts as well"

REASONS = "docs/machine-model.md"
SECTION = "Orderings that do not hold"


@dataclass(frozen=True)
class Because:
    """What an ordering that does not hold is explained by, as this run measured it."""

    text: str
    is_so: bool


@dataclass(frozen=True)
class Statement:
    said: str
    why_not: str  # empty: it holds
    evidence: str
    because: Because | None = None  # if it can be explained
    is_open: bool = False  # too few samples to tell


def reasons() -> dict[str, str]:
    """statement -> why it does not hold, as the documentation lists them"""
    return listed_reasons(SECTION)


def listed_reasons(name: str) -> dict[str, str]:
    """Of one section of the documentation."""
    return statements.listed(f"{places.ROOT}/{REASONS}", name)


def numbers(*values: float) -> str:
    return " < ".join(f"{value:.5g}" for value in values)


def because_pages_meet(by_address: dict[str, Curve], least: float, most: float) -> Because:
    one, five = by_address["exp1"], by_address["exp5"]
    apart = [one[size] - five[size] for size in one if size <= LARGEST]
    return Because(
        "where pages get frames by their addresses, so that none of a run's lie in one place of a cache by"
        f" chance, it is {min(apart):.5g} to {max(apart):.5g} us",
        least <= min(apart) and max(apart) <= most,
    )


def ring(
    curves: dict[str, Curve], by_address: dict[str, Curve], base: dict[str, float]
) -> list[Statement]:
    """base: what copying 4096 bytes and a proxy call take"""
    at = [size for size in orderings.sizes(curves) if size <= LARGEST]
    one, two, three, four, five, six = (curves[f"exp{number}"] for number in range(1, 7))
    small, large = at[0], at[-1]
    three_of = {size: numbers(two[size], one[size], six[size]) for size in (small, large)}
    ends = "; ".join(f"{size} bytes: {listed} us" for size, listed in three_of.items())
    far = four[small] - six[small]
    gaps = [three[size] - four[size] for size in at]
    apart = [one[size] - five[size] for size in at]
    least, most = (calls * base["proxy call"] for calls in KERNEL_CALLS)
    more = ((six[large] - one[large]) - (six[small] - one[small])) / (large - small)
    copies = 2 * base["copy"] / 4096
    grows = orderings.growing(six, one, at)
    if not grows and not 1 / COPIES <= more / copies <= COPIES:
        grows = f"its growth is {more / copies:.2f} of two copies"
    return [
        Statement(
            "no access: exp2 < exp1 < exp6",
            orderings.below(two, one, at) or orderings.below(one, six, at),
            ends,
        ),
        Statement(
            "exp2 is flat in the message's size",
            orderings.flat(two, at),
            f"{min(two[s] for s in at):.5g} to {max(two[s] for s in at):.5g} us",
        ),
        Statement(
            "exp4 is far above exp6",
            orderings.below(six, four, at) or ("" if far >= FAR_US else f"not by {FAR_US} us"),
            f"by {far:.5g} us at {small} bytes, {four[small] / six[small]:.2f} times; the text says about 10"
            f" times, and its two switches of {published.BASE_US['context switch']} us explain 2",
        ),
        Statement(
            "exp3 is above exp4, and the difference grows with size",
            orderings.below(four, three, at) or orderings.growing(three, four, at),
            f"{gaps[0]:.5g} us at {small} bytes, {gaps[-1]:.5g} at {large}",
        ),
        Statement(
            "exp1 minus exp5 is constant",
            "" if all(least <= gap <= most for gap in apart) else "not between two proxy calls and four",
            f"{min(apart):.5g} to {max(apart):.5g} us; two proxy calls take {least:.5g}, four {most:.5g};"
            " the text says 144",
            because_pages_meet(by_address, least, most),
        ),
        Statement(
            "exp6 minus exp1 grows as the time to copy the message twice more",
            grows,
            f"{1000 * more:.0f} ns a byte, two copies take {1000 * copies:.0f}",
        ),
    ]


def access(curves: dict[str, dict[str, Curve]]) -> list[Statement]:
    found = []
    for design in ("exp1", "exp2", "exp6"):
        size = max(size for size in curves["read"][design] if size <= LARGEST)
        none, read, write = (curves[kind][design][size] for kind in ("none", "read", "write"))
        wrong = "" if none < read < write else "not in this order"
        said = f"{design}: write access costs more than read access, and that more than none"
        found.append(Statement(said, wrong, f"{size} bytes: {numbers(none, read, write)} us"))
    two = {size: time for size, time in curves["read"]["exp2"].items() if size <= LARGEST}
    ratio = max(two.values()) / min(two.values())
    wrong = "" if ratio > orderings.FLAT else f"its largest is {ratio:.2f} times its smallest"
    said = "exp2 is not flat when its messages are read"
    return [*found, Statement(said, wrong, f"{min(two.values()):.5g} to {max(two.values()):.5g} us")]


def relative(rows: dict[tuple[int, str], dict], key: tuple, nodes: int) -> tuple[float, ...]:
    """pointer, single copy, double copy: with pointer at 1"""
    times = [rows[nodes, design][key] for design in published.TRANSFERS]
    return tuple(time / times[0] for time in times)


def transfers(values: tuple[float, ...]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in zip(published.TRANSFERS.values(), values))


def beside(rows: dict, key: tuple, nodes: int, printed: dict) -> str:
    return f"{nodes} nodes: {transfers(relative(rows, key, nodes))} (printed: {transfers(printed[nodes])})"


def fft(results: Results) -> list[Statement]:
    rows, key = results.fft, ("fft time", 1024 * POINT)
    pointer, single, double = relative(rows, key, 2)
    first = Statement(
        "FFT: at 2 nodes pointer transfer is best",
        "" if pointer < min(single, double) else "another is faster",
        beside(rows, key, 2, published.FFT_RELATIVE),
    )
    found = [relative(rows, key, nodes) for nodes in LATE]
    above_four = found[-1][1] < found[-1][2] < found[-1][0]
    copies_cost = all(pointer < single < double for pointer, single, double in found)
    last = results.pointer[LATE[-1]]
    at_most, misses = (times * published.READ_MISS_NS / 1000 for times in (last.reads, last.misses))
    copying = (rows[8, "exp1"][key] - rows[8, "exp2"][key]) / 1000
    because = Because(
        f"on 8 nodes, in the layout of 5.2.1, a node's {last.reads:.0f} reads of a transform, under pointer"
        f" transfer, take {at_most:.0f} us if every one misses, and those that do {misses:.0f}; the text says"
        f" that misses lose {published.FFT_POINTER_LOSS_US}. To copy once takes {copying:.0f} more",
        copies_cost and misses < copying and at_most < published.FFT_POINTER_LOSS_US,
    )
    return [
        first,
        Statement(
            "FFT: at 4 and 8 nodes single copy is fastest, pointer transfer slowest",
            "" if above_four else "not in this order",
            "; ".join(beside(rows, key, nodes, published.FFT_RELATIVE) for nodes in LATE)
            + "; the text has pointer transfer slowest above 4 nodes alone",
            because,
        ),
    ]


def simplex(results: Results) -> list[Statement]:
    rows, key = results.simplex, ("simplex time", 0)
    found = {nodes: relative(rows, key, nodes) for nodes in (2, 4, 8)}
    apart = max(max(times) / min(times) for times in found.values())
    by_text = {nodes: single > max(pointer, double) for nodes, (pointer, single, double) in found.items()}
    early = all(found[nodes][0] < found[nodes][1] < found[nodes][2] for nodes in (2, 4))
    late = found[8][2] < min(found[8][:2])
    blocks_cost = all(found[nodes][1] < found[nodes][0] for nodes in (2, 4))
    copies_cost = found[8][2] > found[8][1]
    at = {nodes: beside(rows, key, nodes, published.SIMPLEX_RELATIVE) for nodes in found}
    return [
        Statement(
            "Simplex: the three transfers lie within 20 % of one another",
            "" if apart <= SIMPLEX_APART else f"they lie {100 * apart - 100:.0f} % apart",
            f"at most {100 * apart - 100:.1f} % apart",
        ),
        Statement(
            "Simplex: at 2 and 4 nodes pointer transfer is best, double copy worst",
            "" if early or by_text[2] and by_text[4] else "not in this order",
            f"{at[2]}; {at[4]}; {OF_THE_TEXT}",
            because_of_blocks_and_steps(results, blocks_cost),
        ),
        Statement(
            "Simplex: at 8 nodes double copy is best",
            "" if late or by_text[8] else "another is faster",
            f"{at[8]}; {OF_THE_TEXT}",
            because_copies_outweigh_waiting(results, copies_cost),
        ),
    ]


def step_us(results: Results, nodes: int) -> float:
    """What a step of the simplex method takes under pointer transfer."""
    rows = results.simplex[nodes, "exp2"]
    return rows["simplex time", 0] / rows["pivots", 0] / 1000


def copy_us(results: Results, nodes: int) -> float:
    """What it takes to copy a step's pivot message, by figure 9's loop."""
    size = next(size for name, size in results.simplex[nodes, "exp2"] if name == "pivot messages")
    return results.base["copy"] * size / 4096


def because_of_blocks_and_steps(results: Results, pointer_is_slower: bool) -> Because:
    block, copy = results.blocks["block"], results.blocks["copy"]
    parts = {nodes: 200 * copy_us(results, nodes) / step_us(results, nodes) for nodes in (2, 4)}
    listed = ", ".join(
        f"{part:.1f} % of the {step_us(results, nodes) / 1000:.3g} ms on {nodes} nodes"
        for nodes, part in parts.items()
    )
    printed = 100 * max(map(max, published.SIMPLEX_RELATIVE.values())) - 100
    return Because(
        f"to take a block for a message of 128 bytes and give it back takes {block:.0f} us, to copy as many"
        f" bytes {copy:.0f}; two copies of a step's pivot message take {listed}",
        pointer_is_slower and block > copy and max(parts.values()) < printed,
    )


def because_copies_outweigh_waiting(results: Results, a_second_copy_costs: bool) -> Because:
    copies = 100 * 7 * copy_us(results, 8) / step_us(results, 8)
    waiting = results.simplex_waiting
    return Because(
        f"a sender's 7 copies of a pivot message, one after the other, take {copies:.1f} % of a step, and"
        f" processors wait {waiting:.1f} % of their time for the bus and for memory, which double copy should"
        " avoid",
        a_second_copy_costs and waiting < copies,
    )


def shares(fft_rows: dict, simplex_rows: dict) -> list[Statement]:
    def listed(values: list[float]) -> str:
        return ", ".join(f"{value:.1f}" for value in values)

    falls, rises, of_fft, of_simplex = True, True, [], []
    for design, name in published.TRANSFERS.items():
        rows = fft_rows[SHARES_AT, design]
        values = [rows[each] for each in sorted(key for key in rows if key[0] == "share")]
        falls = falls and values == sorted(values, reverse=True)
        of_fft.append(f"{name} {listed(values)}")
        values = [simplex_rows[nodes, design]["share", 0] for nodes in (2, 4, 8)]
        rises = rises and values == sorted(values)
        of_simplex.append(f"{name} {listed(values)}")
    return [
        Statement(
            "the message system's share of the FFT falls with the data",
            "" if falls else "it rises somewhere",
            f"percent, {SHARES_AT} nodes, 128 to 2048 points: {'; '.join(of_fft)}",
        ),
        Statement(
            "the message system's share of Simplex rises with the nodes",
            "" if rises else "it falls somewhere",
            f"percent, 2, 4, 8 nodes: {'; '.join(of_simplex)}",
        ),
    ]


def creation(rows: dict[tuple[str, int], float], switch_us: float) -> Statement:
    """switch_us: a context switch, beside which what does not grow is meant to be little; so is a member."""
    created = {members: rows["create and add", members] / 1000 for members in COLLECTED}
    growth = created[8] / created[2]
    rising = list(created.values()) == sorted(created.values())
    grows = "" if rising and growth <= SLIGHTLY else f"8 members take {growth:.2f} times what 2 do"
    member = (created[8] - created[2]) / 6
    rest = created[2] - 2 * member
    first, last = (1000 * published.GANG_MS[members][0] for members in (2, 8))
    printed_member = (last - first) / 6
    bent = max(abs(took / (rest + members * member) - 1) for members, took in created.items())
    return Statement(
        "creating a gang takes slightly more with more members",
        grows,
        f"{created[2]:.0f} us for 2, {created[8]:.0f} for 8; printed: {first} and {last}",
        Because(
            f"a member takes {member:.0f} us, which is less than the {printed_member:.0f} printed; but what"
            f" does not grow is {rest:.0f} us here, and {first - 2 * printed_member:.0f} there. A context"
            f" switch takes {switch_us:.0f}, and other numbers of members are at most {100 * bent:.1f} % off"
            " that line",
            rising
            and 0 < member < min(switch_us, printed_member)
            and rest < min(switch_us, first - 2 * printed_member)
            and bent <= STRAIGHT,
        ),
    )


def gangs(rows: dict[tuple[str, int], float], switch_us: float, samples: int) -> list[Statement]:
    below, listed = [], []
    for one in collection.of_rows(rows):
        listed.append(f"{one.members}: {one.mean:.2f} ({one.expected:.2f})")
        if one.ratio + one.apart < 1:
            below.append(str(one.members))
    return [
        creation(rows, switch_us),
        Statement(
            "collection from loaded processors takes what Collect(TS,N,p) says, or more",
            f"not for {', '.join(below)} members" if below else "",
            f"ms, means of {samples} (Collect): {', '.join(listed)}",
        ),
    ]


def judge(results: Results, samples: int) -> list[Statement]:
    return [
        *ring(results.ring["none"], results.by_address, results.base),
        *access(results.ring),
        *fft(results),
        *simplex(results),
        *shares(results.fft, results.simplex),
        *gangs(results.gangs, results.base["context switch"], samples),
    ]
