// SPDX-License-Identifier: MIT
#include "kernel/program/linux_calls/call_fixture.hpp"

#include "testing/catch.hpp"

using namespace parley;
using namespace parley::kernel;
using namespace parley::kernel::testing;

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
    REQUIRE(program.call(call_mmap, 0, 4096, 3, 0x20, -1, 0) == linux_error::invalid); // private or shared?
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
    REQUIRE(program.call(call_mremap, moved, 8192, 65536, 1) == linux_error::fault); // half of it is there
    REQUIRE(program.call(call_mremap, bad_address, 4096, 8192, 1) == linux_error::fault);
    REQUIRE(!program.space.mapped(at(bad_address) + 4096));
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

TEST_CASE("a descriptor is moved onto another, and appends when told to")
{
    constexpr long get_flags = 3, set_flags = 4, append = 02000, close_on_exec = 02000000;
    Program program;
    const long file = program.open("f", create), word = program.space.put_text("word");
    REQUIRE(program.call(call_dup3, file, 1, close_on_exec) == 1); // as freopen does with standard output
    REQUIRE(program.call(call_write, 1, word, 4) == 4);
    REQUIRE(program.sink.all() == "");
    REQUIRE(program.call(call_dup3, file, file, 0) == linux_error::invalid);
    REQUIRE(program.call(call_dup3, file, 5, 1) == linux_error::invalid);
    REQUIRE(program.call(call_dup3, 77, 5, 0) == linux_error::bad_file);
    REQUIRE(program.call(call_fcntl, file, set_flags, append) == 0);
    REQUIRE(program.call(call_fcntl, 1, get_flags) == (append | 02));
    REQUIRE(program.call(call_lseek, file, 0, 0) == 0);
    REQUIRE(program.call(call_write, file, word, 4) == 4);
    REQUIRE(program.call(call_lseek, file, 0, 1) == 8);
    REQUIRE(program.call(call_fcntl, file, set_flags, 0) == 0);
    REQUIRE(program.call(call_fcntl, file, get_flags) == 02);
    REQUIRE(program.call(call_fcntl, 77, set_flags, 0) == linux_error::bad_file);
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
    const long too_long[] = {one, 4, two, -1}, too_long_together[] = {one, INT64_MAX, two, INT64_MAX};
    REQUIRE(program.call(call_writev, 1, program.space.put(too_long), 2) == linux_error::invalid);
    REQUIRE(program.call(call_readv, 0, program.space.put(too_long_together), 2) == linux_error::invalid);
    REQUIRE(program.sink.all() == "one two\n");
}

TEST_CASE("a long transfer lets others in between its pieces, and ends when its process must")
{
    Program program;
    const long file = program.open("f", create), room = program.space.room(100'000);
    REQUIRE(program.call(call_write, file, room, 100'000) == 100'000);
    REQUIRE(program.control.points >= 100'000 / 4096);
    program.control.kill_at = program.control.points + 3;
    REQUIRE(program.call(call_write, file, room, 100'000) == 3 * 4096);
    program.control.kill_at = program.control.points + 3;
    REQUIRE(program.call(call_getrandom, room, 100'000, 0) == linux_error::interrupted);
    program.control.kill_at = program.control.points + 3;
    REQUIRE(program.call(call_mmap, 0, 65536, 1, 2, file, 0) == linux_error::interrupted);
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

TEST_CASE("an int argument counts without what is in the register's upper half")
{
    Program program;
    const long path = program.space.put_text("f");
    REQUIRE(program.call(call_openat, 0xffff'ff9c, path, create, 0644) == 3);
    REQUIRE(program.call(call_lseek, 0x7'0000'0003, 0, 0) == 0);
    REQUIRE(program.call(call_mmap, 0, 4096, 3, anonymous, 0xffff'ffff, 0) > 0);
}
