// SPDX-License-Identifier: MIT
#include "kernel/program/linux_calls/call_fixture.hpp"

#include "testing/catch.hpp"

using namespace parley;
using namespace parley::kernel;
using namespace parley::kernel::testing;

namespace {

constexpr long flags_of_pthreads = 0x3d0f00;
constexpr long wait = 0, wake = 1, requeue = 3, wait_bitset = 9, is_private = 128;

} // namespace

TEST_CASE("a thread begins on its stack, with its pointer, and tells its number and its end")
{
    Program program;
    const long made = program.call(call_clone, flags_of_pthreads, 0x5000, 0x6000, 0x7000, 0x8000);
    REQUIRE(made == 1007);
    REQUIRE(program.control.threads.size() == 1);
    const ThreadStart& start = program.control.threads[0];
    REQUIRE(start.stack_pointer.value == 0x5000);
    REQUIRE(start.thread_pointer->value == 0x8000);
    REQUIRE(start.makers_word.value == 0x6000);
    REQUIRE(start.word_at_end.value == 0x7000);
    REQUIRE(start.own_word.value == 0); // not asked for
    const std::uint64_t asked[] = {flags_of_pthreads, 0, 0x7000, 0x6000, 0, 0x4000, 0x1000, 0x8000};
    REQUIRE(program.call(call_clone3, program.space.put(asked), sizeof asked) == 2007);
    REQUIRE(program.control.threads[1].stack_pointer.value == 0x5000);
    REQUIRE(program.control.threads[1].word_at_end.value == 0x7000);
}

TEST_CASE("threads that cannot be made have their error, and what is not one is no call")
{
    constexpr long without_memory = flags_of_pthreads & ~0x100, with_name_space = flags_of_pthreads | 0x20000;
    Program program;
    REQUIRE(program.call(call_clone, 17, 0, 0, 0, 0) == linux_error::no_such_call); // fork
    REQUIRE(program.control.unknown == std::vector<long>{56});
    REQUIRE(program.call(call_clone, without_memory, 0x5000) == linux_error::invalid);
    REQUIRE(program.call(call_clone, with_name_space, 0x5000) == linux_error::invalid);
    REQUIRE(program.control.refused.size() == 2);
    REQUIRE(program.control.refused[1].find("0x3f0f00") != std::string::npos);
    REQUIRE(program.call(call_clone, flags_of_pthreads, 0) == linux_error::invalid);
    REQUIRE(program.call(call_clone3, bad_address, 88) == linux_error::fault);
    REQUIRE(program.call(call_clone3, bad_address, 8) == linux_error::invalid);
    program.control.thread_error = Error::would_block;
    REQUIRE(program.call(call_clone, flags_of_pthreads, 0x5000) == linux_error::again);
    program.control.thread_error = Error::no_memory;
    REQUIRE(program.call(call_clone, flags_of_pthreads, 0x5000) == linux_error::no_memory);
    REQUIRE(program.control.threads.empty());
}

TEST_CASE("a futex waits for its word, until its time, and refuses what it has not")
{
    Program program;
    const long word = program.space.put(std::uint32_t{1});
    REQUIRE(program.call(call_futex, word, wait | is_private, 2, 0) == linux_error::again);
    REQUIRE(program.call(call_futex, bad_address, wait, 1, 0) == linux_error::fault);
    REQUIRE(program.call(call_futex, bad_address, wake, 1) == linux_error::fault);
    REQUIRE(program.call(call_futex, word + 1, wait, 1, 0) == linux_error::invalid);
    const std::int64_t second[] = {1, 0}, fifth_second[] = {5, 0};
    REQUIRE(program.call(call_futex, word, wait, 1, program.space.put(second)) == linux_error::timed_out);
    REQUIRE(program.control.now == 2'500'000'000);
    const long later = program.space.put(fifth_second); // of the clock, not from now
    REQUIRE(program.call(call_futex, word, wait_bitset | is_private, 1, later, 0, -1) ==
            linux_error::timed_out);
    REQUIRE(program.control.now == 5'000'000'000);
    REQUIRE(program.call(call_futex, word, wake, 7) == 0);
    REQUIRE(program.control.woken == 7);
    REQUIRE(program.control.refused.empty());
    REQUIRE(program.call(call_futex, word, requeue, 1) == linux_error::no_such_call);
    REQUIRE(program.call(call_futex, word, wait_bitset, 1, 0, 0, 2) == linux_error::no_such_call);
    REQUIRE(program.control.refused.size() == 2);
    REQUIRE(program.control.refused[0].find("operation 3") != std::string::npos);
}

TEST_CASE("a program sees the processors that run programs")
{
    Program program;
    const long room = program.space.room(64);
    REQUIRE(program.call(call_sched_getaffinity, 0, 64, room) == 8);
    REQUIRE(program.space.get<std::uint64_t>(at(room)) == 0b111);
    program.control.processor_count = 64;
    REQUIRE(program.call(call_sched_getaffinity, 0, 64, room) == 8);
    REQUIRE(program.space.get<std::uint64_t>(at(room)) == ~std::uint64_t{0});
    REQUIRE(program.call(call_sched_getaffinity, 0, 4, room) == linux_error::invalid);
}

TEST_CASE("a thread says for itself where it runs")
{
    Program program;
    const long wanted = program.space.put(std::uint64_t{0b110});
    const long nowhere = program.space.put(std::uint64_t{0b11000});
    const long room = program.space.room(8);
    REQUIRE(program.call(call_sched_setaffinity, 0, 8, wanted) == 0);
    REQUIRE(program.call(call_sched_getaffinity, 0, 8, room) == 8);
    REQUIRE(program.space.get<std::uint64_t>(at(room)) == 0b110);
    REQUIRE(program.call(call_sched_setaffinity, 7, 128, wanted) == 0); // its own number
    REQUIRE(program.call(call_sched_setaffinity, 0, 8, nowhere) == linux_error::invalid);
    REQUIRE(program.call(call_sched_setaffinity, 0, 8, bad_address) == linux_error::fault);
    REQUIRE(program.control.refused.empty());
    REQUIRE(program.call(call_sched_setaffinity, 1007, 8, wanted) == linux_error::not_permitted);
    REQUIRE(program.control.refused.size() == 1);
}

TEST_CASE("pages that are not needed are zero again, and other advice changes nothing")
{
    constexpr long will_need = 3, not_needed = 4;
    Program program;
    const long page = program.call(call_mmap, 0, 4096, 3, anonymous, -1, 0);
    const std::uint32_t mark = 77;
    REQUIRE(program.space.store_checked({at(page)}, &mark, sizeof mark));
    REQUIRE(program.call(call_madvise, page, 4096, will_need) == 0);
    REQUIRE(program.space.get<std::uint32_t>(at(page)) == mark);
    REQUIRE(program.call(call_madvise, page, 4096, not_needed) == 0);
    REQUIRE(program.space.get<std::uint32_t>(at(page)) == 0);
    REQUIRE(program.call(call_madvise, bad_address & ~4095l, 4096, not_needed) == linux_error::no_memory);
}
