# SPDX-License-Identifier: MIT
"""Linear problems made from a seed, as free MPS text: of several kinds, some degenerate, infeasible or
unbounded. Coefficients are small integers, so degenerate corners are exactly degenerate."""

import random

KINDS = ("packing", "transport", "equations", "degenerate", "bounded", "anything")


def text(name: str, rows: list, columns: list, bounds: list[str], ranges: dict[str, float]) -> str:
    """rows: (type, name, right side); columns: (name, cost, {row: value})"""
    lines = ["* SPDX-License-Identifier: MIT", f"NAME {name}", "ROWS", " N COST"]
    lines += [f" {kind} {row}" for kind, row, _ in rows] + ["COLUMNS"]
    for column, cost, values in columns:
        lines += [f" {column} COST {cost}"]
        lines += [f" {column} {row} {value}" for row, value in values.items() if value]
    lines += ["RHS"] + [f" RHS {row} {side}" for _, row, side in rows if side]
    if ranges:
        lines += ["RANGES"] + [f" RNG {row} {value}" for row, value in ranges.items()]
    if bounds:
        lines += ["BOUNDS", *bounds]
    return "\n".join([*lines, "ENDATA", ""])


def matrix(dice: random.Random, rows: list, count: int, low: int, high: int, density: float) -> list:
    columns = []
    for j in range(count):
        values = {row: dice.randint(low, high) for _, row, _ in rows if dice.random() < density}
        columns.append((f"X{j}", dice.randint(-20, 20), values))
    return columns


def packing(dice: random.Random, size: int):
    rows = [("L", f"R{i}", dice.randint(10, 1000)) for i in range(size)]
    columns = matrix(dice, rows, 2 * size, 0, 9, 0.4)
    for _, _, values in columns:
        values["R0"] = dice.randint(1, 9)  # bounds the problem
    return rows, columns, [], {}


def transport(dice: random.Random, size: int):
    plants, markets = [dice.randint(5, 50) for _ in range(size)], [dice.randint(5, 50) for _ in range(size)]
    plants[0] += max(0, sum(markets) - sum(plants))
    rows = [("L", f"P{i}", supply) for i, supply in enumerate(plants)]
    rows += [("G", f"M{j}", demand) for j, demand in enumerate(markets)]
    pairs = [(i, j) for i in range(size) for j in range(size)]
    return rows, [(f"X{i}-{j}", dice.randint(1, 30), {f"P{i}": 1, f"M{j}": 1}) for i, j in pairs], [], {}


def equations(dice: random.Random, size: int):
    """A known point satisfies everything; the sum of all columns is limited."""
    rows = [("E", f"R{i}", 0) for i in range(size)]
    columns = matrix(dice, rows, 2 * size, -5, 9, 0.4)
    point = [dice.randint(0, 9) for _ in columns]
    sides = {row: sum(x * c[2].get(row, 0) for x, c in zip(point, columns)) for _, row, _ in rows}
    for _, _, values in columns:
        values["SUM"] = 1
    rows = [("E", row, sides[row]) for _, row, _ in rows] + [("L", "SUM", sum(point) + 10)]
    return rows, columns, [], {}


def degenerate(dice: random.Random, size: int):
    rows = [("L", f"R{i}", 0 if i else 40) for i in range(size)]
    columns = matrix(dice, rows, 2 * size, -3, 4, 0.6)
    for _, _, values in columns:
        values["R0"] = dice.randint(1, 3)
    return rows, columns, [], {}


def bounded(dice: random.Random, size: int):
    rows, columns, _, _ = equations(dice, size)
    rows = [("G" if dice.random() < 0.3 else kind, row, side) for kind, row, side in rows]
    bounds = []
    for name, _, _ in columns:
        low = dice.randint(-20, 0)
        choice = dice.choice(["UP", "LO", "both", "MI", "none"])
        if choice in ("LO", "both"):
            bounds.append(f" LO BND {name} {low}")
        if choice == "MI":
            bounds.append(f" MI BND {name}")
        if choice in ("UP", "both", "MI"):
            bounds.append(f" UP BND {name} {dice.randint(9, 30)}")
    ranges = {row: dice.choice([-7, 5, 20]) for kind, row, _ in rows if dice.random() < 0.3}
    return rows, columns, bounds, ranges


def anything(dice: random.Random, size: int):
    """Often infeasible or unbounded."""
    rows = [(dice.choice("LGE"), f"R{i}", dice.randint(-20, 50)) for i in range(size)]
    columns = matrix(dice, rows, size + size // 2, -9, 9, 0.5)
    free = [f" FR BND {name}" for name, _, _ in columns if dice.random() < 0.1]
    return rows, columns, free, {}


def make(kind: str, size: int, seed: int) -> str:
    dice = random.Random(f"{kind} {size} {seed}")
    return text(f"{kind}-{size}-{seed}", *globals()[kind](dice, size))
