// SPDX-License-Identifier: MIT
// A job's files, shared by its processes: paths are plain texts under the working directory, folders exist by
// being in a path. Originals are read where the archive has them; what is changed is copied. Safe from
// several processors; no user memory is touched in here, since that may fault. A file lives on while it is
// open, also when it was unlinked.
#pragma once

#include "base/spin_lock.hpp"
#include "kernel/program/archive.hpp"
#include "kernel/program/chunk_tree.hpp"
#include "kernel/program/linux_errno.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace parley::kernel {

// One file's record; only the store looks inside.
class File {
public:
    static constexpr std::size_t max_path = 255;

private:
    friend class FileStore;
    File* next = nullptr;
    ChunkTree contents;
    std::size_t bytes = 0;
    std::uint64_t number = 0;
    unsigned opens = 0;
    bool linked = true;
    bool changed = false;
    std::size_t path_length = 0;
    char path[max_path];
};

enum class FileKind : std::uint8_t { none, regular, folder, beyond_file /* a file is used as a folder */ };

struct FileStatus {
    FileKind kind;
    std::uint64_t number;
    std::size_t bytes;
};

// How open() treats a path that is or is not there; the flags of Linux that matter to the store.
struct OpenMode {
    bool create = false;
    bool exclusive = false;
    bool truncate = false;
    bool writable = false;
};

class FileStore {
public:
    explicit FileStore(Arena& arena) : arena_(arena), pool_(arena) { }
    FileStore(const FileStore&) = delete;

    // Adds a file of the archive; the texts and bytes must outlive the store.
    Result<void> add_original(std::string_view path, std::span<const std::byte> bytes);
    // Adds all of the archive's files under `prefix`, named by what follows it.
    Result<void> add_originals(const Archive& archive, std::string_view prefix);

    // How many files programs may make, so that looking for one ends soon: one more is refused (ENOSPC).
    static constexpr std::size_t max_files = 4096;

    // Paths below are normal ones (path.hpp). An error is minus its number in Linux.

    // Opens a file, which must be closed. `mode` says what becomes of a file that is there or is not.
    std::expected<File*, LinuxValue> open(std::string_view path, OpenMode mode);
    void close(File& file);
    void keep(File& file); // one more close() will come
    // What is at the path, of what size; of kind `none` where nothing is.
    FileStatus status(std::string_view path);
    FileStatus status(File& file);
    // Takes the name away; the file goes when nobody has it open.
    LinuxValue unlink(std::string_view path);
    // Takes the place of a file that has the new name. Folders cannot be renamed.
    LinuxValue rename(std::string_view path, std::string_view wanted);

    // Answers how many bytes were there.
    std::size_t read(File& file, std::size_t offset, std::span<std::byte> into);
    // Answers how many bytes were written, which are all. Errors: EFBIG, ENOMEM; the size is as it was then.
    LinuxValue write(File& file, std::size_t offset, std::span<const std::byte> from);
    // Writes at the file's end, wherever that is by now, and moves `offset` there.
    LinuxValue append(File& file, std::size_t& offset, std::span<const std::byte> from);
    // Cuts the file off, or lets it go on with zeroes, to so many bytes.
    LinuxValue resize(File& file, std::size_t bytes);

    // Files that were created or changed, for the run's record: the first one after null, null after the
    // last. The caller has ended the job's processes: no file may go away in between.
    File* next_changed(const File* after);
    // Where a file has contents at `offset` or next behind it; its size: there are only holes.
    std::size_t next_stored(File& file, std::size_t offset);
    static std::string_view path(const File& file) { return {file.path, file.path_length}; }

private:
    File* find(std::string_view path) REQUIRES(lock_);
    FileStatus status_locked(std::string_view path) REQUIRES(lock_);
    LinuxValue unlink_locked(std::string_view path) REQUIRES(lock_);
    Result<File*> create(std::string_view path) REQUIRES(lock_);
    LinuxValue write_locked(File& file, std::size_t offset, std::span<const std::byte> from) REQUIRES(lock_);
    LinuxValue resize_locked(File& file, std::size_t bytes) REQUIRES(lock_);
    void drop_if_unused(File& file) REQUIRES(lock_);

    SpinLock lock_;
    Arena& arena_;
    ChunkPool pool_ GUARDED_BY(lock_);
    File* first_ GUARDED_BY(lock_) = nullptr;
    File* spare_ GUARDED_BY(lock_) = nullptr;
    std::uint64_t last_number_ GUARDED_BY(lock_) = 0;
    std::size_t count_ GUARDED_BY(lock_) = 0;
};

} // namespace parley::kernel
