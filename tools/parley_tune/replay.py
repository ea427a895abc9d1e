# SPDX-License-Identifier: MIT
"""A traced run once more, with messages that cost what they cost in another design. Each process does what it
did, in its order: its own work takes what it took, a message can be received when it has come, and a csend
that awaits its delivery returns when the message has been received. So what a process waits for follows
from who was late, not from what it waited for in the traced run."""

from dataclasses import dataclass

from parley_trace import reading

from .cost_model import Costs

SEND, RECEIVE, END = range(3)
NO_MESSAGE = -1  # that anybody in the story has sent
SAME_CALL = 0.75  # of what a send by itself takes: what follows in less is of the same call
LATE = 0.25  # of its transit: what comes later came while its receiver worked, unless that says it waited


@dataclass
class Step:
    kind: int
    message: int  # its number in the story
    length: int
    before: int | None  # the kind of the process's step before
    work: float  # ns of the program's own since then
    late: float = 0.0  # ns that a message which was waited for took beyond its transit
    part: float = 1.0  # of what a send by itself costs; less in a broadcast, of each message but the first
    is_last: bool = True  # of its call


Story = list[list[Step]]  # of each process


def own(costs: Costs, before: int | None, kind: int, length: int) -> float:
    """ns from a step to the next one of the same process, beside the program's own work and waiting."""
    if before is None or kind == END:
        return 0.0
    message = costs.of(length)
    if kind == SEND:
        return message.send if before == SEND else message.after_receive()
    return message.receive if before == RECEIVE else message.taken_after_send(costs.of(0))


@dataclass
class Last:
    """Of a process: its last step, and when it began to wait after that, and went on at last."""

    when: float
    kind: int | None = None
    length: int = 0
    peer: int | None = None
    waiting: float | None = None
    resumed: float | None = None


def story_of(records: list[reading.Record], traced: Costs) -> Story:
    """`traced`: what messages cost in the run that the records are of."""
    told = [one for one in records if one.event in ("send", "receive", "wait", "resume", "ended")]
    sent: dict[tuple, tuple[int, float]] = {}
    last: dict[tuple, Last] = {}
    steps: dict[tuple, list[Step]] = {}
    for record in told:
        who = (record.job, record.process)
        before = last.setdefault(who, Last(told[0].ns))
        if record.event == "wait":
            before.waiting = record.ns if before.waiting is None else before.waiting
            continue
        if record.event == "resume":
            before.resumed = record.ns
            continue
        if record.event == "send":
            number = len(sent)
            sent[record.job, record.process, record.message] = number, record.ns
            step = Step(SEND, number, record.length, before.kind, 0.0)
            join_broadcast(step, record, before, traced, steps.get(who, []))
        elif record.event == "ended":
            step = Step(END, NO_MESSAGE, 0, before.kind, 0.0)
        else:
            number, put = sent.get((record.job, record.peer, record.message), (NO_MESSAGE, record.ns))
            step = Step(RECEIVE, number, record.length, before.kind, 0.0)
        ready = before.when + own(traced, step.before, step.kind, step.length)
        step.work = max(record.ns - ready, 0.0)
        if step.kind == RECEIVE and step.message != NO_MESSAGE:
            wait_for(step, record.ns, before, ready, put, traced.of(step.length).transit)
        steps.setdefault(who, []).append(step)
        last[who] = Last(record.ns, step.kind, record.length, record.peer)
    return list(steps.values())


def join_broadcast(step: Step, record: reading.Record, last: Last, traced: Costs, steps: list[Step]) -> None:
    """If that send is of the same call as the one before: it follows sooner than a call by itself could."""
    alone = traced.of(step.length).send
    like_the_last = (last.kind, last.length) == (SEND, step.length) and last.peer != record.peer
    if like_the_last and record.ns - last.when < SAME_CALL * alone:
        step.part = (record.ns - last.when) / alone
        steps[-1].is_last = False


def wait_for(step: Step, received: float, last: Last, ready: float, put: float, transit: float) -> None:
    """If that receive's process waited for its message: then it had no more to do than until it began to
    wait. It did where the trace says so: it went on when the message had been put. Who spins for a short time
    does not write that down: it did if it could have received at `ready` and the message was not late."""
    coming = put + transit
    waited = last.resumed is not None and last.resumed >= put
    if waited or (ready < coming and received <= coming + LATE * transit):
        step.late = received - coming
        step.work = max(last.waiting - ready, 0.0) if last.waiting is not None else 0.0


class Replay:
    """The story in a design."""

    def __init__(self, story: Story, costs: Costs):
        self.story, self.costs = story, costs
        self.put: dict[int, float] = {}
        self.received: dict[int, float] = {}
        self.not_awaited: set[int] = set()
        self.places = [0] * len(story)
        self.times = [0.0] * len(story)

    def run(self) -> float:
        """ns until the last process has done everything."""
        while True:
            before = list(self.places)
            for process in range(len(self.places)):
                self.go_on(process)
            if self.places == before and not self.release():
                return max(self.times, default=0.0)

    def go_on(self, process: int) -> None:
        """As far as it comes without a step of another one."""
        steps = self.story[process]
        now, place = self.times[process], self.places[process]
        while place < len(steps):
            step = steps[place]
            ready = self.returned(steps, place, now)
            is_from_another = step.kind == RECEIVE and step.message != NO_MESSAGE
            if ready is None or (is_from_another and step.message not in self.put):
                break
            now = ready + step.work + step.part * own(self.costs, step.before, step.kind, step.length)
            if is_from_another:
                transit = self.costs.of(step.length).transit + step.late
                now = max(now, self.put[step.message] + transit)
                self.received[step.message] = now
            elif step.kind == SEND:
                self.put[step.message] = now
            place += 1
        self.places[process], self.times[process] = place, now

    def returned(self, steps: list[Step], place: int, now: float) -> float | None:
        """From when on a process goes on whose last step, that before `place`, was done at `now`. None: that
        is not known yet."""
        awaited = self.awaited(steps, place)
        if not awaited:
            return now
        if any(step.message not in self.received for step in awaited):
            return None
        cost = self.costs.of(awaited[0].length)
        return max(now, max(self.received[step.message] for step in awaited) + cost.answer - cost.send)

    def awaited(self, steps: list[Step], place: int) -> list[Step]:
        """The sends of the call that ended before `place`, as far as it waits for them."""
        if not place or steps[place - 1].kind != SEND or not steps[place - 1].is_last:
            return []
        if self.costs.of(steps[place - 1].length).answer is None:
            return []
        first = place - 1
        while first and steps[first - 1].kind == SEND and not steps[first - 1].is_last:
            first -= 1
        return [step for step in steps[first:place] if step.message not in self.not_awaited]

    def release(self) -> bool:
        """Nobody goes on. Where senders wait for each other, their messages were sent by an isend, which does
        not wait; nor does a csend to oneself, and for what nobody receives. The first of them is not awaited.
        False: nobody waits so."""
        waited_for = [
            step.message
            for steps, place in zip(self.story, self.places)
            if place < len(steps)
            for step in self.awaited(steps, place)
            if step.message not in self.received
        ]
        if waited_for:
            self.not_awaited.add(min(waited_for, key=self.put.__getitem__))
        return bool(waited_for)
