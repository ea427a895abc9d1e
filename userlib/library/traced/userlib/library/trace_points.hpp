// SPDX-License-Identifier: MIT
// In a traced library: calls of the table. As userlib/library/trace_points.hpp.
#pragma once

#include "userlib/library/traced/area.hpp"

namespace parley::library::trace {

inline constexpr bool watches = true;

class Inside {
public:
    explicit Inside(unsigned endpoint) : buffer_(buffer_of(endpoint))
    {
        if (buffer_ != nullptr)
            buffer_->time_use.enter(platform::cycles());
    }
    ~Inside()
    {
        if (buffer_ != nullptr)
            buffer_->time_use.leave(platform::cycles());
    }
    Inside(const Inside&) = delete;

private:
    TraceBuffer* buffer_;
};

} // namespace parley::library::trace
