// SPDX-License-Identifier: MIT
// A CarryingPort of whose entries every so many are void, as if their senders' bytes could not be copied:
// what takers pass over is met all the time.
#pragma once

#include "base/leaf_argument.hpp"
#include "messaging/port/carrying/carrying.hpp"

#include <string_view>

namespace parley::messaging {

class VoidEveryPort final : public Port {
public:
    static constexpr std::string_view name = "void-every";
    static constexpr std::string_view promise = "as carrying, and of so many entries one is void";
    static constexpr LeafArgument arguments[] = {
        {"entries", "of so many entries one is void", units::number, 2, 1000, 2},
    };

    explicit VoidEveryPort(const LeafValues& values) : every_(static_cast<std::uint32_t>(values[0])) { }

    std::uint32_t room() const override { return inner_.room(); }
    bool put(unsigned caller, Envelope envelope, MessageMemory* memory) override
    {
        leave_void(caller);
        return inner_.put(caller, envelope, memory);
    }
    Result<bool> put_bytes(unsigned caller, Envelope envelope, const Source& source) override
    {
        leave_void(caller);
        return inner_.put_bytes(caller, envelope, source);
    }
    Taken take(unsigned looks) override { return inner_.take(looks); }
    Message* hold(const Taken& taken) override { return inner_.hold(taken); }
    void release(const Taken& taken) override { inner_.release(taken); }
    bool leave(unsigned caller) override { return inner_.leave(caller); }

private:
    class NoBytes final : public Source {
    public:
        Result<void> fill(std::byte*) const override { return std::unexpected(Error::bad_buffer); }
    };

    // What is put here takes the other entries.
    void leave_void(unsigned caller)
    {
        if (puts_.fetch_add(1, std::memory_order_relaxed) % (every_ - 1) == 0)
            (void)inner_.put_bytes(caller, Envelope(), NoBytes());
    }

    const std::uint32_t every_;
    Atomic<std::uint32_t> puts_{0};
    CarryingPort inner_;
};

} // namespace parley::messaging
