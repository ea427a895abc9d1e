// SPDX-License-Identifier: MIT
// The process itself: start-up, identity, its end, and signals, which are only remembered: none is ever
// delivered, a process that sends itself a deadly one ends.
#include "base/text.hpp"
#include "kernel/program/linux_calls/calls.hpp"
#include "kernel/program/machine_name.hpp"

#include <algorithm>
#include <cstring>

namespace parley::kernel::linux_calls {

namespace {

constexpr long signals = 64, signal_kill = 9, signal_abort = 6, signal_stop = 19;
constexpr std::uint64_t signal_set_bytes = 8;
// Signals that Linux passes over where there is no handler: SIGCHLD, SIGCONT, SIGURG, SIGWINCH.
constexpr std::uint64_t harmless_signals = 1ull << 17 | 1ull << 18 | 1ull << 23 | 1ull << 28;

struct SignalAction {
    std::uint64_t handler; // 0: default, 1: ignore
    std::uint64_t flags;
    std::uint64_t restorer;
    std::uint64_t mask;
};

struct Limit {
    std::uint64_t current;
    std::uint64_t maximum;
};

struct SystemInfo {
    std::int64_t uptime;
    std::uint64_t loads[3];
    std::uint64_t memory[6]; // total, free, shared, buffers, total swap, free swap
    std::uint16_t processes;
    std::uint16_t padding[3];
    std::uint64_t high[2];
    std::uint32_t unit;
    std::uint32_t end_padding;
};

struct SystemName {
    char texts[6][65]; // system, node, release, version, machine, domain
};

LinuxValue raise(Personality& personality, long target, long signal)
{
    if (signal < 0 || signal > signals)
        return linux_error::invalid;
    if (target != personality.control().process_id())
        return linux_error::no_process;
    if (signal == 0 ||
        ((harmless_signals | personality.program().ignored_signals) >> (signal - 1) >> 1 & 1) != 0)
        return 0;
    personality.control().fail(signal == signal_abort ? "aborted"
                                                      : "ended by a signal that it sent to itself");
    __builtin_unreachable(); // compilers do not believe that a virtual function never returns
}

} // namespace

LinuxValue arch_prctl(Personality& personality, Arguments arguments)
{
    constexpr long set_fs = 0x1002, get_fs = 0x1003;
    const UserAddress value = address(arguments[1]);
    if (integer(arguments[0]) == get_fs)
        return answer<8>(value, personality.control().thread_pointer());
    if (integer(arguments[0]) != set_fs)
        return linux_error::invalid;
    if (value.value >= AddressSpace::user_end)
        return linux_error::not_permitted;
    personality.control().set_thread_pointer(value.value);
    return 0;
}

LinuxValue exit_group(Personality& personality, Arguments arguments)
{
    personality.control().exit(static_cast<int>(arguments[0] & 0xff));
    __builtin_unreachable();
}

LinuxValue getpid(Personality& personality, Arguments) { return personality.control().process_id(); }
// The kernel's, which starts every program.
LinuxValue getppid(Personality&, Arguments) { return 0; }
LinuxValue getuid(Personality&, Arguments) { return 0; }
LinuxValue getgid(Personality&, Arguments) { return 0; }
LinuxValue geteuid(Personality&, Arguments) { return 0; }
LinuxValue getegid(Personality&, Arguments) { return 0; }

// Restartable sequences; C libraries do without.
LinuxValue rseq(Personality&, Arguments) { return linux_error::no_such_call; }

// Everybody has the same priority, 0, which Linux tells as 20.
LinuxValue getpriority(Personality&, Arguments) { return 20; }
LinuxValue setpriority(Personality&, Arguments) { return 0; }

LinuxValue rt_sigaction(Personality& personality, Arguments arguments)
{
    const long signal = integer(arguments[0]);
    if (signal < 1 || signal > signals || static_cast<std::uint64_t>(arguments[3]) != signal_set_bytes)
        return linux_error::invalid;
    const std::uint64_t bit = signal < signals ? 1ull << signal : 0;
    const std::uint64_t old = (personality.program().ignored_signals & bit) != 0 ? 1 : 0;
    if (arguments[1] != 0) {
        const auto action = read_user<SignalAction>(address(arguments[1]));
        if (!action)
            return linux_value(action.error());
        if (signal == signal_kill || signal == signal_stop)
            return linux_error::invalid;
        personality.program().ignored_signals = action->handler == 1
                                                    ? personality.program().ignored_signals | bit
                                                    : personality.program().ignored_signals & ~bit;
    }
    return arguments[2] == 0 ? 0 : answer<32>(address(arguments[2]), SignalAction{old, 0, 0, 0});
}

LinuxValue rt_sigprocmask(Personality& personality, Arguments arguments)
{
    constexpr long block = 0, unblock = 1, set = 2;
    if (static_cast<std::uint64_t>(arguments[3]) != signal_set_bytes)
        return linux_error::invalid;
    const std::uint64_t old = personality.blocked_signals;
    if (arguments[1] != 0) {
        const auto given = read_user<std::uint64_t>(address(arguments[1]));
        if (!given)
            return linux_value(given.error());
        switch (integer(arguments[0])) {
        case block: personality.blocked_signals = old | *given; break;
        case unblock: personality.blocked_signals = old & ~*given; break;
        case set: personality.blocked_signals = *given; break;
        default: return linux_error::invalid;
        }
    }
    return arguments[2] == 0 ? 0 : answer<8>(address(arguments[2]), old);
}

LinuxValue kill(Personality& personality, Arguments arguments)
{
    return raise(personality, integer(arguments[0]), integer(arguments[1]));
}

LinuxValue tgkill(Personality& personality, Arguments arguments)
{
    ProcessControl& control = personality.control();
    const long target = integer(arguments[1]), signal = integer(arguments[2]);
    if (target == control.thread_id())
        return raise(personality, control.process_id(), signal);
    if (target <= 0 || target % thread_id_step != control.process_id())
        return linux_error::no_process;
    if (signal == 0)
        return 0;
    Text<120> sentence;
    sentence << "asked for signal " << signal << " to another thread, and no signal is ever delivered";
    control.tell_refused(sentence.view());
    return linux_error::no_such_call;
}

LinuxValue prlimit64(Personality& personality, Arguments arguments)
{
    constexpr long stack = 3, open_files = 7, kinds = 16;
    if (integer(arguments[1]) < 0 || integer(arguments[1]) >= kinds)
        return linux_error::invalid;
    if (arguments[2] != 0)
        return linux_error::not_permitted;
    Limit limit{UINT64_MAX, UINT64_MAX};
    if (integer(arguments[1]) == stack)
        limit = {personality.stack_bytes(), personality.stack_bytes()};
    else if (integer(arguments[1]) == open_files)
        limit = {OpenFiles::max_open, OpenFiles::max_open};
    return arguments[3] == 0 ? 0 : answer<16>(address(arguments[3]), limit);
}

LinuxValue getrandom(Personality& personality, Arguments arguments)
{
    constexpr std::size_t max_bytes = 0x1ff'ffff; // what Linux gives at most in one call
    std::uint64_t words[32];
    const std::size_t bytes = std::min(static_cast<std::size_t>(arguments[1]), max_bytes);
    for (std::size_t done = 0; done < bytes; done += sizeof words) {
        for (std::uint64_t& word : words)
            word = personality.random().next();
        const std::size_t piece = std::min(sizeof words, bytes - done);
        const LinuxValue written = linux_value(copy_to_user(address(arguments[0]) + done, words, piece));
        if (written < 0)
            return written;
        if (const auto alive = personality.control().preemption_point(); !alive)
            return linux_value(alive.error());
    }
    return static_cast<LinuxValue>(bytes);
}

LinuxValue uname(Personality&, Arguments arguments)
{
    // The release is one that C libraries take to be new enough.
    static constexpr std::string_view texts[] = {"Parley", machine_name, "6.1.0", "1", "x86_64", "(none)"};
    SystemName name{};
    for (std::size_t index = 0; index < 6; ++index)
        std::memcpy(name.texts[index], texts[index].data(), texts[index].size());
    return answer<390>(address(arguments[0]), name);
}

// C libraries size their work space by this; a modest machine whose memory is half free.
LinuxValue sysinfo(Personality& personality, Arguments arguments)
{
    SystemInfo info{};
    info.uptime = static_cast<std::int64_t>(personality.control().nanoseconds() / 1'000'000'000);
    info.memory[0] = 256u << 20;
    info.memory[1] = 128u << 20;
    info.processes = 1;
    info.unit = 1;
    return answer<112>(address(arguments[0]), info);
}

} // namespace parley::kernel::linux_calls
