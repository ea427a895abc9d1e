// SPDX-License-Identifier: MIT
// The processes of a job are two groups, those with even and those with odd numbers, and a pipe joins them
// that loses, repeats and reorders packets. A delivery process at each end sees to it that messages come out
// once and in order.
//
// What is meant for a group is given to the end far from it, and crosses; what comes from a process of the
// same group is delivered from there. So one sender's messages to one destination always take one way.
#pragma once

#include "base/leaf_argument.hpp"
#include "interface/capabilities.h"
#include "messaging/message/message.hpp"
#include "messaging/transport.hpp"
#include "testing/own_leaves/messaging/transport/pipe/end.hpp"

#include <string_view>

namespace parley::messaging {

class PipeTransport final : public Transport {
public:
    static constexpr std::string_view name = "pipe";
    static constexpr std::string_view promise =
        "two groups of processes, joined by a pipe that may lose, repeat and reorder packets";
    static constexpr unsigned capabilities = NX_MESSAGES_ARE_CARRIED;
    static constexpr unsigned helpers = 2;
    static constexpr LeafArgument arguments[] = {
        {"seed", "what is lost, repeated and late follows from it", units::number, 0, 0xffff'ffff, 1},
        {"lost", "packets of a hundred that are lost", units::number, 0, 30, 10},
        {"repeated", "packets of a hundred that come twice", units::number, 0, 30, 10},
        {"late", "packets of a hundred that come after the next", units::number, 0, 30, 10},
    };

    explicit PipeTransport(const LeafValues& values) : PipeTransport(faults(values)) { }

    void bind(Binding& binding) const override { binding.send_nothing_eagerly(); }
    unsigned route(unsigned, unsigned destination, const Layout& layout) const override
    {
        return layout.first_helper() + other(parity_of(destination));
    }

    // Helps as long as a process lives, or a message is on its way in either direction.
    Result<void> help(Helper& helper) override
    {
        const unsigned self = helper.number();
        pipe::PipeEnd& end = ends_[self];
        for (;;) {
            const std::uint32_t seen = helper.sequence();
            const bool may_come = !helper.all_have_ended();
            end.listen();
            while (Message* const message = end.receive())
                TRY_VOID(deliver(helper, *message));
            const bool has_taken = TRY(take(helper, end));
            if (end.transmit())
                helper.wake(other(self));
            if (has_taken)
                continue;
            if (!may_come && end.has_sent_all() && has_finished(helper, self))
                return {};
            TRY_VOID(helper.wait(seen));
        }
    }

private:
    explicit PipeTransport(const pipe::PipeFaults& faults) : lines_{{faults, 0}, {faults, 1}} { }

    static pipe::PipeFaults faults(const LeafValues& values)
    {
        return {values[0], values[1], values[2], values[3]};
    }
    static Result<void> deliver(Helper& helper, Message& message)
    {
        helper.relay(message);
        return helper.put(message);
    }
    static unsigned parity_of(unsigned endpoint) { return endpoint % 2; }
    static unsigned other(unsigned group) { return 1 - group; }

    // A message that processes have given to this end, if it has room for one.
    Result<bool> take(Helper& helper, pipe::PipeEnd& end)
    {
        if (!end.has_room())
            return false;
        Message* const message = TRY(helper.next());
        if (message == nullptr)
            return false;
        if (parity_of(message->source()) == parity_of(message->destination))
            TRY_VOID(deliver(helper, *message));
        else
            end.put(*message);
        return true;
    }

    // This end has finished. Answers whether the other end has, too; until then that needs our answers.
    bool has_finished(Helper& helper, unsigned self)
    {
        if (finished_[self].exchange(1, std::memory_order_acq_rel) == 0)
            helper.wake(other(self));
        return finished_[other(self)].load(std::memory_order_acquire) != 0;
    }

    pipe::PipeLine lines_[2]; // out of the end of that number
    pipe::PipeEnd ends_[2] = {{lines_[0], lines_[1]}, {lines_[1], lines_[0]}};
    Atomic<std::uint32_t> finished_[2] = {};
};

} // namespace parley::messaging
