// SPDX-License-Identifier: MIT
// The `messages` proxies: the message system of the caller's job, when that is in the kernel. The caller's
// identity comes from its process, never from its arguments.
#include "kernel/job/job.hpp"
#include "kernel/process/proxy_methods.hpp"

namespace parley::kernel {

namespace {

using arch::CallFrame;
using messaging::ReceiveArguments;
using messaging::Received;
using messaging::Reply;
using messaging::SendArguments;

// The call's registers are the arguments, in their order, and the places of what a receive finds: nothing is
// copied.
static_assert(sizeof(SendArguments) == 5 * sizeof(std::uint64_t));
static_assert(sizeof(ReceiveArguments) == 5 * sizeof(std::uint64_t));
static_assert(offsetof(CallFrame, r9) - offsetof(CallFrame, rsi) == 4 * sizeof(std::uint64_t));
static_assert(offsetof(CallFrame, r10) - offsetof(CallFrame, rdx) == offsetof(Received, block));
static_assert(offsetof(CallFrame, r8) - offsetof(CallFrame, rdx) == offsetof(Received, node));
static_assert(offsetof(CallFrame, r9) - offsetof(CallFrame, rdx) == offsetof(Received, pid));

const SendArguments& send_arguments(const CallFrame& frame)
{
    return reinterpret_cast<const SendArguments&>(frame.rsi);
}

const ReceiveArguments& receive_arguments(const CallFrame& frame)
{
    return reinterpret_cast<const ReceiveArguments&>(frame.rsi);
}

Received& received(CallFrame& frame) { return reinterpret_cast<Received&>(frame.rdx); }

std::uint64_t reply(CallFrame& frame, const Result<Reply>& result)
{
    if (!result)
        return failure(result.error());
    frame.rdx = static_cast<std::uint64_t>(result->type);
    frame.r10 = static_cast<std::uint64_t>(result->block);
    frame.r8 = static_cast<std::uint64_t>(result->node);
    frame.r9 = static_cast<std::uint64_t>(result->pid);
    return static_cast<std::uint64_t>(result->value);
}

long id_of(const CallFrame& frame) { return static_cast<long>(frame.rsi); }

} // namespace

std::uint64_t messages_send(UserProcess& self, CallFrame& frame)
{
    return static_cast<std::uint64_t>(self.messages->send(send_arguments(frame)));
}

std::uint64_t messages_start_send(UserProcess& self, CallFrame& frame)
{
    return reply(frame, self.system->start_send(self.endpoint, send_arguments(frame)));
}

std::uint64_t messages_receive(UserProcess& self, CallFrame& frame)
{
    return static_cast<std::uint64_t>(self.messages->receive(receive_arguments(frame), received(frame)));
}

std::uint64_t messages_receive_block(UserProcess& self, CallFrame& frame)
{
    return static_cast<std::uint64_t>(
        self.messages->receive_block(receive_arguments(frame), received(frame)));
}

std::uint64_t messages_start_receive(UserProcess& self, CallFrame& frame)
{
    return reply(frame, self.system->start_receive(self.endpoint, receive_arguments(frame)));
}

std::uint64_t messages_done(UserProcess& self, CallFrame& frame)
{
    return reply(frame, self.system->done(self.endpoint, id_of(frame)));
}

std::uint64_t messages_wait(UserProcess& self, CallFrame& frame)
{
    return reply(frame, self.system->wait(self.endpoint, id_of(frame)));
}

std::uint64_t messages_cancel(UserProcess& self, CallFrame& frame)
{
    return reply(frame, self.system->cancel(self.endpoint, id_of(frame)));
}

std::uint64_t messages_probe(UserProcess& self, CallFrame& frame)
{
    return reply(frame, self.system->probe(self.endpoint, receive_arguments(frame), frame.rdx != 0));
}

std::uint64_t messages_watch(UserProcess& self, CallFrame& frame)
{
    return reply(frame, self.system->watch(self.endpoint, id_of(frame)));
}

std::uint64_t messages_allocate(UserProcess& self, CallFrame& frame)
{
    return reply(frame, self.system->allocate(self.endpoint, id_of(frame), static_cast<long>(frame.rdx)));
}

std::uint64_t messages_release(UserProcess& self, CallFrame& frame)
{
    return reply(frame, self.system->release(self.endpoint, {frame.rsi}));
}

} // namespace parley::kernel
