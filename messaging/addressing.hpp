// SPDX-License-Identifier: MIT
// Whom a send is for: nodes and pids as programs name them, and the endpoints that they come to.
#pragma once

#include "messaging/pid_names.hpp"
#include "messaging/rendezvous.hpp"

namespace parley::messaging {

template <class F>
class Addressing : public Rendezvous<F> {
public:
    using typename Rendezvous<F>::EndpointType;
    using Rendezvous<F>::Rendezvous;

protected:
    using Rendezvous<F>::endpoint;
    using Rendezvous<F>::parts_;

    ~Addressing() = default;

    // Where a send goes: `count` endpoints of one pid, from `first` on, without the sender when it is a
    // broadcast.
    struct Destinations {
        unsigned first;
        unsigned last;
        unsigned skipped;
        unsigned count;
    };

    bool is_on_node(const SendArguments& arguments) const
    {
        return static_cast<unsigned long>(arguments.node) < parts_.nodes;
    }

    // The endpoint of node 0 with the pid that is meant. Errors: bad_type, bad_length, bad_process.
    [[gnu::always_inline]] Result<unsigned> check(const SendArguments& arguments)
    {
        if (!is_valid_type(arguments.type)) [[unlikely]]
            return std::unexpected(Error::bad_type);
        if (!is_valid_length(arguments)) [[unlikely]]
            return std::unexpected(Error::bad_length);
        const std::uint64_t first = std::uint64_t{static_cast<std::uint32_t>(arguments.pid())} * parts_.nodes;
        if (first >= parts_.on_nodes) [[unlikely]]
            return names_.find(arguments.pid(), parts_.nodes);
        return static_cast<unsigned>(first);
    }

    // The same for one destination: its endpoint. Errors: also bad_node.
    [[gnu::always_inline]] Result<unsigned> check_single(const SendArguments& arguments)
    {
        if (!is_on_node(arguments)) [[unlikely]]
            return check_host(arguments);
        const unsigned first = TRY(check(arguments));
        return first + static_cast<unsigned>(arguments.node);
    }

    // The same for one or all. Errors: also closed, for a single destination that was killed.
    Result<Destinations> check_all(EndpointType& self, const SendArguments& arguments)
    {
        if (arguments.node == -1) {
            const unsigned first = TRY(check(arguments));
            const unsigned own = first + static_cast<unsigned>(self.stamp.node());
            const bool from_host = self.index >= parts_.on_nodes; // then nobody is left out
            return Destinations{first, first + parts_.nodes, own,
                                from_host ? parts_.nodes : parts_.nodes - 1};
        }
        const unsigned to = TRY(check_single(arguments));
        if (endpoint(to).state() == EndpointState::killed)
            return std::unexpected(Error::closed);
        return Destinations{to, to + 1, to + 1, 1};
    }

    // What the process of this endpoint is known as from now on; its old number still finds it. Errors:
    // bad_process, pid_in_use.
    Result<void> rename(EndpointType& self, std::int32_t pid)
    {
        if (pid < 0)
            return std::unexpected(Error::bad_process);
        if (self.index < parts_.on_nodes && pid != self.stamp.pid())
            TRY_VOID(names_.set(self.index / parts_.nodes, pid, parts_.on_nodes / parts_.nodes));
        self.set_name(self.stamp.node(), pid);
        return {};
    }

    // The endpoint that a send is for when nothing about it is out of the ordinary, else null.
    [[gnu::always_inline]] EndpointType* ordinary_destination(const SendArguments& arguments)
    {
        const std::uint64_t index =
            std::uint64_t{static_cast<std::uint32_t>(arguments.pid())} * parts_.nodes +
            static_cast<std::uint64_t>(arguments.node);
        const bool ordinary = is_on_node(arguments) && index < parts_.on_nodes &&
                              is_valid_type(arguments.type) && is_valid_length(arguments);
        if (!ordinary)
            return nullptr;
        EndpointType& to = endpoint(static_cast<unsigned>(index));
        return to.state() == EndpointState::live ? &to : nullptr;
    }

    static bool is_valid_length(const SendArguments& arguments)
    {
        return static_cast<std::uint64_t>(arguments.length) <= Envelope::longest;
    }

private:
    // A destination that is on no node: the host, which is alone and so has any pid. Errors: also bad_node.
    [[gnu::noinline]] Result<unsigned> check_host(const SendArguments& arguments)
    {
        SendArguments to_node = arguments;
        to_node.to = 0;
        TRY(check(to_node));
        if (arguments.node != static_cast<long>(parts_.nodes) || parts_.processes == parts_.on_nodes)
            return std::unexpected(Error::bad_node);
        return parts_.on_nodes;
    }

    PidNames names_;
};

} // namespace parley::messaging
