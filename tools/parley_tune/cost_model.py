# SPDX-License-Identifier: MIT
"""What a message costs in a design. Four prices, by length: its way from a sender to a receiver who waits and
answers (null pairs), its sender's part and its receiver's part where neither waits for the other (streams),
and, where csend awaits that its message has been delivered, what a stream's message takes so. They are
measured in the base and with each class instead of the base's, and what classes change is added. Where two
classes have been measured together, what they change otherwise than by themselves is added, too; that three
influence each other is the model's error."""

import bisect
import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Curve = list[tuple[int, float]]  # length in bytes, ns of a message; by length
Choice = tuple[tuple[str, str], ...]  # (factor, class) of what is not as in the base


def at(curve: Curve, length: int) -> float:
    """In between by a straight line; before the first point as there, and beyond the last as the last two go
    on."""
    if len(curve) == 1:
        return curve[0][1]
    place = min(max(bisect.bisect_left(curve, (length, float("-inf"))), 1), len(curve) - 1)
    (left, low), (right, high) = curve[place - 1], curve[place]
    if length <= left:
        return low
    return low + (high - low) * (length - left) / (right - left)


@dataclass(frozen=True)
class Prices:
    """Of the base, or of it with one class. Without streams both ends take half of the way each."""

    way: Curve
    start: float = 0.0  # ns that nodes' beginning and end take
    send: Curve = ()
    receive: Curve = ()  # none: csend awaits deliveries, and `send` is what a message takes so

    @property
    def awaits(self) -> bool:
        return bool(self.send) and not self.receive


@dataclass(frozen=True)
class Message:
    """What one of a length costs, in ns."""

    way: float  # from one's being received to the next one's, where each answers the other
    send: float
    receive: float
    between: float  # one end of each of two messages of a process, as far as it is alike at all lengths
    copied: float  # what its length adds for its sender
    answer: float | None  # from its delivery until its sender has put another; none: csend does not wait

    @property
    def transit(self) -> float:
        """From its being put to its being received by one who waits."""
        return self.way - self.between - self.copied

    def after_receive(self) -> float:
        """From a receive to this one's being put."""
        return self.between + self.copied

    def taken_after_send(self, empty: "Message") -> float:
        """From a send to this one's being received, where it has come before."""
        return self.between + self.receive - empty.receive


@dataclass
class CostModel:
    base: Prices
    changed: dict[tuple[str, str], Prices] = field(default_factory=dict)  # with that class instead
    together: dict[Choice, Prices] = field(default_factory=dict)  # with two, of those that were measured

    def start(self, choice: Choice) -> float:
        """ns by which nodes' beginning takes longer than in the base."""
        return self.more(choice, lambda prices: prices.start)

    def change(self, choice: Choice, length: int) -> float:
        """ns by which a message's way takes longer than in the base."""
        return self.more(choice, lambda prices: at(prices.way, length))

    def more(self, choice: Choice, price: Callable[[Prices], float]) -> float:
        """Than in the base: of each class, and of each two that were measured beyond that."""
        alone = {one: price(self.changed[one]) - price(self.base) for one in choice}
        beyond = [
            price(self.together[pair]) - price(self.base) - alone[pair[0]] - alone[pair[1]]
            for pair in self.measured(choice)
        ]
        return sum(alone.values()) + sum(beyond)

    def measured(self, choice: Choice) -> list[Choice]:
        """Its pairs of classes that have prices."""
        return [pair for pair in itertools.combinations(choice, 2) if pair in self.together]

    def counted(self, base_ns: float, counts: dict[int, int], choice: Choice) -> float:
        """ns of a program that takes base_ns in the base, where all messages come one after the other."""
        more = sum(count * self.change(choice, length) for length, count in counts.items())
        return base_ns + self.start(choice) + more

    def of_design(self, choice: Choice) -> "Costs":
        both = [Both(*(self.changed[one] for one in pair), self.together[pair])
                for pair in self.measured(choice)]  # fmt: skip
        return Costs(self.base, [self.changed[one] for one in choice], both)


