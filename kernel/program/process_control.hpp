// SPDX-License-Identifier: MIT
// What the Linux calls need of the process that makes them and of its surroundings; the kernel's processes
// implement it.
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace parley::kernel {

// How a new thread begins: where its maker goes on, on another stack, with a call's value of 0.
struct ThreadStart {
    UserAddress stack_pointer;
    std::optional<UserAddress> thread_pointer; // nothing: its maker's
    // Words that get its number before it runs, and one that is cleared, and whose waiters are woken, when it
    // has ended; 0: none.
    UserAddress makers_word;
    UserAddress own_word;
    UserAddress word_at_end;
};

// Numbers of a program's threads: its process's, and this far from each other.
inline constexpr int thread_id_step = 1 << 16;

// What ended a wait for a word to change. Interrupted: a message handler is due.
enum class WordWait : std::uint8_t { woken, had_changed, timed_out, interrupted, killed, bad_word };

class ProcessControl {
public:
    // Ends the program, with all its threads.
    [[noreturn]] virtual void exit(int status) = 0;
    // Ends the calling thread; with the last one the program ends.
    [[noreturn]] virtual void exit_thread(int status) = 0;
    // Ends the process with one clear line.
    [[noreturn]] virtual void fail(std::string_view sentence) = 0;
    // The calling thread's, an address of user space.
    virtual void set_thread_pointer(std::uintptr_t value) = 0;
    virtual std::uintptr_t thread_pointer() = 0;
    virtual std::uint64_t nanoseconds() = 0; // since boot
    // Error::killed when the process must end, Error::interrupted when a message handler is due.
    virtual Result<void> sleep_until(std::uint64_t nanoseconds) = 0;
    virtual void yield() = 0;
    // Long calls pass one between pieces of some microseconds: others get the processor if it is their turn.
    // Error::killed when the process must end.
    virtual Result<void> preemption_point() = 0;
    virtual int process_id() = 0;
    // The calling thread's number; the first thread's is the process's.
    virtual int thread_id() = 0;
    // Starts a thread of the program, and answers its number. Errors: would_block, when there are too many;
    // no_memory; bad_buffer, when one of the words is not the program's; killed.
    virtual Result<int> start_thread(const ThreadStart& start) = 0;
    // From now on the word is cleared at the calling thread's end, as ThreadStart's is.
    virtual void set_word_at_end(UserAddress word) = 0;
    // The caller sleeps on a word of the program's memory while it holds `expected`, until then at the
    // longest: in nanoseconds since boot.
    virtual WordWait wait_on_word(UserAddress word, std::uint32_t expected,
                                  std::optional<std::uint64_t> until) = 0;
    // Wakes at most so many that sleep on the word, and answers how many.
    virtual unsigned wake_word(UserAddress word, unsigned count) = 0;
    // How many processors run programs.
    virtual unsigned processors() = 0;
    // A bit for each of these that the calling thread may run on, as do those that it makes from now on.
    virtual std::uint64_t own_processors() = 0;
    // Changes that; it returns on one of them. Errors: not_found, where none of the bits is one of these;
    // bad_argument, where the thread has one processor for itself or shares those of others.
    virtual Result<void> run_on(std::uint64_t processors) = 0;
    // What threads share is the caller's until leave_program(). Error::killed when the process must end.
    virtual Result<void> enter_program() = 0;
    virtual void leave_program() = 0;
    // Says in a line what the program asked for and does not get.
    virtual void tell_refused(std::string_view sentence) = 0;
    // Notes for the record a Linux call that is not in the table.
    virtual void note_unknown_call(long number) = 0;

protected:
    ~ProcessControl() = default;
};

} // namespace parley::kernel
