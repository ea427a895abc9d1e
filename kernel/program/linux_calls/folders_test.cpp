// SPDX-License-Identifier: MIT
#include "kernel/program/linux_calls/call_fixture.hpp"

#include "testing/catch.hpp"

using namespace parley;
using namespace parley::kernel;
using namespace parley::kernel::testing;

namespace {

long text(Program& program, const std::string& path) { return program.space.put_text(path); }

bool exists(Program& program, const std::string& path)
{
    return program.call(call_access, text(program, path), 0) == 0;
}

} // namespace

TEST_CASE("a process works in the folder it has gone to")
{
    Program program;
    const long room = program.space.room(300);
    REQUIRE(program.open("data/in", create) == 3);
    REQUIRE(program.call(call_chdir, text(program, "data")) == 0);
    REQUIRE(program.call(call_getcwd, room, 300) == 6);
    REQUIRE(program.space.get_text(at(room)) == "/data");
    REQUIRE(program.call(call_getcwd, room, 5) == linux_error::range);
    REQUIRE(exists(program, "in"));
    REQUIRE(exists(program, "../data/in"));
    REQUIRE(program.open("out", create) == 4);
    REQUIRE(exists(program, "/data/out"));
    REQUIRE(program.call(call_chdir, text(program, "in")) == linux_error::not_directory);
    REQUIRE(program.call(call_chdir, text(program, "../..")) == 0);
    REQUIRE(exists(program, "data/out"));
}

TEST_CASE("a new folder may be entered before a file is in it")
{
    Program program;
    REQUIRE(program.call(call_mkdir, text(program, "new"), 0777) == 0);
    REQUIRE(program.call(call_chdir, text(program, "new")) == 0);
    REQUIRE(program.open("f", create) == 3);
    REQUIRE(program.call(call_mkdir, text(program, "/new"), 0777) == linux_error::exists);
    REQUIRE(program.call(call_mkdir, text(program, "/new/f/g"), 0777) == linux_error::not_directory);
    REQUIRE(program.call(call_rmdir, text(program, "/new")) == linux_error::not_empty);
    REQUIRE(program.call(call_rmdir, text(program, "f")) == linux_error::not_directory);
    REQUIRE(program.call(call_unlink, text(program, "f")) == 0);
    REQUIRE(program.call(call_rmdir, text(program, "/new")) == 0);
}

TEST_CASE("a file takes another's name and place")
{
    Program program;
    const long letters = text(program, "letters");
    REQUIRE(program.open("a", create) == 3);
    REQUIRE(program.call(call_write, 3, letters, 7) == 7);
    REQUIRE(program.open("d/b", create) == 4);
    REQUIRE(program.call(call_rename, text(program, "a"), text(program, "d/b")) == 0);
    REQUIRE(!exists(program, "a"));
    REQUIRE(program.call(call_truncate, text(program, "d/b"), 3) == 0);
    REQUIRE(program.call(call_lseek, 3, 0, 2) == 3);
    REQUIRE(program.call(call_renameat, -100, text(program, "d/b"), -100, text(program, "d/b")) == 0);
    REQUIRE(program.call(call_rename, text(program, "x"), text(program, "y")) == linux_error::no_entry);
    REQUIRE(program.call(call_rename, text(program, "d"), text(program, "e")) == linux_error::access);
    REQUIRE(program.call(call_rename, text(program, "d/b"), text(program, "d")) == linux_error::is_directory);
    REQUIRE(program.call(call_renameat2, -100, text(program, "d/b"), -100, text(program, "c"), 1) ==
            linux_error::invalid);
    REQUIRE(program.call(call_chmod, text(program, "d/b"), 0600) == 0);
    REQUIRE(program.call(call_chmod, text(program, "a"), 0600) == linux_error::no_entry);
}

TEST_CASE("there is a folder for temporary files, and what is written needs no waiting for")
{
    Program program;
    REQUIRE(exists(program, "/tmp"));
    REQUIRE(program.call(call_fsync, 1) == 0);
    REQUIRE(program.call(call_fdatasync, 9) == linux_error::bad_file);
    REQUIRE(program.call(call_creat, text(program, "f"), 0666) == 3);
    REQUIRE(program.call(call_read, 3, text(program, "f"), 1) == linux_error::bad_file);
}
