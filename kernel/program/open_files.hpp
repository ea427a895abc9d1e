// SPDX-License-Identifier: MIT
// A process's open files: descriptors 0, 1 and 2 are standard input, output and error, the others files of
// the job's store or /dev/null. Knows offsets and modes, works on the kernel's memory only. Used by one
// process at a time.
#pragma once

#include "kernel/program/file_store.hpp"
#include "kernel/program/line_output.hpp"
#include "kernel/program/path.hpp"
#include "kernel/program/standard_input.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace parley::kernel {

struct StandardStreams {
    StandardInput* input; // null: end of file at once
    LineOutput& output;
    LineOutput& error;
};

enum class Stream : std::uint8_t { closed, input, output, error, null, file };

// What fstat tells: a character device for streams.
struct OpenStatus {
    Stream stream;
    FileStatus file; // only for Stream::file
};

// As Linux numbers them.
enum class Seek : int { set = 0, current = 1, end = 2 };
namespace open_flag {
inline constexpr long access_mode = 03, read_only = 0, write_only = 01, read_write = 02, create = 0100,
                      exclusive = 0200, truncate = 01000, append = 02000, directory = 0200000,
                      close_on_exec = 02000000;
}

class OpenFiles {
public:
    static constexpr std::size_t max_open = 128;

    OpenFiles(FileStore& store, const StandardStreams& streams);
    OpenFiles(const OpenFiles&) = delete;
    // Gives the store's files back; for the end of the process. Harmless when done twice.
    void close_all();

    // A path as the program writes it, from its working folder.
    std::expected<Path, LinuxValue> resolve(std::string_view path) const;
    std::string_view folder() const { return folder_.view(); }
    // Folders exist by their files, so one without files may be entered too: a file written there makes it.
    LinuxValue change_folder(std::string_view path);

    LinuxValue open(std::string_view path, long flags);
    LinuxValue close(long descriptor);
    LinuxValue duplicate(long descriptor, std::size_t lowest);
    LinuxValue duplicate_to(long descriptor, long wanted);

    LinuxValue read(long descriptor, std::span<std::byte> into);
    LinuxValue write(long descriptor, std::span<const std::byte> from);
    LinuxValue read_at(long descriptor, std::size_t offset, std::span<std::byte> into);
    LinuxValue write_at(long descriptor, std::size_t offset, std::span<const std::byte> from);
    LinuxValue seek(long descriptor, long offset, Seek origin);
    LinuxValue resize(long descriptor, long bytes);

    std::expected<OpenStatus, LinuxValue> status(long descriptor);
    LinuxValue flags(long descriptor);
    // Only the flag `append` can change.
    LinuxValue set_flags(long descriptor, long flags);
    FileStore& store() { return store_; }

private:
    // What descriptors that are duplicates of each other share.
    struct Description {
        Stream stream = Stream::closed;
        File* file = nullptr;
        std::size_t offset = 0;
        long flags = 0;
        unsigned users = 0;

        bool readable() const { return (flags & open_flag::access_mode) != open_flag::write_only; }
        bool writable() const { return (flags & open_flag::access_mode) != open_flag::read_only; }
    };
    Description* find(long descriptor);
    LinuxValue install(std::size_t lowest, Description& description);

    FileStore& store_;
    StandardStreams streams_;
    Path folder_;
    std::array<Description, max_open> descriptions_{};
    std::array<Description*, max_open> descriptors_{};
};

} // namespace parley::kernel
