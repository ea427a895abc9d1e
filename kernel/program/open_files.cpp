// SPDX-License-Identifier: MIT
#include "kernel/program/open_files.hpp"

#include <algorithm>
#include <cstring>

namespace parley::kernel {

namespace {

bool has(long flags, long flag) { return (flags & flag) != 0; }

} // namespace

OpenFiles::OpenFiles(FileStore& store, const StandardStreams& streams) : store_(store), streams_(streams)
{
    constexpr struct {
        Stream stream;
        long flags;
    } standard[] = {{Stream::input, open_flag::read_only},
                    {Stream::output, open_flag::write_only},
                    {Stream::error, open_flag::write_only}};
    for (std::size_t index = 0; index < 3; ++index) {
        descriptions_[index] = {.stream = standard[index].stream, .flags = standard[index].flags, .users = 1};
        descriptors_[index] = &descriptions_[index];
    }
}

void OpenFiles::close_all()
{
    for (std::size_t descriptor = 0; descriptor < max_open; ++descriptor)
        close(static_cast<long>(descriptor));
}

std::expected<Path, LinuxValue> OpenFiles::resolve(std::string_view path) const
{
    return Path::from(path, folder_.view());
}

LinuxValue OpenFiles::change_folder(std::string_view path)
{
    const auto wanted = resolve(path);
    if (!wanted)
        return wanted.error();
    const FileKind kind = store_.status(wanted->view()).kind;
    if (kind == FileKind::regular || kind == FileKind::beyond_file)
        return linux_error::not_directory;
    folder_ = *wanted;
    return 0;
}

LinuxValue OpenFiles::open(std::string_view path, long flags)
{
    const auto free = std::find_if(descriptions_.begin(), descriptions_.end(),
                                   [](const Description& description) { return description.users == 0; });
    const bool full = std::find(descriptors_.begin(), descriptors_.end(), nullptr) == descriptors_.end();
    if (free == descriptions_.end() || full)
        return linux_error::too_many_open;
    if ((flags & open_flag::access_mode) == open_flag::access_mode)
        return linux_error::invalid;
    const auto normal = resolve(path);
    if (!normal)
        return normal.error();
    Description opened{.flags = flags};
    if (normal->view() == "dev/null") {
        opened.stream = Stream::null;
    } else {
        const auto file = store_.open(normal->view(), {.create = has(flags, open_flag::create),
                                                       .exclusive = has(flags, open_flag::exclusive),
                                                       .truncate = has(flags, open_flag::truncate),
                                                       .writable = opened.writable()});
        if (!file)
            return file.error();
        opened.stream = Stream::file;
        opened.file = *file;
    }
    *free = opened;
    return install(0, *free);
}

LinuxValue OpenFiles::close(long descriptor)
{
    Description* description = find(descriptor);
    if (description == nullptr)
        return linux_error::bad_file;
    descriptors_[static_cast<std::size_t>(descriptor)] = nullptr;
    if (--description->users == 0 && description->stream == Stream::file)
        store_.close(*description->file);
    return 0;
}

LinuxValue OpenFiles::duplicate(long descriptor, std::size_t lowest)
{
    Description* description = find(descriptor);
    return description == nullptr ? linux_error::bad_file : install(lowest, *description);
}

LinuxValue OpenFiles::duplicate_to(long descriptor, long wanted)
{
    Description* description = find(descriptor);
    if (description == nullptr || wanted < 0 || static_cast<std::size_t>(wanted) >= max_open)
        return linux_error::bad_file;
    if (descriptor != wanted) {
        close(wanted);
        install(static_cast<std::size_t>(wanted), *description);
    }
    return wanted;
}

LinuxValue OpenFiles::read(long descriptor, std::span<std::byte> into)
{
    Description* description = find(descriptor);
    if (description == nullptr || !description->readable())
        return linux_error::bad_file;
    std::size_t bytes = 0;
    if (description->stream == Stream::input && streams_.input != nullptr)
        bytes = streams_.input->read(into);
    else if (description->stream == Stream::file)
        bytes = store_.read(*description->file, description->offset, into);
    description->offset += bytes;
    return static_cast<LinuxValue>(bytes);
}

LinuxValue OpenFiles::write(long descriptor, std::span<const std::byte> from)
{
    Description* description = find(descriptor);
    if (description == nullptr || !description->writable())
        return linux_error::bad_file;
    if (description->stream != Stream::file) {
        if (description->stream == Stream::output)
            streams_.output.append(as_text(from));
        else if (description->stream == Stream::error)
            streams_.error.append(as_text(from));
        return static_cast<LinuxValue>(from.size());
    }
    const LinuxValue written = has(description->flags, open_flag::append)
                                   ? store_.append(*description->file, description->offset, from)
                                   : store_.write(*description->file, description->offset, from);
    if (written > 0)
        description->offset += static_cast<std::size_t>(written);
    return written;
}

LinuxValue OpenFiles::read_at(long descriptor, std::size_t offset, std::span<std::byte> into)
{
    Description* description = find(descriptor);
    if (description == nullptr || !description->readable())
        return linux_error::bad_file;
    if (description->stream != Stream::file)
        return linux_error::illegal_seek;
    return static_cast<LinuxValue>(store_.read(*description->file, offset, into));
}

LinuxValue OpenFiles::write_at(long descriptor, std::size_t offset, std::span<const std::byte> from)
{
    Description* description = find(descriptor);
    if (description == nullptr || !description->writable())
        return linux_error::bad_file;
    if (description->stream != Stream::file)
        return linux_error::illegal_seek;
    return store_.write(*description->file, offset, from);
}

LinuxValue OpenFiles::seek(long descriptor, long offset, Seek origin)
{
    Description* description = find(descriptor);
    if (description == nullptr)
        return linux_error::bad_file;
    if (description->stream != Stream::file)
        return linux_error::illegal_seek;
    long base = 0;
    switch (origin) {
    case Seek::set: break;
    case Seek::current: base = static_cast<long>(description->offset); break;
    case Seek::end: base = static_cast<long>(store_.status(*description->file).bytes); break;
    default: return linux_error::invalid;
    }
    long target = 0;
    if (__builtin_add_overflow(base, offset, &target) || target < 0)
        return linux_error::invalid;
    description->offset = static_cast<std::size_t>(target);
    return target;
}

LinuxValue OpenFiles::resize(long descriptor, long bytes)
{
    Description* description = find(descriptor);
    if (description == nullptr)
        return linux_error::bad_file;
    if (description->stream != Stream::file || !description->writable() || bytes < 0)
        return linux_error::invalid;
    return store_.resize(*description->file, static_cast<std::size_t>(bytes));
}

std::expected<OpenStatus, LinuxValue> OpenFiles::status(long descriptor)
{
    Description* description = find(descriptor);
    if (description == nullptr)
        return std::unexpected(linux_error::bad_file);
    OpenStatus status{description->stream, {}};
    if (description->stream == Stream::file)
        status.file = store_.status(*description->file);
    return status;
}

LinuxValue OpenFiles::flags(long descriptor)
{
    const Description* description = find(descriptor);
    return description == nullptr ? linux_error::bad_file
                                  : description->flags & (open_flag::access_mode | open_flag::append);
}

LinuxValue OpenFiles::set_flags(long descriptor, long flags)
{
    Description* description = find(descriptor);
    if (description == nullptr)
        return linux_error::bad_file;
    description->flags = (description->flags & ~open_flag::append) | (flags & open_flag::append);
    return 0;
}

OpenFiles::Description* OpenFiles::find(long descriptor)
{
    const auto index = static_cast<std::size_t>(descriptor);
    return index < max_open ? descriptors_[index] : nullptr;
}

LinuxValue OpenFiles::install(std::size_t lowest, Description& description)
{
    for (std::size_t descriptor = lowest; descriptor < max_open; ++descriptor) {
        if (descriptors_[descriptor] == nullptr) {
            descriptors_[descriptor] = &description;
            ++description.users;
            return static_cast<LinuxValue>(descriptor);
        }
    }
    return linux_error::too_many_open;
}

} // namespace parley::kernel
