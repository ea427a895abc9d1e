// SPDX-License-Identifier: MIT
#include "kernel/program/archive.hpp"

#include "base/address.hpp"

#include <cstdint>

namespace parley::kernel {

namespace {

constexpr std::size_t header_bytes = 110;
constexpr std::size_t unit = 4; // names and contents start at multiples of it
constexpr std::string_view trailer = "TRAILER!!!";

// Where the eight hexadecimal digits of a field start in the header.
enum Field : std::size_t { mode = 14, file_size = 54, name_size = 94 };

struct Entry {
    std::string_view path;
    std::span<const std::byte> bytes;
    std::size_t next;
    bool regular;
    bool last;
};

std::optional<std::uint32_t> hexadecimal(std::string_view header, Field field)
{
    std::uint32_t value = 0;
    for (std::size_t digit = 0; digit < 8; ++digit) {
        const char character = header[field + digit];
        if (character >= '0' && character <= '9')
            value = value * 16 + static_cast<std::uint32_t>(character - '0');
        else if ((character | 0x20) >= 'a' && (character | 0x20) <= 'f')
            value = value * 16 + static_cast<std::uint32_t>((character | 0x20) - 'a' + 10);
        else
            return std::nullopt;
    }
    return value;
}

std::string_view plain(std::string_view path)
{
    while (path.starts_with("./"))
        path.remove_prefix(2);
    while (path.starts_with('/'))
        path.remove_prefix(1);
    return path;
}

Loaded<Entry> entry_at(std::span<const std::byte> archive, std::size_t offset)
{
    constexpr auto error = Error::bad_argument;
    if (offset > archive.size() || archive.size() - offset < header_bytes)
        return refuse("the archive ends before its trailer", error);
    const auto header = as_text(archive.subspan(offset, header_bytes));
    if (!header.starts_with("070701") && !header.starts_with("070702"))
        return refuse("this is not an archive of cpio's newc format", error);
    const auto mode_bits = hexadecimal(header, mode);
    const auto content = hexadecimal(header, file_size);
    const auto name = hexadecimal(header, name_size);
    if (!mode_bits || !content || !name)
        return refuse("a number in the archive is not hexadecimal", error);
    const std::size_t name_start = offset + header_bytes;
    if (*name == 0 || *name > archive.size() - name_start)
        return refuse("a file name does not lie inside the archive", error);
    if (archive[name_start + *name - 1] != std::byte{0})
        return refuse("a file name in the archive does not end", error);
    const std::string_view path(as_text(archive.subspan(name_start, *name - 1)));
    if (path == trailer)
        return Entry{path, {}, name_start + *name, false, true};
    const std::size_t start = round_up(name_start + *name, unit);
    if (start > archive.size() || *content > archive.size() - start)
        return refuse("a file's contents do not lie inside the archive", error);
    const bool regular = (*mode_bits & 0170000u) == 0100000u;
    return Entry{plain(path), archive.subspan(start, *content), round_up(start + *content, unit), regular,
                 false};
}

} // namespace

Loaded<Archive> Archive::open(std::span<const std::byte> bytes)
{
    std::size_t offset = 0;
    for (;;) {
        const Entry entry = TRY(entry_at(bytes, offset));
        if (entry.last)
            return Archive(bytes.first(entry.next));
        offset = entry.next;
    }
}

std::optional<ArchiveFile> Archive::find(std::string_view path) const
{
    std::size_t offset = 0;
    ArchiveFile file;
    while (next(offset, file)) {
        if (file.path == path)
            return file;
    }
    return std::nullopt;
}

bool Archive::next(std::size_t& offset, ArchiveFile& file) const
{
    while (offset < bytes_.size()) {
        const auto entry = entry_at(bytes_, offset);
        if (!entry || entry->last)
            break;
        offset = entry->next;
        if (entry->regular) {
            file = {entry->path, entry->bytes};
            return true;
        }
    }
    return false;
}

} // namespace parley::kernel
