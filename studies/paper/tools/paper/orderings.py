# SPDX-License-Identifier: MIT
"""The published orderings between the six designs, as statements about curves: size -> time.

A statement that does not hold says where. Nothing is tuned here: the limits below are what the words mean.
"""

FLAT = 1.25  # the largest over the smallest of a flat curve
FAR_ABOVE = 1.5  # at the smallest size, where no copying hides it
CONSTANT = 0.25  # how far a constant difference strays from its middle, as a part of the upper curve's value

SAVED_COPY = 4096  # bytes from which on one copy less pays for a negotiation (docs/nx2-protocol.md)

# What counted instructions cannot bear out, with the reason; docs/performance.md has the evidence.
NOT_BY_COUNT = {
    "exp4 is far above exp6": "a context switch is some 850 instructions, and a count knows no cold caches,"
    " no halted processors and no signals between them"
}

AGREE = 1.3  # yardsticks of one state of the host: times, or part of, one of them

Curve = dict[int, float]


def of_one_yardstick(found: dict[str, list[tuple[float, Curve]]]) -> dict[str, list[Curve]]:
    """Of each design's boots, a yardstick and times each: those whose yardsticks agree with one of them, in
    units of their own. That one is taken which leaves the most to the design with the fewest."""

    def agreeing(middle: float) -> dict[str, list[Curve]]:
        return {
            design: [
                {size: time / yardstick for size, time in times.items()}
                for yardstick, times in several
                if middle / AGREE <= yardstick <= middle * AGREE
            ]
            for design, several in found.items()
        }

    def left(chosen: dict[str, list[Curve]]) -> tuple[int, int]:
        return min(map(len, chosen.values())), sum(map(len, chosen.values()))

    return max((agreeing(yardstick) for several in found.values() for yardstick, _ in several), key=left)


def sizes(curves: dict[str, Curve]) -> list[int]:
    common = set.intersection(*(set(curve) for curve in curves.values()))
    return sorted(size for size in common if 128 <= size <= 65536)


def below(lower: Curve, upper: Curve, at: list[int]) -> str:
    wrong = [size for size in at if lower[size] >= upper[size]]
    return f"not at {', '.join(map(str, wrong))} bytes" if wrong else ""


def flat(curve: Curve, at: list[int]) -> str:
    ratio = max(curve[size] for size in at) / min(curve[size] for size in at)
    return f"its largest is {ratio:.2f} times its smallest" if ratio > FLAT else ""


def growing(upper: Curve, lower: Curve, at: list[int]) -> str:
    gaps = [upper[size] - lower[size] for size in at]
    wrong = [size for size, before, after in zip(at[1:], gaps, gaps[1:]) if after <= before]
    return f"not from the size before {', '.join(map(str, wrong))} bytes" if wrong else ""


def constant(upper: Curve, lower: Curve, at: list[int]) -> str:
    gaps = sorted(upper[size] - lower[size] for size in at)
    middle = gaps[len(gaps) // 2]
    wrong = [size for size in at if abs(upper[size] - lower[size] - middle) > CONSTANT * upper[size]]
    if middle <= 0:
        return "exp5 is not the lower one"
    return f"not at {', '.join(map(str, wrong))} bytes" if wrong else ""


def far_above(upper: Curve, lower: Curve, at: list[int]) -> str:
    ratio = upper[at[0]] / lower[at[0]]
    problem = below(lower, upper, at)
    return problem or (f"only {ratio:.2f} times at {at[0]} bytes" if ratio < FAR_ABOVE else "")


def statements(curves: dict[str, Curve]) -> list[tuple[str, str]]:
    """(the published statement, why it does not hold here or nothing)"""
    at = sizes(curves)
    one, two, three, four, five, six = (curves[f"exp{number}"] for number in range(1, 7))
    kernel = {"exp1": one, "exp3": three, "exp4": four, "exp6": six}
    fastest = "; ".join(
        f"{name}: {problem}" for name, other in kernel.items() if (problem := below(two, other, at))
    )
    own = []
    if "nx2" in curves:
        long = [size for size in at if size >= SAVED_COPY]
        own = [
            (f"nx2 is below exp6 from {SAVED_COPY} bytes on (ours)", below(curves["nx2"], six, long)),
            (
                "nx2 is above exp6 up to 1024 bytes (ours)",
                below(six, curves["nx2"], at[: at.index(1024) + 1]),
            ),
        ]
    return [
        ("exp2 is flat", flat(two, at)),
        ("exp2 is the fastest of the kernel designs", fastest),
        ("exp1 is below exp6", below(one, six, at)),
        ("exp6 minus exp1 grows with size", growing(six, one, at)),
        ("exp1 minus exp5 is constant", constant(one, five, at)),
        ("exp4 is far above exp6", far_above(four, six, at)),
        ("exp3 is above exp4", below(four, three, at)),
        *own,
    ]


def line(curve: Curve, at: list[int]) -> tuple[float, float]:
    """Constant and slope a byte, by least squares."""
    mean_size, mean_time = sum(at) / len(at), sum(curve[size] for size in at) / len(at)
    spread = sum((size - mean_size) ** 2 for size in at)
    slope = sum((size - mean_size) * (curve[size] - mean_time) for size in at) / spread
    return mean_time - slope * mean_size, slope
