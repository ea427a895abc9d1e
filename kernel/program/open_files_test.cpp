// SPDX-License-Identifier: MIT
#include "kernel/program/host_arena.hpp"
#include "kernel/program/open_files.hpp"
#include "kernel/program/path.hpp"
#include "kernel/program/program_fakes.hpp"

#include "testing/catch.hpp"

using namespace parley::kernel;
using testing::FakeSink;
using testing::HostArena;

namespace {

constexpr long read_write_create = open_flag::read_write | open_flag::create;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

struct Job {
    Job() { input.type(bytes_of("some input"), false); }

    StandardInput input;
    HostArena arena;
    FakeSink sink;
    FileStore store{arena};
    LineOutput output{sink, LineOutput::no_tag};
    LineOutput error{sink, LineOutput::no_tag};
    OpenFiles files{store, {&input, output, error}};
    OpenFiles others{store, {nullptr, output, error}};
};

std::string read_all(OpenFiles& files, long descriptor)
{
    std::string text;
    std::byte piece[7];
    for (long got = files.read(descriptor, piece); got > 0; got = files.read(descriptor, piece))
        text += as_text(std::span(piece).first(static_cast<std::size_t>(got)));
    return text;
}

} // namespace

TEST_CASE("paths are brought to one form, from the working folder on")
{
    REQUIRE(Path::from("./a//b/./c")->view() == "a/b/c");
    REQUIRE(Path::from("/a")->view() == "a");
    REQUIRE(Path::from("/")->view().empty());
    REQUIRE(Path::from(".")->view().empty());
    REQUIRE(Path::from("").error() == linux_error::no_entry);
    REQUIRE(Path::from("a/../b")->view() == "b");
    REQUIRE(Path::from("../a/../../b/..")->view().empty());
    REQUIRE(Path::from("c", "a/b")->view() == "a/b/c");
    REQUIRE(Path::from("../c", "a/b")->view() == "a/c");
    REQUIRE(Path::from("/c", "a/b")->view() == "c");
    REQUIRE(Path::from(std::string(256, 'x')).error() == linux_error::name_too_long);
    REQUIRE(Path::from(std::string(255, 'x')));
}

TEST_CASE("processes of one job read its input line by line, each line once")
{
    Job job;
    StandardInput typed;
    typed.type(bytes_of("first\nsecond\n\nlast"), true);
    OpenFiles host{job.store, {&typed, job.output, job.error}};
    OpenFiles node{job.store, {&typed, job.output, job.error}};
    std::byte room[100];
    const auto line = [&](OpenFiles& files, std::size_t most) {
        const long got = files.read(0, std::span(room).first(most));
        return std::string(as_text(std::span(room).first(static_cast<std::size_t>(got))));
    };
    REQUIRE(line(host, 100) == "first\n");
    REQUIRE(line(node, 3) == "sec");
    REQUIRE(line(node, 100) == "ond\n");
    REQUIRE(line(host, 100) == "\n");
    REQUIRE(line(node, 100) == "last");
    REQUIRE(line(host, 100).empty());
    REQUIRE(line(node, 100).empty());
}

TEST_CASE("standard streams behave like a pipe in and lines out")
{
    Job job;
    REQUIRE(read_all(job.files, 0) == "some input");
    REQUIRE(read_all(job.others, 0).empty());
    REQUIRE(job.files.write(0, bytes_of("x")) == linux_error::bad_file);
    REQUIRE(job.files.write(1, bytes_of("half ")) == 5);
    REQUIRE(job.sink.writes.empty());
    REQUIRE(job.files.write(1, bytes_of("whole\nrest")) == 10);
    REQUIRE(job.sink.all() == "half whole\n");
    REQUIRE(job.files.seek(1, 0, Seek::set) == linux_error::illegal_seek);
}

