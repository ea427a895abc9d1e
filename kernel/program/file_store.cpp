// SPDX-License-Identifier: MIT
#include "kernel/program/file_store.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace parley::kernel {

namespace {

// C libraries look whether it is there before they make a file in it.
constexpr std::string_view temporary_folder = "tmp";

bool is_below(std::string_view path, std::string_view folder)
{
    return folder.empty() ||
           (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/');
}

} // namespace

Result<void> FileStore::add_original(std::string_view path, std::span<const std::byte> bytes)
{
    LockGuard guard(lock_);
    File* file = TRY(create(path));
    file->contents = ChunkTree(bytes);
    file->bytes = bytes.size();
    return {};
}

Result<void> FileStore::add_originals(const Archive& archive, std::string_view prefix)
{
    Result<void> result;
    archive.each(prefix, [&](const ArchiveFile& file) {
        std::string_view path = file.path;
        path.remove_prefix(prefix.size());
        if (result && !path.empty())
            result = add_original(path, file.bytes);
    });
    return result;
}

std::expected<File*, LinuxValue> FileStore::open(std::string_view path, OpenMode mode)
{
    LockGuard guard(lock_);
    const FileKind kind = status_locked(path).kind;
    if (kind == FileKind::folder)
        return std::unexpected(linux_error::is_directory);
    if (kind == FileKind::beyond_file)
        return std::unexpected(linux_error::not_directory);
    if (kind == FileKind::none && !mode.create)
        return std::unexpected(linux_error::no_entry);
    if (kind == FileKind::regular && mode.create && mode.exclusive)
        return std::unexpected(linux_error::exists);
    File* file = find(path);
    if (file == nullptr) {
        if (count_ >= max_files)
            return std::unexpected(linux_error::no_space);
        const Result<File*> created = create(path);
        if (!created)
            return std::unexpected(linux_value(created.error()));
        file = *created;
        file->changed = true;
    } else if (mode.truncate && mode.writable) {
        resize_locked(*file, 0);
    }
    ++file->opens;
    return file;
}

void FileStore::close(File& file)
{
    LockGuard guard(lock_);
    --file.opens;
    drop_if_unused(file);
}

void FileStore::keep(File& file)
{
    LockGuard guard(lock_);
    ++file.opens;
}

FileStatus FileStore::status(std::string_view path)
{
    LockGuard guard(lock_);
    return status_locked(path);
}

FileStatus FileStore::status(File& file)
{
    LockGuard guard(lock_);
    return {FileKind::regular, file.number, file.bytes};
}

LinuxValue FileStore::unlink(std::string_view path)
{
    LockGuard guard(lock_);
    return unlink_locked(path);
}

LinuxValue FileStore::rename(std::string_view path, std::string_view wanted)
{
    LockGuard guard(lock_);
    const FileKind kind = status_locked(path).kind;
    if (kind != FileKind::regular)
        return kind == FileKind::none ? linux_error::no_entry : linux_error::access;
    const FileKind other = status_locked(wanted).kind;
    if (other == FileKind::folder || other == FileKind::beyond_file)
        return other == FileKind::folder ? linux_error::is_directory : linux_error::not_directory;
    if (path == wanted)
        return 0;
    File& file = *find(path);
    if (other == FileKind::regular)
        unlink_locked(wanted);
    std::memcpy(file.path, wanted.data(), wanted.size());
    file.path_length = wanted.size();
    file.changed = true;
    return 0;
}

LinuxValue FileStore::unlink_locked(std::string_view path)
{
    const FileKind kind = status_locked(path).kind;
    if (kind == FileKind::folder)
        return linux_error::is_directory;
    if (kind != FileKind::regular)
        return kind == FileKind::none ? linux_error::no_entry : linux_error::not_directory;
    File& file = *find(path);
    file.linked = false;
    drop_if_unused(file);
    return 0;
}

std::size_t FileStore::read(File& file, std::size_t offset, std::span<std::byte> into)
{
    LockGuard guard(lock_);
    if (offset >= file.bytes)
        return 0;
    const std::size_t bytes = std::min(into.size(), file.bytes - offset);
    file.contents.read(offset, into.first(bytes));
    return bytes;
}

LinuxValue FileStore::write(File& file, std::size_t offset, std::span<const std::byte> from)
{
    LockGuard guard(lock_);
    return write_locked(file, offset, from);
}

LinuxValue FileStore::append(File& file, std::size_t& offset, std::span<const std::byte> from)
{
    LockGuard guard(lock_);
    offset = file.bytes;
    return write_locked(file, offset, from);
}

LinuxValue FileStore::resize(File& file, std::size_t bytes)
{
    LockGuard guard(lock_);
    return resize_locked(file, bytes);
}

File* FileStore::next_changed(const File* after)
{
    LockGuard guard(lock_);
    File* file = after == nullptr ? first_ : after->next;
    while (file != nullptr && !(file->changed && file->linked))
        file = file->next;
    return file;
}

std::size_t FileStore::next_stored(File& file, std::size_t offset)
{
    LockGuard guard(lock_);
    return std::min(file.contents.next_stored(offset), file.bytes);
}

File* FileStore::find(std::string_view path)
{
    for (File* file = first_; file != nullptr; file = file->next) {
        if (file->linked && FileStore::path(*file) == path)
            return file;
    }
    return nullptr;
}

FileStatus FileStore::status_locked(std::string_view path)
{
    if (const File* file = find(path))
        return {FileKind::regular, file->number, file->bytes};
    const bool always = path.empty() || path == temporary_folder;
    FileKind kind = always ? FileKind::folder : FileKind::none;
    for (const File* file = first_; file != nullptr; file = file->next) {
        if (file->linked && is_below(FileStore::path(*file), path))
            kind = FileKind::folder;
        else if (file->linked && is_below(path, FileStore::path(*file)))
            kind = FileKind::beyond_file;
    }
    return {kind, 0, 0};
}

Result<File*> FileStore::create(std::string_view path)
{
    if (path.size() > File::max_path)
        return std::unexpected(Error::bad_length);
    File* file = spare_;
    if (file != nullptr) {
        spare_ = file->next;
        ::new (file) File;
    } else {
        file = TRY(arena_.create<File>());
    }
    std::memcpy(file->path, path.data(), path.size());
    file->path_length = path.size();
    file->number = ++last_number_;
    file->next = first_;
    first_ = file;
    ++count_;
    return file;
}

LinuxValue FileStore::write_locked(File& file, std::size_t offset, std::span<const std::byte> from)
{
    if (offset > ChunkTree::max_bytes || from.size() > ChunkTree::max_bytes - offset)
        return linux_error::file_too_big;
    const Result<void> written = file.contents.write(pool_, offset, from);
    if (!written) {
        file.contents.cut(pool_, file.bytes); // nothing may show up later behind the end
        return linux_value(written.error());
    }
    file.changed = true;
    file.bytes = std::max(file.bytes, offset + from.size());
    return static_cast<LinuxValue>(from.size());
}

LinuxValue FileStore::resize_locked(File& file, std::size_t bytes)
{
    if (bytes > ChunkTree::max_bytes)
        return linux_error::file_too_big;
    if (bytes < file.bytes)
        file.contents.cut(pool_, bytes);
    file.bytes = bytes;
    file.changed = true;
    return 0;
}

void FileStore::drop_if_unused(File& file)
{
    if (file.linked || file.opens != 0)
        return;
    file.contents.cut(pool_, 0);
    File** link = &first_;
    while (*link != &file)
        link = &(*link)->next;
    *link = file.next;
    file.next = spare_;
    spare_ = &file;
    --count_;
}

} // namespace parley::kernel
