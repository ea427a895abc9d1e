# SPDX-License-Identifier: MIT
"""What wants a mailbox's lock does not compile where nobody holds it: clang refuses each of these, and takes
the same with the lock."""

import os
import shutil
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LINE = (
    *("clang++-19", "-x", "c++", "-std=c++23", "-fsyntax-only", "-Wall", "-Wextra", "-Wthread-safety"),
    *("-Werror", "-ferror-limit=0", "-I.", "-Ibase/checked", "-Iarch/hosted", "-Iarch/linux"),
    *("-include", "base/standard_headers.hpp", "-"),
)
HEAD = """
#include "messaging/factors_of.hpp"
#include "messaging/mailbox.hpp"
#include "messaging/progress.hpp"
#include "messaging/port/carrying/carrying.hpp"
#include "messaging/port/lanes/lane.hpp"
using namespace parley::messaging;
using Box = Mailbox<>;
using Brings = Progress<Factors<>>;
void want(PassedLock lock, Box& box);
"""
# Code that keeps the contract; then what is written instead of which of its words, and what clang says.
CONTRACTS = {
    "a port is taken from": (
        "Taken f(CarryingPort& port, MailboxHeld held) { return port.take(held, 0); }",
        "take(held, 0)",
        {"take(0)": "too few arguments", "take({}, 0)": "no matching constructor"},
    ),
    "a port holds a message": (
        "Message* f(Port& port, MailboxHeld held, Taken taken) { return port.hold(held, taken); }",
        "hold(held, taken)",
        {"hold(taken)": "too few arguments", "hold({}, taken)": "no matching constructor"},
    ),
    "a reserve's place is taken": (
        "Message& f(Reserve<SlotsInPort<2>>& reserve, MailboxHeld held) { return reserve.take(held); }",
        "take(held)",
        {"take()": "too few arguments", "take({})": "no matching constructor"},
    ),
    "a lane is taken from": (
        "Taken f(Lane& lane, MailboxHeld held) { return lane.take(held); }",
        "take(held)",
        {"take()": "too few arguments", "take({})": "no matching constructor"},
    ),
    "bytes are brought that lie in a port": (
        "auto f(Brings& own, MailboxHeld held, Envelope e) { return own.bring_from_port(held, e, 0, {}); }",
        "(held, ",
        {"(": "too few arguments", "({}, ": "no matching constructor"},
    ),
    "it is said that a lock is held": (
        "MailboxHeld f(Box& box) REQUIRES(box) { return MailboxHeld(box); }",
        " REQUIRES(box)",
        {"": "requires holding mailbox 'box'"},
    ),
    "a protocol is called": (
        "void f(Box& box) REQUIRES(box) { const InAMailbox known{MailboxHeld(box)}; }",
        " REQUIRES(box)",
        {"": "requires holding mailbox 'box'"},
    ),
    "a lock is passed": (
        "void f(Box& box) RELEASE(box) { want(PassedLock(box), box); }",
        " RELEASE(box)",
        {
            "": "releasing mailbox 'box' that was not held",
            " REQUIRES(box)": "expecting mailbox 'box' to be held at the end of function",
        },
    ),
    "a passed lock is used no longer": (
        "void f(Box& box) RELEASE(box) { (void)box.take_oldest(); want(PassedLock(box), box); }",
        "(void)box.take_oldest(); want(PassedLock(box), box);",
        {"want(PassedLock(box), box); (void)box.take_oldest();": "requires holding mailbox 'box'"},
    ),
    "a passed lock is taken over": (
        "void f(PassedLock lock, Box& box, Party& self) { box.take_over(lock); box.unlock(self); }",
        "box.take_over(lock); box.unlock(self);",
        {
            "box.unlock(self);": "releasing mailbox 'box' that was not held",
            "box.take_over(lock);": "mailbox 'box' is still held at the end of function",
            "box.take_over({}); box.unlock(self);": "no matching constructor",
        },
    ),
}


# What the compiler says itself comes without what the analysis of locks says, for that is then not begun.
ANALYSIS = "mailbox 'box'"


@unittest.skipUnless(shutil.which("clang++-19"), "there is no clang++-19")
class LockContracts(unittest.TestCase):
    def compile(self, functions: list[str]) -> subprocess.CompletedProcess:
        """Each in a line of its own, the first in line 1."""
        lines = [text.replace(" f(", f" f{number}(", 1) for number, text in enumerate(functions)]
        text = HEAD + '#line 1 "contracts"\n' + "\n".join(lines) + "\n"
        words = {"input": text, "capture_output": True, "text": True, "cwd": ROOT, "check": False}
        return subprocess.run(LINE, **words)

    def test_what_wants_a_lock_compiles_with_it(self):
        done = self.compile([kept for kept, _, _ in CONTRACTS.values()])
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_wants_a_lock_does_not_compile_without_it(self):
        for by_analysis in (False, True):
            broken = [
                (name, kept.replace(words, instead), sentence)
                for name, (kept, words, others) in CONTRACTS.items()
                for instead, sentence in others.items()
                if (ANALYSIS in sentence) == by_analysis and words in kept
            ]
            self.assertGreater(len(broken), 5)
            done = self.compile([text for _, text, _ in broken])
            errors = [line for line in done.stderr.splitlines() if "error:" in line]
            for number, (name, text, sentence) in enumerate(broken, 1):
                with self.subTest(name, text=text):
                    said = [line for line in errors if line.startswith(f"contracts:{number}:")]
                    self.assertIn(sentence, "\n".join(said))


if __name__ == "__main__":
    unittest.main()
