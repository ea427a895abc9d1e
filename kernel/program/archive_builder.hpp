// SPDX-License-Identifier: MIT
// For host tests: makes a newc archive in memory.
#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace parley::kernel::testing {

class ArchiveBuilder {
public:
    ArchiveBuilder& file(std::string_view path, std::string_view contents)
    {
        return entry(path, contents, 0100644);
    }
    ArchiveBuilder& folder(std::string_view path) { return entry(path, {}, 0040755); }
    // The bytes stay valid as long as the builder.
    std::span<const std::byte> finish()
    {
        entry("TRAILER!!!", {}, 0);
        while (bytes_.size() > end_)
            bytes_.pop_back();
        return std::as_bytes(std::span(bytes_));
    }

private:
    ArchiveBuilder& entry(std::string_view path, std::string_view contents, unsigned mode)
    {
        const unsigned fields[] = {++number_,
                                   mode,
                                   0,
                                   0,
                                   1,
                                   0,
                                   static_cast<unsigned>(contents.size()),
                                   0,
                                   0,
                                   0,
                                   0,
                                   static_cast<unsigned>(path.size() + 1),
                                   0};
        bytes_ += "070701";
        for (const unsigned field : fields) {
            char digits[9];
            std::snprintf(digits, sizeof digits, "%08x", field);
            bytes_ += digits;
        }
        bytes_ += path;
        bytes_ += '\0';
        end_ = bytes_.size();
        pad();
        bytes_ += contents;
        pad();
        return *this;
    }
    void pad() { bytes_.resize((bytes_.size() + 3) / 4 * 4, '\0'); }

    std::string bytes_;
    std::size_t end_ = 0;
    unsigned number_ = 0;
};

} // namespace parley::kernel::testing
