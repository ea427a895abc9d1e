# SPDX-License-Identifier: MIT
"""Faults that were thought of by hand, by name. Each is a piece of source and what stands in its place, where
PLANTED is whether the fault is made. Source that is not there exactly once is an error: then the code has
changed, and the fault is to be written again."""

from collections.abc import Callable
from typing import NamedTuple

from .rules import Edit, Mutant, planted
from .source import Function

RULE = "named fault"


class Fault(NamedTuple):
    file: str
    source: str
    chosen: str


class Lost(Exception):
    """A fault whose source is not there; the sentence says which."""


FAULTS = {
    # ---- sched/ ----
    "interrupt-without-second-look": Fault(
        "sched/wait_table.cpp",
        "        if (process.waiting_in.load(std::memory_order_relaxed) != bucket)\n",
        "        if (!PLANTED && process.waiting_in.load(std::memory_order_relaxed) != bucket)\n",
    ),
    "sleep-loses-kill": Fault(
        "sched/wait_table.cpp",
        "    if (self.pending_work.killed()) {",
        "    if (!PLANTED && self.pending_work.killed()) {",
    ),
    "signal-looks-too-early": Fault(
        "sched/synchronization/synchronization.hpp",
        """    event.sequence.fetch_add(1, std::memory_order_seq_cst);
    if (event.sleeping() != 0) [[unlikely]]
        synchronization.wake(event);
""",
        """    const bool early = PLANTED && event.sleeping() != 0;
    event.sequence.fetch_add(1, std::memory_order_seq_cst);
    if (PLANTED ? early : event.sleeping() != 0)
        synchronization.wake(event);
""",
    ),
    "mcs-successor-linked-relaxed": Fault(
        "sched/synchronization/mcs.hpp",
        "        link.store(self, std::memory_order_release);\n",
        "        link.store(self, PLANTED ? std::memory_order_relaxed : std::memory_order_release);\n",
    ),
    "killed-waiter-keeps-its-v": Fault(
        "sched/semaphore/counter.hpp",
        "        if (was_meant)\n            (void)v(leaf);\n",
        "        if (was_meant && !PLANTED)\n            (void)v(leaf);\n",
    ),
    "process-goes-on-without-its-pages": Fault(
        "sched/semaphore/policy_module.hpp",
        "            if (again || (pages.wake_wanted && pages.pages_away))\n",
        "            if (again || (!PLANTED && pages.wake_wanted && pages.pages_away))\n",
    ),
    "news-is-read-too-late": Fault(
        "sched/semaphore/policy_module.hpp",
        """            const std::uint32_t seen = news_[queue].load(std::memory_order_acquire);
            if (SemaphoreWaiter* const waiter = take(queue)) {
""",
        """            std::uint32_t seen = news_[queue].load(std::memory_order_acquire);
            SemaphoreWaiter* const waiter = take(queue);
            if (PLANTED)
                seen = news_[queue].load(std::memory_order_acquire);
            if (waiter != nullptr) {
""",
    ),
    "old-ticket-is-taken-for-a-new-one": Fault(
        "sched/semaphore/policy_module.hpp",
        "            if (pages.ticket != ticket)\n",
        "            if (!PLANTED && pages.ticket != ticket)\n",
    ),
    "process-is-queued-twice": Fault(
        "sched/semaphore/policy_module.hpp",
        "                if (pages.stage == Stage::nowhere)\n",
        "                if (PLANTED || pages.stage == Stage::nowhere)\n",
    ),
    "next-wait-is-forgotten": Fault(
        "sched/semaphore/policy_module.hpp",
        "            const bool again = waiter.pages.wait_again;\n",
        "            const bool again = !PLANTED && waiter.pages.wait_again;\n",
    ),
    # ---- messaging/ ----
    # Who announces looks for sleepers before the sequence moves.
    "announce-looks-too-early": Fault(
        "messaging/waiter.hpp",
        """        event.sequence.fetch_add(1, std::memory_order_seq_cst);
        return (event.sleeping() | status_.all()) != 0;
""",
        """        const bool early = PLANTED && (event.sleeping() | status_.all()) != 0;
        event.sequence.fetch_add(1, std::memory_order_seq_cst);
        return PLANTED ? early : (event.sleeping() | status_.all()) != 0;
""",
    ),
    "status-without-compare-and-swap": Fault(
        "messaging/status_word.hpp",
        "        while (!word_.compare_exchange_weak(word, (word & ~bits) | value, "
        "std::memory_order_seq_cst)) { }\n",
        """        if (PLANTED)
            return word_.store((word & ~bits) | value, std::memory_order_seq_cst);
        while (!word_.compare_exchange_weak(word, (word & ~bits) | value, std::memory_order_seq_cst)) { }
""",
    ),
    "late-put-is-left": Fault(
        "messaging/router.hpp",
        """        if (at.state() != EndpointState::live)
            discard_all(caller, at);
""",
        """        if (!PLANTED && at.state() != EndpointState::live)
            discard_all(caller, at);
""",
    ),
    "budget-is-told-before-the-memory-is-back": Fault(
        "messaging/router.hpp",
        """        message.forget();
        const bool is_held = message.is_held();
        if (message.place() != 0)
            sender.delivery.pool().give_back(message.place());
        else if (!is_held)
            free_message(message);
        if (is_held)
            peer(message.destination).mailbox.release({message, &message});
        if (!sender.waiter.status().is_ordinary())
            tell(sender);
        budget_.freed();
""",
        """        message.forget();
        const bool is_held = message.is_held();
        if (PLANTED)
            budget_.freed();
        if (message.place() != 0)
            sender.delivery.pool().give_back(message.place());
        else if (!is_held)
            free_message(message);
        if (is_held)
            peer(message.destination).mailbox.release({message, &message});
        if (!sender.waiter.status().is_ordinary())
            tell(sender);
        if (!PLANTED)
            budget_.freed();
""",
    ),
    "budget-is-announced-after-the-first-try": Fault(
        "messaging/progress.hpp",
        "        budget_.announce(self_.waiter);\n",
        """        if (PLANTED)
            for (;;) {
                const std::uint32_t seen = self_.waiter.sequence();
                if (is_done())
                    return {};
                TRY_VOID(advance());
                budget_.announce(self_.waiter);
                const Result<void> slept = self_.waiter.wait(details, seen);
                budget_.withdraw(self_.waiter);
                TRY_VOID(slept);
            }
        budget_.announce(self_.waiter);
""",
    ),
    "sequence-is-read-after-the-port-was-drained": Fault(
        "messaging/mailbox.hpp",
        """        while (Message* const message = take_opened())
            ended = assign(*message) || ended;
        drained_.store(seen, std::memory_order_relaxed);
""",
        """        while (Message* const message = take_opened())
            ended = assign(*message) || ended;
        drained_.store(PLANTED ? owner_.sequence() : seen, std::memory_order_relaxed);
""",
    ),
    "sequence-is-read-after-the-port-was-searched": Fault(
        "messaging/mailbox.hpp",
        """        drained_.store(seen, std::memory_order_relaxed);
        if (post) {
""",
        """        drained_.store(PLANTED ? owner_.sequence() : seen, std::memory_order_relaxed);
        if (post) {
""",
    ),
    "meeting-is-counted-by-load-and-store": Fault(
        "messaging/meeting.hpp",
        "        const std::uint32_t before = come_.fetch_add(1, std::memory_order_acq_rel);\n",
        """        const std::uint32_t before = PLANTED ? parley::mutants::fetch_add(come_, 1u)
                                             : come_.fetch_add(1, std::memory_order_acq_rel);
""",
    ),
    "block-of-all-is-accepted-without-its-lock": Fault(
        "messaging/memory/blocks.cpp",
        """    const sched::ShortGuard guard(heap_.lock());
    --unit->pending;
    *word_of(*unit, receiver) |= bit_of(receiver);
""",
        """    std::optional<sched::ShortGuard> guard;
    if (!PLANTED)
        guard.emplace(heap_.lock());
    --unit->pending;
    *word_of(*unit, receiver) |= bit_of(receiver);
""",
    ),
    "reserve-is-counted-before-it-is-free": Fault(
        "messaging/port/reserve.hpp",
        """        const std::uint64_t before = busy_.fetch_and(~mine, std::memory_order_release);
        assert_that([&] { return (before & mine) != 0; });
        count_.fetch_sub(1, std::memory_order_release);
""",
        """        if (PLANTED)
            count_.fetch_sub(1, std::memory_order_release);
        const std::uint64_t before = busy_.fetch_and(~mine, std::memory_order_release);
        assert_that([&] { return (before & mine) != 0; });
        if (!PLANTED)
            count_.fetch_sub(1, std::memory_order_release);
""",
    ),
    "nx2-clearances-are-not-counted": Fault(
        "messaging/transfer/nx2/handshake.hpp",
        "        ++handshake.clearances;\n",
        "        if (!PLANTED)\n            ++handshake.clearances;\n",
    ),
    "nx2-asks-for-queued-before-requested": Fault(
        "messaging/transfer/nx2/handshake.hpp",
        """        return state.move_from(HandshakeState::requested, next) ||
               state.move_from(HandshakeState::queued, next);
""",
        """        if (PLANTED)
            return state.move_from(HandshakeState::queued, next) ||
                   state.move_from(HandshakeState::requested, next);
        return state.move_from(HandshakeState::requested, next) ||
               state.move_from(HandshakeState::queued, next);
""",
    ),
    "nx2-sender-is-not-told": Fault(
        "messaging/transfer/nx2/handshake.hpp",
        "        exchange_.signal(message.source()); "
        "// the mailbox is locked, so the sender cannot go on yet\n",
        "        if (!PLANTED)\n            exchange_.signal(message.source());\n",
    ),
    "adaptive-reads-filled-before-the-state": Fault(
        "messaging/transfer/adaptive/pipeline.hpp",
        """        const FlowState now = flow.now();
        const std::uint64_t filled = flow.filled.load(std::memory_order_acquire);
""",
        """        const std::uint64_t early = PLANTED ? flow.filled.load(std::memory_order_acquire) : 0;
        const FlowState now = flow.now();
        const std::uint64_t filled = PLANTED ? early : flow.filled.load(std::memory_order_acquire);
""",
    ),
}


def mutants(functions: list[Function], text_of: Callable[[str], str]) -> list[Mutant]:
    found = []
    for name, fault in FAULTS.items():
        text = text_of(fault.file)
        if text.count(fault.source) != 1:
            raise Lost(
                f"the fault {name} (tools/mutate/named.py) is to be written again: {fault.file} does not "
                f"have its source exactly once, which begins with: {fault.source.splitlines()[0].strip()}"
            )
        start = text.index(fault.source)
        end = start + len(fault.source)
        inside = [one for one in functions if one.file == fault.file and one.start <= start < one.end]
        if not inside:
            raise Lost(f"the fault {name} (tools/mutate/named.py) is in no function of {fault.file}.")

        def edits(condition: str, start: int = start, end: int = end, fault: Fault = fault) -> list[Edit]:
            # No line may come or go; a guard at the end keeps what follows apart.
            lines = fault.source.count("\n")
            chosen = " ".join(fault.chosen.replace("PLANTED", condition).split())
            return [Edit(start, end, lambda text: chosen + "\n" * lines)]

        found.append(
            Mutant(
                RULE,
                inside[-1],
                name,
                "planted",
                edits("true"),
                lambda number, edits=edits: edits(planted(number)),
            )
        )
    return found
