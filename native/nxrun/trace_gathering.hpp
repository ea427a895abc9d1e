// SPDX-License-Identifier: MIT
// Puts together what was written down on other machines, on the first one and once all ranks have ended. Each
// machine is asked for one piece after the other, so that at most one packet a machine is on its way. A
// machine that does not answer for a while is not waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::native {

class TraceGathering {
public:
    // It is over after so many `looks` in a row without a piece.
    TraceGathering(unsigned machines, unsigned looks) : parts_(machines), looks_(looks), left_(machines - 1)
    {
    }

    // Adds a machine's bytes from `from` on, of `total`. The result is where the next piece begins that is to
    // be asked for; none: that was the last piece, or not the one that was asked for.
    std::optional<std::uint64_t> add(unsigned machine, std::uint64_t from, std::uint64_t total,
                                     std::string_view piece)
    {
        if (machine == 0 || machine >= parts_.size())
            return {};
        Part& part = parts_[machine];
        if (is_over() || part.is_whole || from != part.bytes.size() || piece.empty() ||
            piece.size() > total - from)
            return {};
        waited_ = 0;
        const auto* const bytes = reinterpret_cast<const std::byte*>(piece.data());
        part.bytes.insert(part.bytes.end(), bytes, bytes + piece.size());
        if (part.bytes.size() < total)
            return part.bytes.size();
        part.is_whole = true;
        --left_;
        return {};
    }

    // Counts a look. True: there is no more time, and it is over.
    bool look()
    {
        if (++waited_ >= looks_)
            left_ = 0;
        return is_over();
    }
    bool is_over() const { return left_ == 0; }

    // A machine's bytes, which its caller has from now on; empty: they have not all come.
    std::vector<std::byte> take(unsigned machine)
    {
        return parts_[machine].is_whole ? std::move(parts_[machine].bytes) : std::vector<std::byte>{};
    }

private:
    struct Part {
        std::vector<std::byte> bytes{};
        bool is_whole = false;
    };

    std::vector<Part> parts_; // by machine; the first one's stays empty
    const unsigned looks_;
    unsigned waited_ = 0;
    unsigned left_;
};

} // namespace parley::native
