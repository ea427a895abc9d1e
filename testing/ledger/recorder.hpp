// SPDX-License-Identifier: MIT
// Records every load and store of instrumented code. The compiler puts a call in front of each for the thread
// sanitizer (-fsanitize=thread); here those calls are ours, and a program that has them is not linked with
// the sanitizer's library. Copies of known length are calls, too: ledger/copies.hpp stands before every
// source.
#pragma once

#include "testing/ledger/caches.hpp"

namespace parley::testing {

// While one lives, what is accessed between `first` and `last` is done by the processor of `set`, 0 or 1.
class AccessRecorder {
public:
    AccessRecorder(Caches& caches, std::uintptr_t first, std::uintptr_t last);
    ~AccessRecorder();
    AccessRecorder(const AccessRecorder&) = delete;
    AccessRecorder& operator=(const AccessRecorder&) = delete;

    void set(unsigned processor) { processor_ = processor; }
    void note(std::uintptr_t address, std::size_t bytes, bool writes);
    // Accesses that were seen, of whatever line: a recorder that sees none is no recorder.
    unsigned long seen() const { return seen_; }

private:
    Caches& caches_;
    const std::uintptr_t first_, last_;
    unsigned processor_ = 0;
    unsigned long seen_ = 0;
};

} // namespace parley::testing
