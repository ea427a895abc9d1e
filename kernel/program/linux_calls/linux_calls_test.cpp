// SPDX-License-Identifier: MIT
#include "kernel/program/host_arena.hpp"
#include "kernel/program/linux_calls/calls.hpp"
#include "kernel/program/program_fakes.hpp"

#include "tools/testing/catch.hpp"

#include <algorithm>

using namespace parley;
using namespace parley::kernel;
using kernel::testing::FakeControl;
using kernel::testing::FakeSink;
using kernel::testing::FakeSpace;
using kernel::testing::HostArena;

namespace {

// Call numbers by name, as the table has them.
enum Number : long {
#define NUMBER(number, name) call_##name = number,
    LINUX_CALLS(NUMBER)
#undef NUMBER
};

constexpr std::uintptr_t heap_start = 0x4000'0000;
constexpr std::size_t mebibyte = 1 << 20;
constexpr long anonymous = 0x22;

struct Program {
    FakeSpace space;
    FakeControl control;
    HostArena arena;
    FileStore store{arena};
    FakeSink sink;
    Personality personality{{.space = space,
                             .control = control,
                             .store = store,
                             .sink = sink,
                             .input = std::as_bytes(std::span("input", 5)),
                             .heap_start = {heap_start},
                             .heap_limit = {heap_start + 4 * mebibyte},
                             .stack_bytes = 65536,
                             .seed = 5,
                             .tag = LineOutput::no_tag}};

    long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0)
    {
        return linux_call(personality, number, {a, b, c, d, e, f});
    }
    long open(const std::string& path, long flags)
    {
        return call(call_open, space.put_text(path), flags, 0644);
    }
};

constexpr long bad_address = 0x1234'5000;
constexpr long create = 0102; // O_CREAT | O_RDWR

std::uintptr_t at(long value) { return static_cast<std::uintptr_t>(value); }

} // namespace

