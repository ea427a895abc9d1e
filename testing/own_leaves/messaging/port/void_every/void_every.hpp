// SPDX-License-Identifier: MIT
// A port of the tree of whose entries every so many are void, as if their senders' bytes could not be copied:
// what takers pass over is met all the time. Which port it is, a design says by its number in TreePortLeaves,
// which stands in front of this in messaging/leaves.hpp; so only that is included.
#pragma once

#include "base/leaf_argument.hpp"
#include "messaging/design/leaf_arguments.hpp"
#include "messaging/port.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>

namespace parley::messaging {

// The number of the port of that name; a number that no port has, where there is none.
constexpr std::size_t number_of_port(std::string_view name)
{
    std::size_t number = 0, found = TreePortLeaves::size;
    TreePortLeaves::for_each([&]<class P>() {
        if (P::name == name)
            found = number;
        ++number;
    });
    return found;
}

class VoidEveryPort final : public Port {
public:
    static constexpr std::string_view name = "void-every";
    static constexpr std::string_view promise = "as a port of the tree, and of so many entries one is void";
    static constexpr LeafArgument arguments[] = {
        {"entries", "of so many entries one is void", units::number, 2, 1000, 2},
        {"port", "number of the port that has the rest", units::number, 0, TreePortLeaves::size - 1,
         std::min(number_of_port("carrying"), TreePortLeaves::size - 1)},
    };

    VoidEveryPort(const PortParts& parts, const LeafValues& values)
        : every_(static_cast<std::uint32_t>(values[0])), inner_(*make(parts, values[1]))
    {
    }

    std::uint32_t room() const override { return inner_.room(); }
    bool put(unsigned caller, Envelope envelope, MessageMemory* memory) override
    {
        leave_void(caller);
        return inner_.put(caller, envelope, memory);
    }
    Put put_bytes(unsigned caller, Envelope envelope, const Source& source) override
    {
        leave_void(caller);
        return inner_.put_bytes(caller, envelope, source);
    }
    Taken take(MailboxHeld held, unsigned looks) override { return inner_.take(held, looks); }
    Message* hold(MailboxHeld held, const Taken& taken) override { return inner_.hold(held, taken); }
    void release(const Taken& taken) override { inner_.release(taken); }
    bool leave(unsigned caller) override { return inner_.leave(caller); }
    void clear(MailboxHeld held) override { inner_.clear(held); }

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

    Port* make(const PortParts& parts, std::uint64_t wanted)
    {
        Port* made = nullptr;
        std::uint64_t number = 0;
        TreePortLeaves::for_each([&]<class P>() {
            if (number++ != wanted)
                return;
            if constexpr (std::is_constructible_v<P, PortParts>)
                made = new (place_) P(parts);
            else if constexpr (std::is_constructible_v<P, PortParts, LeafValues>)
                made = new (place_) P(parts, completed(arguments_of<P>()));
            else
                made = new (place_) P;
        });
        return made;
    }

    static constexpr std::size_t largest = [] {
        std::size_t bytes = 0;
        TreePortLeaves::for_each([&]<class P>() { bytes = std::max(bytes, sizeof(P)); });
        return bytes;
    }();

    alignas(128) std::byte place_[largest]; // of the inner port
    const std::uint32_t every_;
    Atomic<std::uint32_t> puts_{0};
    Port& inner_;
};

} // namespace parley::messaging
