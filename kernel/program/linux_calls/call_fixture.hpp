// SPDX-License-Identifier: MIT
// For host tests of the Linux calls: a program with an address space, a heap and files of its own.
#pragma once

#include "kernel/program/host_arena.hpp"
#include "kernel/program/linux_calls/calls.hpp"
#include "kernel/program/program_fakes.hpp"

namespace parley::kernel::testing {

// Call numbers by name, as the table has them.
enum Number : long {
#define NUMBER(number, name) call_##name = number,
    LINUX_CALLS(NUMBER, NUMBER)
#undef NUMBER
};

inline constexpr std::uintptr_t heap_start = 0x4000'0000;
inline constexpr std::size_t mebibyte = 1 << 20;
inline constexpr long anonymous = 0x22;

struct Program {
    Program() { input.type(std::as_bytes(std::span("input", 5)), false); }

    StandardInput input;
    FakeSpace space;
    FakeControl control;
    HostArena arena;
    FileStore store{arena};
    FakeSink sink;
    ProgramState state{{.space = space,
                        .control = control,
                        .store = store,
                        .sink = sink,
                        .input = &input,
                        .heap_start = {heap_start},
                        .heap_limit = {heap_start + 4 * mebibyte},
                        .stack_bytes = 65536,
                        .seed = 5,
                        .tag = LineOutput::no_tag}};
    Personality personality{state, control};

    long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0)
    {
        return linux_call(personality, number, {a, b, c, d, e, f});
    }
    long open(const std::string& path, long flags)
    {
        return call(call_open, space.put_text(path), flags, 0644);
    }
};

inline constexpr long bad_address = 0x1234'5000;
inline constexpr long create = 0102; // O_CREAT | O_RDWR

inline std::uintptr_t at(long value) { return static_cast<std::uintptr_t>(value); }

} // namespace parley::kernel::testing
