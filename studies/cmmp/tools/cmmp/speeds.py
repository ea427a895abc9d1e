# SPDX-License-Identifier: MIT
"""Processors of two speeds, SPEEDS=fast:3,slow:2: a loss that the kernel injects into the slow ones."""

from dataclasses import dataclass

from cmmp import named_numbers
from parley_runner import limits
from parley_runner.status import BadRequest

SLOWDOWN = 155  # percent of a fast one's time: what C.mmp's two models had


@dataclass(frozen=True)
class Speeds:
    fast: int
    slow: int

    @property
    def processors(self) -> int:
        return self.fast + self.slow


def parse(text: str) -> Speeds:
    """Each kind at most once; or a BadRequest that says what is wrong."""
    says = "speeds says how many processors are fast and slow, as fast:3,slow:2"
    found = named_numbers.parse(text, ("fast", "slow"), says)
    speeds = Speeds(found.get("fast", 0), found.get("slow", 0))
    if not 1 <= speeds.processors <= limits.PROCESSORS:
        raise BadRequest(
            f"speeds={text} are {speeds.processors} processors; a machine has 1 to {limits.PROCESSORS}."
        )
    return speeds


def of(values: dict) -> Speeds | None:
    return parse(values["speeds"]) if values["speeds"] else None


def check(values: dict, has_slow_ones: bool = False) -> None:
    """Whether the run's values go together. `has_slow_ones`: the machine has them itself."""
    speeds = of(values)
    if speeds is None:
        for name in ("slowdown",) if has_slow_ones else ("slowdown", "stealing"):
            if values[name] is not None:
                raise BadRequest(
                    f"{name} is of a machine with processors of two speeds: say SPEEDS=fast:3,slow:1 too."
                )
    elif values["processors"] not in (None, speeds.processors):
        raise BadRequest(
            f"SPEEDS={values['speeds']} are {speeds.processors} processors and PROCESSORS says "
            f"{values['processors']}: leave out the one or the other."
        )


def words(values: dict) -> list[str]:
    """For the kernel (measuring/losses.hpp); nothing where all processors are alike."""
    speeds = of(values)
    if speeds is None or speeds.slow == 0:
        return []
    return [
        f"slow={speeds.slow}",
        f"slowdown={values['slowdown'] or SLOWDOWN}",
        f"stealing={0 if values['stealing'] == 'off' else 1}",
    ]
