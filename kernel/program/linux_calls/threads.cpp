// SPDX-License-Identifier: MIT
// Threads, as a C library makes them: clone, and waits for words of memory (futex). A thread shares with its
// maker all that threads of one process share; anything less is refused.
#include "base/text.hpp"
#include "kernel/program/linux_calls/calls.hpp"

#include <algorithm>

namespace parley::kernel::linux_calls {

namespace {

namespace clone_flag {
constexpr std::uint64_t memory = 0x100, file_system = 0x200, files = 0x400, handlers = 0x800,
                        thread = 0x10000, semaphores = 0x40000, thread_pointer = 0x80000,
                        makers_word = 0x100000, word_at_end = 0x200000, detached = 0x400000,
                        own_word = 0x1000000;
constexpr std::uint64_t needed = memory | file_system | files | handlers | thread;
constexpr std::uint64_t known =
    needed | semaphores | thread_pointer | makers_word | word_at_end | detached | own_word;
} // namespace clone_flag

// As clone3() gets it.
struct CloneArguments {
    std::uint64_t flags, process_descriptor, own_word, makers_word, exit_signal, stack, stack_bytes,
        thread_pointer;
};

LinuxValue start(Personality& personality, const CloneArguments& wanted)
{
    using namespace clone_flag;
    if ((wanted.flags & needed) != needed || (wanted.flags & ~known) != 0) {
        Text<160> sentence;
        sentence << "asked clone for a thread with flags " << Hex{wanted.flags}
                 << "; threads share memory, folder, files and handlers, and nothing else is known";
        personality.control().tell_refused(sentence.view());
        return linux_error::invalid;
    }
    const auto where = [&](std::uint64_t flag, std::uint64_t word) {
        return UserAddress{(wanted.flags & flag) != 0 ? word : 0};
    };
    const UserAddress stack{wanted.stack + wanted.stack_bytes};
    if (stack.value == 0 || stack.value >= AddressSpace::user_end ||
        wanted.thread_pointer >= AddressSpace::user_end)
        return linux_error::invalid;
    const auto started = personality.control().start_thread(
        {.stack_pointer = stack,
         .thread_pointer = (wanted.flags & thread_pointer) != 0
                               ? std::optional(UserAddress{wanted.thread_pointer})
                               : std::nullopt,
         .makers_word = where(makers_word, wanted.makers_word),
         .own_word = where(own_word, wanted.own_word),
         .word_at_end = where(word_at_end, wanted.own_word)});
    if (started)
        return *started;
    return started.error() == Error::would_block ? linux_error::again : linux_value(started.error());
}

LinuxValue wait_on_word(Personality& personality, Arguments arguments, bool absolute)
{
    std::optional<std::uint64_t> until;
    if (arguments[3] != 0) {
        const auto time = fetch_time(address(arguments[3]));
        if (!time)
            return time.error();
        until = absolute ? *time : personality.control().nanoseconds() + *time;
    }
    switch (personality.control().wait_on_word(address(arguments[0]),
                                               static_cast<std::uint32_t>(arguments[2]), until)) {
    case WordWait::woken: return 0;
    case WordWait::had_changed: return linux_error::again;
    case WordWait::timed_out: return linux_error::timed_out;
    case WordWait::interrupted:
    case WordWait::killed: return linux_error::interrupted;
    case WordWait::bad_word: return linux_error::fault;
    }
    return linux_error::invalid;
}

} // namespace

LinuxValue clone(Personality& personality, Arguments arguments)
{
    constexpr std::uint64_t signal_bits = 0xff;
    const auto flags = static_cast<std::uint64_t>(arguments[0]);
    if ((flags & clone_flag::thread) == 0) {
        personality.control().note_unknown_call(56); // a second process
        return linux_error::no_such_call;
    }
    return start(personality, {.flags = flags & ~signal_bits,
                               .process_descriptor = 0,
                               .own_word = static_cast<std::uint64_t>(arguments[3]),
                               .makers_word = static_cast<std::uint64_t>(arguments[2]),
                               .exit_signal = 0,
                               .stack = static_cast<std::uint64_t>(arguments[1]),
                               .stack_bytes = 0,
                               .thread_pointer = static_cast<std::uint64_t>(arguments[4])});
}

LinuxValue clone3(Personality& personality, Arguments arguments)
{
    if (static_cast<std::uint64_t>(arguments[1]) < sizeof(CloneArguments))
        return linux_error::invalid;
    const auto wanted = read_user<CloneArguments>(address(arguments[0]));
    if (!wanted)
        return linux_value(wanted.error());
    if ((wanted->flags & clone_flag::thread) == 0) {
        personality.control().note_unknown_call(435);
        return linux_error::no_such_call;
    }
    if (wanted->stack >= AddressSpace::user_end || wanted->stack_bytes >= AddressSpace::user_end)
        return linux_error::invalid;
    return start(personality, *wanted);
}

LinuxValue exit(Personality& personality, Arguments arguments)
{
    personality.control().exit_thread(static_cast<int>(arguments[0] & 0xff));
    __builtin_unreachable();
}

LinuxValue gettid(Personality& personality, Arguments) { return personality.control().thread_id(); }

LinuxValue set_tid_address(Personality& personality, Arguments arguments)
{
    personality.control().set_word_at_end(address(arguments[0]));
    return personality.control().thread_id();
}

// Locks whose holder has ended stay locked.
LinuxValue set_robust_list(Personality&, Arguments) { return 0; }

LinuxValue sched_yield(Personality& personality, Arguments)
{
    personality.control().yield();
    return 0;
}

// A thread's processors are its own to say.
LinuxValue sched_setaffinity(Personality& personality, Arguments arguments)
{
    if (integer(arguments[0]) != 0 && integer(arguments[0]) != personality.control().thread_id()) {
        personality.control().tell_refused(
            "asked sched_setaffinity for another thread; each can say for itself alone where it runs");
        return linux_error::not_permitted;
    }
    const auto bytes = std::min<std::uint64_t>(static_cast<std::uint64_t>(arguments[1]), 8);
    std::uint64_t mask = 0;
    if (const Result<void> read = copy_from_user(&mask, address(arguments[2]), bytes); !read)
        return linux_value(read.error());
    const Result<void> moved = personality.control().run_on(mask);
    return moved ? 0 : linux_error::invalid;
}

LinuxValue sched_getaffinity(Personality& personality, Arguments arguments)
{
    const std::uint64_t mask = personality.control().own_processors();
    if (arguments[1] < static_cast<long>(sizeof mask))
        return linux_error::invalid;
    const LinuxValue written = answer<8>(address(arguments[2]), mask);
    return written < 0 ? written : static_cast<LinuxValue>(sizeof mask);
}

LinuxValue futex(Personality& personality, Arguments arguments)
{
    constexpr long command_bits = 0x7f, wait = 0, wake = 1, wait_bitset = 9, wake_bitset = 10;
    constexpr std::uint32_t any_bit = 0xffff'ffff;
    const long command = arguments[1] & command_bits;
    const bool has_bits = command == wait_bitset || command == wake_bitset;
    const bool refused = (command != wait && command != wake && !has_bits) ||
                         (has_bits && static_cast<std::uint32_t>(arguments[5]) != any_bit);
    if (refused) {
        Text<120> sentence;
        sentence << "asked futex for operation " << command << (has_bits ? " of some bits" : "")
                 << ", and there are only waits and wakes";
        personality.control().tell_refused(sentence.view());
        return linux_error::no_such_call;
    }
    if (arguments[0] % static_cast<long>(sizeof(std::uint32_t)) != 0)
        return linux_error::invalid;
    if (command == wait || command == wait_bitset)
        return wait_on_word(personality, arguments, command == wait_bitset);
    if (!read_user<std::uint32_t>(address(arguments[0])))
        return linux_error::fault;
    const long count = std::max(integer(arguments[2]), 1l);
    return personality.control().wake_word(address(arguments[0]), static_cast<unsigned>(count));
}

} // namespace parley::kernel::linux_calls