@dataclass(frozen=True)
class Both:
    """Prices of two classes, each alone and at once."""

    one: Prices
    other: Prices
    together: Prices

    def beyond(self, base: Prices, length: int) -> Message:
        """What both at once change otherwise than the sum of each; its answer is none where none is known."""
        waits, does_not = (self.one, self.other) if self.one.awaits else (self.other, self.one)
        # By a class with which csend waits, the ends are those of the other.
        beside = does_not if waits.awaits and not does_not.awaits else base
        found = message_of(beside, [self.together], length)
        summed = message_of(base, [self.one, self.other], length)
        answer = None
        if found.answer is not None and summed.answer is not None:
            answer = found.answer - summed.answer
        return Message(found.way - summed.way, found.send - summed.send, found.receive - summed.receive,
                       found.between - summed.between, found.copied - summed.copied, answer)  # fmt: skip


class Costs:
    """Of a design, whose classes change what is named, and two of them together what `both` says."""

    def __init__(self, base: Prices, changed: list[Prices], both: Sequence[Both] = ()):
        self.base, self.changed, self.both = base, changed, both
        self.of = functools.cache(self._of)

    def _of(self, length: int) -> Message:
        found = message_of(self.base, self.changed, length)
        for both in self.both:
            found = added(found, both.beyond(self.base, length), both.beyond(self.base, 0))
        return found


def added(message: Message, more: Message, more_empty: Message) -> Message:
    """`more`, and where csend waits the answer, too, which travels as an empty message does."""
    answer = message.answer
    if answer is not None and more.answer is not None:
        answer += more.answer
    elif answer is not None:
        answer += more.send + more_empty.way - more_empty.between
    return Message(message.way + more.way, message.send + more.send, message.receive + more.receive,
                   message.between + more.between, message.copied + more.copied, answer)  # fmt: skip


def message_of(base: Prices, changed: Sequence[Prices], length: int) -> Message:
    (base_send, receive), empty = ends(base, length), ends(base, 0)
    send, way, between, copied = base_send, at(base.way, length), sum(empty) / 2, base_send - empty[0]
    base_transit = way - between - copied
    answers = [at(base.send, length) - base_transit] if base.awaits else []
    news = 0.0  # what the others change in the transit of an empty message, as the answer is
    for one in changed:
        more_way = at(one.way, length) - at(base.way, length)
        way += more_way
        if one.awaits:  # it is told at the end of its receive
            receive += more_way
            between += (at(one.way, 0) - at(base.way, 0)) / 2
            answers.append(at(one.send, length) - base_transit)
            continue
        (more_send, more_receive), more_empty = more_ends(base, one, length), more_ends(base, one, 0)
        send += more_send
        receive += more_receive
        between += sum(more_empty) / 2
        copied += more_send - more_empty[0]
        news += at(one.way, 0) - at(base.way, 0) - sum(more_empty) / 2
    if not answers or (base.awaits and any(one.receive for one in changed)):
        return Message(way, send, receive, between, copied, None)
    others = send - base_send + news
    return Message(way, send, receive, between, copied, max(answers) + others)


def ends(prices: Prices, length: int) -> tuple[float, float]:
    """What a message's sender has to do for it, and its receiver."""
    if not prices.send or prices.awaits:
        return (at(prices.way, length) / 2,) * 2
    return at(prices.send, length), at(prices.receive, length)


def more_ends(base: Prices, changed: Prices, length: int) -> tuple[float, float]:
    """What both ends have to do more. Where the stream does not run with a class, each half of the way's."""
    if base.send and not changed.send:
        return ((at(changed.way, length) - at(base.way, length)) / 2,) * 2
    (send, receive), (base_send, base_receive) = ends(changed, length), ends(base, length)
    return send - base_send, receive - base_receive
