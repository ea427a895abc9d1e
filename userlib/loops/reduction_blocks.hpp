// SPDX-License-Identifier: MIT
// Variables that tasks reduce (`task_reduction`, `in_reduction`, `reduction(task, ...)`): each thread has a
// copy of each, and a task finds those of the thread that runs it. Who has begun the reduction adds the
// copies up when all tasks are done, which is gcc's part.
#pragma once

#include "userlib/loops/task.hpp"

#include <cstddef>

namespace parley::loops {

// The words by which gcc says what is reduced and finds the copies. Several may be begun together.
struct ReductionBlock {
    struct Variable {
        std::uintptr_t address, offset; // of the program's own; and of its copy among a thread's
        std::uintptr_t unused;
    };

    std::uintptr_t count;     // of variables, in the order of their offsets
    std::uintptr_t bytes;     // of the copies of one thread
    std::uintptr_t copies;    // at first how they are aligned; then where those of thread 0 are
    std::uintptr_t allocator; // unused
    std::uintptr_t outer;     // zero for the last of those that begin together; then who was there before
    std::uintptr_t is_first;  // of those that begin together
    std::uintptr_t end;       // of all copies

    ReductionBlock* next() { return reinterpret_cast<ReductionBlock*>(outer); }
    Variable* variables() { return reinterpret_cast<Variable*>(this + 1); }
    bool has(std::uintptr_t copy) const { return copies <= copy && copy < end; }
};

// Copies for so many threads, all zero; gcc sets them. False: there is no memory, and no copies are left.
[[nodiscard]] bool make_copies(ReductionBlock& first, unsigned threads);
// Gives `own` the copies that another thread has made for the same variables. That thread may be in
// begin_reductions() meanwhile, which writes `is_first` and, in the last of its blocks, `outer`: neither is
// read.
void take_copies(ReductionBlock& own, ReductionBlock& theirs);
// Frees the copies of a block and of those that were begun together with it. It may be called before
// begin_reductions() and afterwards.
void give_copies_back(ReductionBlock& first);

// From now on tasks of the group may take part in these reductions, whose copies are made or taken, and still
// in those that the group had before.
void begin_reductions(TaskGroup& group, ReductionBlock& first);

// The copy, for the thread of that number, of what lies at an address that is the program's own or another
// thread's copy; and with it the program's own. Nulls: nobody has begun to reduce it.
struct Reduced {
    void *copy, *own;
};
Reduced reduced(ReductionBlock* blocks, const void* address, unsigned thread);

} // namespace parley::loops
