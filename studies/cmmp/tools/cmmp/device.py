# SPDX-License-Identifier: MIT
"""A simulated device of one processor, DEVICE=owner:0,asker:1: how often another one asks something of it,
and what its service routine takes."""

from dataclasses import dataclass

from cmmp import durations, named_numbers
from parley_runner.status import BadRequest

MOST_BETWEEN, MOST_SERVICE = 10_000_000_000, 1_000_000_000
NONE = "none"
# Service routines as Oleinick (1978) says, 3.4.2; how often they came is not printed.
EVERY, SERVICE = "50ms", "1ms:15ms"


@dataclass(frozen=True)
class Processors:
    owner: int
    asker: int


def parse_processors(text: str) -> Processors:
    """Who owns it and who asks, who is the owner where nobody is named; or a BadRequest."""
    says = "device says which processor owns it and which one asks, as owner:0,asker:1"
    found = named_numbers.parse(text, ("owner", "asker"), says)
    if "owner" not in found:
        raise BadRequest(f"device={text} has no owner: say which processor owns it, as owner:0.")
    return Processors(found["owner"], found.get("asker", found["owner"]))


def parse_every(text: str) -> int:
    """Nanoseconds."""
    return durations.parse("every", text, MOST_BETWEEN, durations.TICK)


def parse_service(text: str) -> tuple[int, int]:
    """The shortest and the longest, in nanoseconds: one length alone is both."""
    shortest, colon, longest = text.partition(":")
    least = durations.parse("service", shortest, MOST_SERVICE, durations.UNITS["us"])
    most = durations.parse("service", longest, MOST_SERVICE, durations.UNITS["us"]) if colon else least
    if most < least:
        raise BadRequest(f"service={text} has a longest time that is shorter than its shortest.")
    return least, most


PARSERS = {
    "device": lambda text: None if text == NONE else parse_processors(text),
    "every": parse_every,
    "service": parse_service,
}


def check(values: dict, processors: int) -> None:
    """Whether the run's values go together."""
    if values["device"] in (None, NONE):
        for name in ("every", "service"):
            if values[name] is not None:
                raise BadRequest(f"{name} is of a machine with a device: say DEVICE=owner:0,asker:1 too.")
        return
    device = parse_processors(values["device"])
    for role, processor in (("owner", device.owner), ("asker", device.asker)):
        if processor >= processors:
            raise BadRequest(
                f"The device's {role} is processor {processor}, which the machine has not: its processors "
                f"are 0 to {processors - 1}."
            )
    every, service = values["every"] or EVERY, values["service"] or SERVICE
    if parse_service(service)[1] >= parse_every(every):
        raise BadRequest(
            f"service={service} every {every} may leave the device's owner no time for anything else: make "
            "the service shorter, or EVERY longer."
        )


def words(values: dict) -> list[str]:
    """For the kernel (measuring/losses.hpp); nothing where there is no device."""
    if values["device"] in (None, NONE):
        return []
    device = parse_processors(values["device"])
    microsecond = durations.UNITS["us"]
    shortest, longest = parse_service(values["service"] or SERVICE)
    return [
        f"device_owner={device.owner}",
        f"device_asker={device.asker}",
        f"device_every={parse_every(values['every'] or EVERY) // microsecond}",
        f"service_shortest={shortest // microsecond}",
        f"service_longest={longest // microsecond}",
    ]