TEST_CASE("a call that is not in the table is noted and answered with ENOSYS")
{
    Program program;
    for (const long number : {56l, 435l, 511l, 512l, 100'000l, -1l})
        REQUIRE(program.call(number) == linux_error::no_such_call);
    REQUIRE(program.control.unknown.size() == 6);
    REQUIRE(program.call(call_rseq) == linux_error::no_such_call);
    REQUIRE(program.control.unknown.size() == 6);
    REQUIRE(linux_call_name(231) == "exit_group");
    REQUIRE(linux_call_name(435).empty());
}

TEST_CASE("the heap grows and shrinks within its limits and comes back as zeroes")
{
    Program program;
    const long start = program.call(call_brk);
    REQUIRE(start == long{heap_start});
    REQUIRE(program.call(call_brk, start + 5000) == start + 5000);
    const std::uint64_t one = 1;
    REQUIRE(program.space.store_checked({heap_start + 4200}, &one, 8));
    REQUIRE(program.call(call_brk, start + 100) == start + 100);
    REQUIRE(!program.space.mapped(heap_start + 4200));
    REQUIRE(program.call(call_brk, start + 3 * long{mebibyte} + 1) == start + 3 * long{mebibyte} + 1);
    REQUIRE(program.space.get<std::uint64_t>(heap_start + 4200) == 0);
    REQUIRE(program.call(call_brk, start + 5 * long{mebibyte}) == start + 3 * long{mebibyte} + 1);
    REQUIRE(program.call(call_brk, start - 1) == start + 3 * long{mebibyte} + 1);
    REQUIRE(program.call(call_brk, start) == start);
    program.space.page_limit = 0;
    REQUIRE(program.call(call_brk, start + 1) == start);
}

TEST_CASE("memory is mapped, protected and unmapped, and never writable and executable")
{
    Program program;
    const long place = program.call(call_mmap, 0, 10'000, 3, anonymous, -1, 0);
    REQUIRE(place > 0);
    REQUIRE(program.space.protection_at(at(place) + 9999) == Protection::read_write);
    REQUIRE(program.call(call_mprotect, place, 4096, 1) == 0);
    REQUIRE(program.space.protection_at(at(place)) == Protection::read);
    REQUIRE(program.call(call_mprotect, place, 4096, 7) == linux_error::access);
    REQUIRE(program.call(call_mmap, 0, 4096, 6, anonymous, -1, 0) == linux_error::access);
    REQUIRE(program.call(call_mprotect, place, 1 << 20, 1) == linux_error::no_memory);
    REQUIRE(program.call(call_mprotect, place + 1, 4096, 1) == linux_error::invalid);
    REQUIRE(program.call(call_munmap, place, 10'000) == 0);
    REQUIRE(!program.space.mapped(at(place)));
    REQUIRE(program.call(call_munmap, place, 0) == linux_error::invalid);
    REQUIRE(program.call(call_munmap, -4096, 8192) == linux_error::invalid);
    REQUIRE(program.call(call_mmap, 0, 0, 3, anonymous, -1, 0) == linux_error::invalid);
    REQUIRE(program.call(call_mmap, 0, -1, 3, anonymous, -1, 0) < 0);
}

TEST_CASE("fixed mappings replace, or refuse when asked to")
{
    Program program;
    const long place = program.call(call_mmap, 0x5000'0000, 8192, 3, anonymous | 0x10, -1, 0);
    REQUIRE(place == 0x5000'0000);
    REQUIRE(program.call(call_mmap, place, 4096, 1, anonymous | 0x10'0000, -1, 0) == linux_error::exists);
    REQUIRE(program.call(call_mmap, place, 4096, 1, anonymous | 0x10, -1, 0) == place);
    REQUIRE(program.space.protection_at(at(place)) == Protection::read);
    REQUIRE(program.call(call_mmap, place + 8, 4096, 1, anonymous | 0x10, -1, 0) == linux_error::invalid);
    REQUIRE(program.call(call_mmap, 0, 4096, 1, anonymous | 0x10, -1, 0) == linux_error::invalid);
}

TEST_CASE("a moved mapping keeps its contents")
{
    Program program;
    const long place = program.call(call_mmap, 0, 4096, 3, anonymous, -1, 0);
    const std::uint64_t value = 99;
    REQUIRE(program.space.store_checked({at(place)}, &value, 8));
    REQUIRE(program.call(call_mremap, place, 4096, 8192, 0) == place); // in place: what follows is free
    const long next = program.call(call_mmap, place + 8192, 4096, 3, anonymous | 0x10, -1, 0);
    REQUIRE(next == place + 8192);
    REQUIRE(program.call(call_mremap, place, 8192, 65536, 0) == linux_error::no_memory);
    const long moved = program.call(call_mremap, place, 8192, 65536, 1);
    REQUIRE(moved > 0);
    REQUIRE(moved != place);
    REQUIRE(program.space.get<std::uint64_t>(at(moved)) == 99);
    REQUIRE(!program.space.mapped(at(place)));
    REQUIRE(program.call(call_mremap, moved, 65536, 4096, 1) == moved);
    REQUIRE(!program.space.mapped(at(moved) + 4096));
}

TEST_CASE("files are written, read, positioned and mapped")
{
    Program program;
    const long file = program.open("f", create);
    REQUIRE(file == 3);
    std::string text(20'000, 'a');
    text[9'000] = 'z';
    const long buffer = program.space.put_text(text);
    REQUIRE(program.call(call_write, file, buffer, 20'000) == 20'000);
    REQUIRE(program.call(call_lseek, file, 8'999, 0) == 8'999);
    const long room = program.space.room(20'000);
    REQUIRE(program.call(call_read, file, room, 20'000) == 11'001);
    REQUIRE(program.space.get_bytes(at(room), 3) == "aza");
    REQUIRE(program.call(call_pread64, file, room, 2, 9'000) == 2);
    REQUIRE(program.space.get_bytes(at(room), 2) == "za");
    REQUIRE(program.call(call_pwrite64, file, buffer, 1, 9'000) == 1);
    const long mapped = program.call(call_mmap, 0, 8192, 1, 2, file, 4096);
    REQUIRE(mapped > 0);
    REQUIRE(program.space.get_bytes(at(mapped), 8192) == std::string(8192, 'a'));
    REQUIRE(program.space.protection_at(at(mapped)) == Protection::read);
    REQUIRE(program.call(call_mmap, 0, 8192, 3, 1, file, 0) == linux_error::no_device);
    REQUIRE(program.call(call_mmap, 0, 8192, 1, 2, 0, 0) == linux_error::no_device);
    REQUIRE(program.call(call_mmap, 0, 8192, 1, 2, 77, 0) == linux_error::bad_file);
    REQUIRE(program.call(call_ftruncate, file, 5) == 0);
    REQUIRE(program.call(call_unlink, program.space.put_text("f")) == 0);
    REQUIRE(program.call(call_close, file) == 0);
}

TEST_CASE("vectors are written in order and counted together")
{
    Program program;
    const long one = program.space.put_text("one ");
    const long two = program.space.put_text("two\n");
    const long vectors[] = {one, 4, two, 0, two, 4};
    const long list = program.space.put(vectors);
    REQUIRE(program.call(call_writev, 1, list, 3) == 8);
    REQUIRE(program.sink.all() == "one two\n");
    REQUIRE(program.call(call_writev, 1, list, -1) == linux_error::invalid);
    REQUIRE(program.call(call_writev, 1, bad_address, 1) == linux_error::fault);
    REQUIRE(program.call(call_writev, 9, list, 3) == linux_error::bad_file);
}

TEST_CASE("bad pointers give EFAULT and what was done before counts")
{
    Program program;
    REQUIRE(program.call(call_write, 1, bad_address, 5) == linux_error::fault);
    REQUIRE(program.call(call_read, 0, bad_address, 5) == linux_error::fault);
    REQUIRE(program.call(call_open, bad_address, 0, 0) == linux_error::fault);
    REQUIRE(program.call(call_clock_gettime, 1, bad_address) == linux_error::fault);
    REQUIRE(program.call(call_newfstatat, 1, program.space.put_text(""), bad_address, 0x1000) ==
            linux_error::fault);
    REQUIRE(program.call(call_getrandom, bad_address, 8, 0) == linux_error::fault);
    REQUIRE(program.call(call_getcwd, bad_address, 10) == linux_error::fault);
    const long page = program.space.room(8192); // the page behind it is not there
    REQUIRE(program.call(call_write, 1, page, 10'000) == 8192);
    // A path that ends just before the end of its page is read without touching the next.
    const std::string path = "edge";
    REQUIRE(program.space.store({at(page) + 8192 - 5}, path.c_str(), 5));
    REQUIRE(program.call(call_open, page + 8192 - 5, 0, 0) == linux_error::no_entry);
    REQUIRE(program.call(call_open, page + 8192 - 4, 0, 0) == linux_error::no_entry);
}

TEST_CASE("every call survives any argument")
{
    const long values[] = {0, 1, -1, 4095, 4096, bad_address, INT64_MAX, INT64_MIN, 0x7fff'ffff'f000};
    for (long number = 0; number < 340; ++number) {
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
                REQUIRE((number == call_exit || number == call_exit_group));
            } catch (const testing::Failed&) {
                REQUIRE((number == call_kill || number == call_tgkill || number == call_futex));
            }
        }
    }
}

TEST_CASE("the status of streams, files and folders is told apart")
{
    Program program;
    const long room = program.space.room(144);
    const auto mode_of = [&](long path, long flags, long folder) {
        const long result = program.call(call_newfstatat, folder, path, room, flags);
        return result < 0 ? result : long{program.space.get<std::uint32_t>(at(room) + 24) & 0170000};
    };
    const long empty = program.space.put_text("");
    REQUIRE(mode_of(empty, 0x1000, 0) == 0010000);
    REQUIRE(mode_of(empty, 0x1000, 1) == 0020000);
    REQUIRE(program.space.get<std::uint64_t>(at(room) + 40) >> 8 == 136); // a terminal by its number
    REQUIRE(program.call(call_ioctl, 1, 0x5401, room) == linux_error::not_terminal);
    REQUIRE(program.open("d/f", create) == 3);
    REQUIRE(mode_of(empty, 0x1000, 3) == 0100000);
    REQUIRE(mode_of(program.space.put_text("d/f"), 0, -100) == 0100000);
    REQUIRE(mode_of(program.space.put_text("d"), 0, -100) == 0040000);
    REQUIRE(mode_of(program.space.put_text("x"), 0, -100) == linux_error::no_entry);
    REQUIRE(mode_of(program.space.put_text("d"), 0, 3) == linux_error::bad_file);
    REQUIRE(program.call(call_access, program.space.put_text("d/f"), 0) == 0);
    REQUIRE(program.call(call_readlink, program.space.put_text("/proc/self/exe"), room, 100) ==
            linux_error::no_entry);
    REQUIRE(program.call(call_getcwd, room, 100) == 2);
    REQUIRE(program.space.get_text(at(room)) == "/");
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
    REQUIRE(program.call(call_gettimeofday, room, 0) == 0);
    REQUIRE(program.call(call_time, 0) == 3);
    REQUIRE(program.call(call_getrusage, 0, room) == 0);
    const std::int64_t wrong[] = {0, 1'000'000'000};
    REQUIRE(program.call(call_nanosleep, program.space.put(wrong), 0) == linux_error::invalid);
    REQUIRE(program.call(call_clock_gettime, 99, room) == linux_error::invalid);
}

TEST_CASE("a process ends by exit, and by signals to itself")
{
    Program program;
    REQUIRE_THROWS_AS(program.call(call_exit_group, 0x103), testing::Exited);
    REQUIRE_THROWS_AS(program.call(call_tgkill, 7, 7, 6), testing::Failed);
    REQUIRE(program.call(call_tgkill, 7, 7, 0) == 0);
    REQUIRE(program.call(call_tgkill, 7, 8, 6) == linux_error::no_process);
    REQUIRE(program.call(call_kill, 7, 17) == 0);
    const std::uint64_t ignore[] = {1, 0, 0, 0};
    const long old = program.space.room(32);
    REQUIRE(program.call(call_rt_sigaction, 13, program.space.put(ignore), old, 8) == 0);
    REQUIRE(program.call(call_rt_sigaction, 13, 0, old, 8) == 0);
    REQUIRE(program.space.get<std::uint64_t>(at(old)) == 1);
    REQUIRE(program.call(call_kill, 7, 13) == 0);
    REQUIRE(program.call(call_rt_sigaction, 9, program.space.put(ignore), 0, 8) == linux_error::invalid);
    const std::uint32_t word = 1;
    REQUIRE(program.call(call_futex, program.space.put(word), 0, 2, 0) == linux_error::again);
    REQUIRE_THROWS_AS(program.call(call_futex, program.space.put(word), 0, 1, 0), testing::Failed);
}

TEST_CASE("the thread pointer is an address of user space")
{
    Program program;
    REQUIRE(program.call(call_arch_prctl, 0x1002, 0x1234'5678) == 0);
    REQUIRE(program.control.thread_pointer == 0x1234'5678);
    REQUIRE(program.call(call_arch_prctl, 0x1002, INT64_MIN) == linux_error::not_permitted);
    REQUIRE(program.call(call_arch_prctl, 0x1001, 0) == linux_error::invalid);
}

TEST_CASE("random bytes repeat with the seed and limits are told")
{
    Program one;
    const long room = one.space.room(512);
    REQUIRE(one.call(call_getrandom, room, 300, 0) == 256);
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
    program.personality.finish();
    program.personality.finish();
    REQUIRE(program.sink.all() == "last\n");
    REQUIRE(program.call(call_close, 3) == linux_error::bad_file);
}
