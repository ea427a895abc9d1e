// SPDX-License-Identifier: MIT
// The `messages` proxies: the message system of the caller's job, when that is in the kernel. The caller's
// identity comes from its process, never from its arguments. Sends and receives: proxy_calls.hpp.
#include "arch/x86_64/pause.hpp"
#include "kernel/job/job.hpp"
#include "kernel/process/proxy_methods.hpp"

namespace parley::kernel {

namespace {

using arch::CallFrame;
using messaging::Found;
using messaging::Reply;
using messaging::SendArguments;

const SendArguments& send_arguments(const CallFrame& frame)
{
    return reinterpret_cast<const SendArguments&>(frame.rsi);
}

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

// A program that has found nothing will look again: where it shares its processor, whoever could bring it
// what it looks for goes first. Elsewhere the emulator may, which runs processors in turn when it counts
// instructions, and ends a turn early only for a pause.
std::uint64_t reply_to_poll(UserProcess& self, CallFrame& frame, const Result<Reply>& result)
{
    if (result && result->value == 0) {
        if (self.shares_processor())
            self.yield();
        else
            arch::pause();
    }
    return reply(frame, result);
}

} // namespace

std::uint64_t messages_start_send(UserProcess& self, CallFrame& frame)
{
    return reply(frame, self.system->start_send(self.endpoint, send_arguments(frame)));
}

std::uint64_t messages_start_receive(UserProcess& self, CallFrame& frame)
{
    return reply(frame, self.system->start_receive(self.endpoint, receive_arguments(frame)));
}

std::uint64_t messages_done(UserProcess& self, CallFrame& frame)
{
    return reply_to_poll(self, frame, self.system->done(self.endpoint, id_of(frame)));
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
    return reply_to_poll(self, frame,
                         self.system->probe(self.endpoint, receive_arguments(frame), frame.rdx != 0));
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