TEST_CASE("an original is read where it is, copied where it is changed, and then counts as changed")
{
    Job job;
    const std::string original(10'000, 'o');
    REQUIRE(job.store.add_original("data/in", bytes_of(original)));
    const long reader = job.files.open("data/in", open_flag::read_only);
    REQUIRE(reader == 3);
    REQUIRE(job.store.next_changed(nullptr) == nullptr);
    REQUIRE(job.files.write(reader, bytes_of("no")) == linux_error::bad_file);
    const long writer = job.others.open("./data/in", open_flag::write_only);
    REQUIRE(job.others.seek(writer, 5000, Seek::set) == 5000);
    REQUIRE(job.others.write(writer, bytes_of("NEW")) == 3);
    std::string expected = original;
    expected.replace(5000, 3, "NEW");
    REQUIRE(read_all(job.files, reader) == expected);
    REQUIRE(original[5000] == 'o');
    File* changed = job.store.next_changed(nullptr);
    REQUIRE(changed != nullptr);
    REQUIRE(FileStore::path(*changed) == "data/in");
    REQUIRE(job.store.next_changed(changed) == nullptr);
}

TEST_CASE("open follows create, exclusive, truncate and append")
{
    Job job;
    REQUIRE(job.store.add_original("a/b", bytes_of("12345")));
    REQUIRE(job.files.open("new", open_flag::read_only) == linux_error::no_entry);
    REQUIRE(job.files.open("a", open_flag::read_only) == linux_error::is_directory);
    REQUIRE(job.files.open("a/b/c", read_write_create) == linux_error::not_directory);
    REQUIRE(job.files.open("a/b", read_write_create | open_flag::exclusive) == linux_error::exists);
    const long file = job.files.open("a/b", open_flag::write_only | open_flag::append);
    REQUIRE(job.files.write(file, bytes_of("67")) == 2);
    const long cut = job.files.open("a/b", open_flag::read_write | open_flag::truncate);
    REQUIRE(read_all(job.files, cut).empty());
    REQUIRE(job.files.write(file, bytes_of("89")) == 2);
    REQUIRE(read_all(job.files, cut) == "89");
    REQUIRE(job.files.open("dev/null", open_flag::write_only) == 5);
    REQUIRE(job.files.write(5, bytes_of("gone")) == 4);
}

TEST_CASE("truncation and holes read as zeroes")
{
    Job job;
    REQUIRE(job.store.add_original("f", bytes_of("abcdefgh")));
    const long file = job.files.open("f", open_flag::read_write);
    REQUIRE(job.files.resize(file, 3) == 0);
    REQUIRE(job.files.resize(file, 6) == 0);
    REQUIRE(read_all(job.files, file) == std::string("abc\0\0\0", 6));
    REQUIRE(job.files.seek(file, 3'000'000, Seek::set) == 3'000'000);
    REQUIRE(job.files.write(file, bytes_of("end")) == 3);
    REQUIRE(job.files.seek(file, -4, Seek::end) == 2'999'999);
    REQUIRE(read_all(job.files, file) == std::string("\0end", 4));
    REQUIRE(job.files.seek(file, -1, Seek::set) == linux_error::invalid);
    REQUIRE(job.files.seek(file, 1l << 40, Seek::set) == 1l << 40);
    REQUIRE(job.files.write(file, bytes_of("x")) == linux_error::file_too_big);
}

TEST_CASE("an unlinked file lives while it is open and its memory is used again")
{
    Job job;
    std::size_t used = 0;
    for (int round = 0; round < 4; ++round) {
        const long file = job.files.open("scratch", read_write_create);
        REQUIRE(job.store.unlink("scratch") == 0);
        REQUIRE(job.store.status("scratch").kind == FileKind::none);
        REQUIRE(job.files.write(file, bytes_of(std::string(50'000, 's'))) == 50'000);
        REQUIRE(job.files.seek(file, 0, Seek::set) == 0);
        REQUIRE(read_all(job.files, file).size() == 50'000);
        REQUIRE(job.files.close(file) == 0);
        REQUIRE((round == 0 || job.arena.used == used));
        used = job.arena.used;
    }
    REQUIRE(job.store.unlink("scratch") == linux_error::no_entry);
    REQUIRE(job.store.next_changed(nullptr) == nullptr);
}

TEST_CASE("what is stored is found behind holes")
{
    Job job;
    const long descriptor = job.files.open("f", read_write_create);
    const auto next = [&](std::size_t offset) {
        return job.store.next_stored(*job.store.next_changed(nullptr), offset);
    };
    REQUIRE(job.files.resize(descriptor, 1 << 30) == 0);
    REQUIRE(next(0) == 1 << 30);
    REQUIRE(job.files.write_at(descriptor, (512 << 20) + 5000, bytes_of("x")) == 1);
    REQUIRE(next(0) == (512 << 20) + 4096); // whole pages are stored
    REQUIRE(next((512 << 20) + 5000) == (512 << 20) + 5000);
    REQUIRE(next((512 << 20) + 8192) == 1 << 30);
    REQUIRE(job.files.resize(descriptor, 3) == 0);
    REQUIRE(next(0) == 3);
    REQUIRE(job.store.add_original("original", bytes_of("abc")));
    const long original = job.files.open("original", open_flag::read_write);
    REQUIRE(job.files.resize(original, 10'000) == 0);
    REQUIRE(next(2) == 2);
    REQUIRE(next(3) == 10'000);
}

TEST_CASE("the pages of a large file that went are all used again")
{
    Job job;
    const std::string page(4096, 'p');
    std::size_t used = 0;
    for (int round = 0; round < 3; ++round) {
        const long file = job.files.open("scratch", read_write_create);
        for (std::size_t i = 0; i < 1500; ++i)
            REQUIRE(job.files.write_at(file, 2 * i * page.size(), bytes_of(page)) == 4096);
        REQUIRE(job.files.resize(file, 1'000'000) == 0);
        REQUIRE(job.files.write_at(file, 2'000'000, bytes_of("z")) == 1);
        std::byte byte;
        REQUIRE(job.files.read_at(file, 1'999'999, {&byte, 1}) == 1);
        REQUIRE(byte == std::byte{0});
        REQUIRE(job.store.unlink("scratch") == 0);
        REQUIRE(job.files.close(file) == 0);
        REQUIRE((round == 0 || job.arena.used == used));
        used = job.arena.used;
    }
}

TEST_CASE("programs make as many files as there may be, and one that went makes room")
{
    Job job;
    for (std::size_t i = 0; i < FileStore::max_files; ++i)
        REQUIRE(job.files.close(job.files.open("d/" + std::to_string(i), read_write_create)) == 0);
    REQUIRE(job.files.open("one more", read_write_create) == linux_error::no_space);
    REQUIRE(job.files.open("d/7", open_flag::read_write) >= 0);
    REQUIRE(job.store.unlink("d/8") == 0);
    REQUIRE(job.files.open("one more", read_write_create) >= 0);
}

TEST_CASE("a full arena is an error and leaves the file as it was")
{
    Job job;
    const long file = job.files.open("f", read_write_create);
    job.arena.limit = job.arena.used + 5 * 4096;
    const std::string large(40'000, 'l');
    REQUIRE(job.files.write(file, bytes_of(large)) == linux_error::no_memory);
    REQUIRE(job.store.status("f").bytes == 0);
    REQUIRE(job.files.write(file, bytes_of("fits")) == 4);
}

TEST_CASE("descriptors are the lowest free ones, duplicates share an offset, and there is an end of them")
{
    Job job;
    const long first = job.files.open("f", read_write_create);
    const long copy = job.files.duplicate(first, 10);
    REQUIRE(copy == 10);
    REQUIRE(job.files.write(first, bytes_of("abc")) == 3);
    REQUIRE(job.files.seek(copy, 0, Seek::current) == 3);
    REQUIRE(job.files.close(first) == 0);
    REQUIRE(job.files.write(copy, bytes_of("d")) == 1);
    REQUIRE(job.files.duplicate_to(copy, 1) == 1);
    REQUIRE(job.files.write(1, bytes_of("e")) == 1);
    REQUIRE(job.store.status("f").bytes == 5);
    long last = 0;
    while ((last = job.files.open("f", open_flag::read_only)) >= 0)
        REQUIRE(last != 10);
    REQUIRE(last == linux_error::too_many_open);
    REQUIRE(job.files.close(-1) == linux_error::bad_file);
    REQUIRE(job.files.close(1000) == linux_error::bad_file);
    job.files.close_all();
    job.files.close_all();
    REQUIRE(job.store.unlink("f") == 0);
}
