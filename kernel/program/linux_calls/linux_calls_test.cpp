// SPDX-License-Identifier: MIT
#include "kernel/program/linux_calls/call_fixture.hpp"

#include "testing/catch.hpp"

using namespace parley;
using namespace parley::kernel;
using namespace parley::kernel::testing;

TEST_CASE("a call that is not in the table is noted and answered with ENOSYS")
{
    Program program;
    for (const long number : {57l, 436l, 511l, 512l, 100'000l, -1l})
        REQUIRE(program.call(number) == linux_error::no_such_call);
    REQUIRE(program.control.unknown.size() == 6);
    REQUIRE(program.call(call_rseq) == linux_error::no_such_call);
    REQUIRE(program.control.unknown.size() == 6);
    REQUIRE(linux_call_name(231) == "exit_group");
    REQUIRE(linux_call_name(436).empty());
}

TEST_CASE("every call survives any argument")
{
    const long values[] = {0, 1, -1, 4095, 4096, bad_address, INT64_MAX, INT64_MIN, 0x7fff'ffff'f000};
    for (long number = 0; number < 512; ++number) {
        if (linux_call_name(number).empty())
            continue;
        for (std::size_t round = 0; round < 200; ++round) {
            Program program;
            const auto pick = [&](std::size_t place) {
                return values[(round * 7 + place * (round / 9 + 1)) % 9];
            };
            const bool sleeps = linux_call_name(number).ends_with("sleep");
            try {
                const long value = program.call(number, pick(0), pick(1), pick(2), pick(3), pick(4), pick(5));
                REQUIRE((value >= -133 || sleeps));
            } catch (const testing::Exited&) {
                REQUIRE(number == call_exit_group);
            } catch (const testing::ThreadExited&) {
                REQUIRE(number == call_exit);
            } catch (const testing::Failed&) {
                REQUIRE((number == call_kill || number == call_tgkill));
            }
        }
    }
}

TEST_CASE("time passes in sleeps, and clocks agree")
{
    Program program;
    const long room = program.space.room(256);
    const std::int64_t second_and_half[] = {1, 500'000'000};
    const long request = program.space.put(second_and_half);
    REQUIRE(program.call(call_nanosleep, request, 0) == 0);
    REQUIRE(program.control.now == 3'000'000'000);
    REQUIRE(program.call(call_clock_nanosleep, 1, 1, request, 0) == 0); // absolute and already past
    REQUIRE(program.control.now == 3'000'000'000);
    REQUIRE(program.call(call_clock_gettime, 1, room) == 0);
    REQUIRE(program.space.get<std::int64_t>(at(room)) == 3);
    REQUIRE(program.call(call_clock_gettime, 2, room) == 0);
    REQUIRE(program.space.get<std::int64_t>(at(room)) == 1); // the process began at 1.5 seconds
    REQUIRE(program.call(call_gettimeofday, room, 0) == 0);
    REQUIRE(program.call(call_time, 0) == 3);
    REQUIRE(program.call(call_getrusage, 0, room) == 0);
    const std::int64_t wrong[] = {0, 1'000'000'000};
    REQUIRE(program.call(call_nanosleep, program.space.put(wrong), 0) == linux_error::invalid);
    REQUIRE(program.call(call_clock_gettime, 99, room) == linux_error::invalid);
}

TEST_CASE("a sleep that a message handler interrupts tells what is left")
{
    Program program;
    const long left = program.space.room(16);
    const std::int64_t two_seconds[] = {2, 0};
    const long request = program.space.put(two_seconds);
    program.control.interruption = 2'000'000'000; // after half a second
    REQUIRE(program.call(call_nanosleep, request, left) == linux_error::interrupted);
    REQUIRE(program.space.get<std::int64_t>(at(left)) == 1);
    REQUIRE(program.space.get<std::int64_t>(at(left + 8)) == 500'000'000);
    REQUIRE(program.call(call_nanosleep, request, 0) == linux_error::interrupted);
}

TEST_CASE("a process ends by exit, and by signals to itself")
{
    Program program;
    REQUIRE_THROWS_AS(program.call(call_exit_group, 0x103), testing::Exited);
    REQUIRE_THROWS_AS(program.call(call_tgkill, 7, 7, 6), testing::Failed);
    REQUIRE(program.call(call_tgkill, 7, 7, 0) == 0);
    REQUIRE(program.call(call_tgkill, 7, 8, 6) == linux_error::no_process);
    const long other_thread = 7 + thread_id_step;
    REQUIRE(program.call(call_tgkill, 7, other_thread, 0) == 0);
    REQUIRE(program.call(call_tgkill, 7, other_thread, 32) == linux_error::no_such_call);
    REQUIRE(program.control.refused.size() == 1);
    REQUIRE(program.call(call_kill, 7, 17) == 0);
    const std::uint64_t ignore[] = {1, 0, 0, 0};
    const long old = program.space.room(32);
    REQUIRE(program.call(call_rt_sigaction, 13, program.space.put(ignore), old, 8) == 0);
    REQUIRE(program.call(call_rt_sigaction, 13, 0, old, 8) == 0);
    REQUIRE(program.space.get<std::uint64_t>(at(old)) == 1);
    REQUIRE(program.call(call_kill, 7, 13) == 0);
    REQUIRE(program.call(call_rt_sigaction, 9, program.space.put(ignore), 0, 8) == linux_error::invalid);
}

TEST_CASE("the set of blocked signals is remembered")
{
    constexpr long block = 0, unblock = 1, set = 2;
    Program program;
    const long given = program.space.put(std::uint64_t{0b1100}), old = program.space.room(8);
    const auto told = [&] { return program.space.get<std::uint64_t>(at(old)); };
    REQUIRE(program.call(call_rt_sigprocmask, block, given, old, 8) == 0);
    REQUIRE(told() == 0);
    REQUIRE(program.call(call_rt_sigprocmask, set, program.space.put(std::uint64_t{0b0110}), old, 8) == 0);
    REQUIRE(told() == 0b1100);
    REQUIRE(program.call(call_rt_sigprocmask, unblock, given, 0, 8) == 0);
    REQUIRE(program.call(call_rt_sigprocmask, 99, 0, old, 8) == 0);
    REQUIRE(told() == 0b0010);
    REQUIRE(program.call(call_rt_sigprocmask, 99, given, old, 8) == linux_error::invalid);
    REQUIRE(program.call(call_rt_sigprocmask, set, bad_address, old, 8) == linux_error::fault);
}

TEST_CASE("what a thread ends with is its own, and a program's end is everybody's")
{
    Program program;
    REQUIRE_THROWS_AS(program.call(call_exit, 3), testing::ThreadExited);
    REQUIRE_THROWS_AS(program.call(call_exit_group, 3), testing::Exited);
}

TEST_CASE("what nobody can mean is refused as Linux does")
{
    Program program;
    const long room = program.space.room(256);
    REQUIRE(program.call(call_getrusage, 99, room) == linux_error::invalid);
    REQUIRE(program.call(call_futex, room + 1, 0, 0, 0) == linux_error::invalid);
    program.space.put(std::uint64_t{7});
    const long zone = program.space.put(std::uint64_t{7});
    REQUIRE(program.call(call_gettimeofday, room, zone) == 0);
    REQUIRE(program.space.get<std::uint64_t>(at(zone)) == 0);
}

TEST_CASE("the thread pointer is an address of user space")
{
    Program program;
    REQUIRE(program.call(call_arch_prctl, 0x1002, 0x1234'5678) == 0);
    REQUIRE(program.control.own_thread_pointer == 0x1234'5678);
    const long room = program.space.room(8);
    REQUIRE(program.call(call_arch_prctl, 0x1003, room) == 0);
    REQUIRE(program.space.get<std::uint64_t>(at(room)) == 0x1234'5678);
    REQUIRE(program.call(call_arch_prctl, 0x1002, INT64_MIN) == linux_error::not_permitted);
    REQUIRE(program.call(call_arch_prctl, 0x1001, 0) == linux_error::invalid);
}

TEST_CASE("random bytes repeat with the seed and limits are told")
{
    Program one;
    const long room = one.space.room(512);
    REQUIRE(one.call(call_getrandom, room, 300, 0) == 300);
    REQUIRE(one.space.get_bytes(at(room), 40) != one.space.get_bytes(at(room) + 256, 40));
    REQUIRE(one.call(call_getrandom, bad_address, 300, 0) == linux_error::fault);
    const std::string first = one.space.get_bytes(at(room), 256);
    Program two;
    const long other = two.space.room(512);
    REQUIRE(two.call(call_getrandom, other, 256, 0) == 256);
    REQUIRE(two.space.get_bytes(at(other), 256) == first);
    REQUIRE(two.call(call_prlimit64, 0, 3, 0, other) == 0);
    REQUIRE(two.space.get<std::uint64_t>(at(other)) == 65536);
    REQUIRE(two.call(call_prlimit64, 0, 3, other, 0) == linux_error::not_permitted);
}

TEST_CASE("finish hands on the last line and closes the files")
{
    Program program;
    REQUIRE(program.call(call_write, 1, program.space.put_text("last"), 4) == 4);
    REQUIRE(program.open("kept", create) == 3);
    program.state.finish();
    program.state.finish();
    REQUIRE(program.sink.all() == "last\n");
    REQUIRE(program.call(call_close, 3) == linux_error::bad_file);
}
