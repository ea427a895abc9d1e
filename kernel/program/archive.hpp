// SPDX-License-Identifier: MIT
// The archive that brings everything into the machine: newc cpio, read in place. open() checks the whole of
// it once, since it comes from outside; afterwards nothing can fail. Only regular files are seen; "./x" and
// "/x" are named "x".
#pragma once

#include "kernel/program/failure.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace parley::kernel {

struct ArchiveFile {
    std::string_view path;
    std::span<const std::byte> bytes;
};

class Archive {
public:
    Archive() = default;
    // The bytes must stay where they are for as long as the archive or a view into it is used.
    static Loaded<Archive> open(std::span<const std::byte> bytes);

    std::optional<ArchiveFile> find(std::string_view path) const;

    // Calls visit(const ArchiveFile&) for every file whose path starts with `prefix`, in the archive's order.
    template <class Visit>
    void each(std::string_view prefix, Visit visit) const
    {
        std::size_t offset = 0;
        ArchiveFile file;
        while (next(offset, file)) {
            if (file.path.starts_with(prefix))
                visit(static_cast<const ArchiveFile&>(file));
        }
    }

private:
    explicit Archive(std::span<const std::byte> bytes) : bytes_(bytes) { }
    bool next(std::size_t& offset, ArchiveFile& file) const;

    std::span<const std::byte> bytes_;
};

inline std::string_view as_text(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace parley::kernel
