// SPDX-License-Identifier: MIT
// The `job` proxies: programs that start, await and end others of their own job.
#include "kernel/job/job.hpp"
#include "kernel/job/program_maker.hpp"
#include "kernel/process/proxy_methods.hpp"
#include "kernel/user_copy.hpp"

namespace parley::kernel {

namespace {

using arch::CallFrame;

constexpr std::size_t most_letters = 1024; // of a program's name and arguments

std::uint64_t answer_void(const Result<void>& result) { return result ? 0 : failure(result.error()); }

jobs::Selection chosen(std::uint64_t node, std::uint64_t pid)
{
    return {static_cast<int>(node), static_cast<int>(pid)};
}

Result<std::uint64_t> load(UserProcess& self, const CallFrame& frame)
{
    char words[most_letters];
    if (frame.rdx > sizeof words)
        return std::unexpected(Error::not_found);
    TRY_VOID(copy_from_user(words, {frame.rsi}, frame.rdx));
    const jobs::Selection where = chosen(frame.r10, frame.r8);
    ProgramMaker maker(self.job(), {words, frame.rdx}, where.pid);
    const Result<unsigned> first = self.job().cube().load(self.endpoint(), where, maker);
    maker.tell_refusal();
    return first;
}

} // namespace

std::uint64_t job_load(UserProcess& self, CallFrame& frame) { return answer(load(self, frame)); }

std::uint64_t job_start(UserProcess& self, CallFrame& frame)
{
    self.job().cube().start(chosen(frame.rsi, frame.rdx));
    return 0;
}

std::uint64_t job_wait_for(UserProcess& self, CallFrame& frame)
{
    using For = jobs::WaitForEnds::For;
    const For what = frame.r10 == 0 ? For::all : For::one;
    const Result<jobs::Ended> ended =
        self.job().cube().wait(self.endpoint(), {what, chosen(frame.rsi, frame.rdx)});
    if (!ended)
        return failure(ended.error());
    if (what == For::all)
        return 0;
    frame.rdx = parley_senders_from(ended->node, ended->pid, 0);
    return static_cast<std::uint32_t>(ended->status);
}

std::uint64_t job_kill(UserProcess& self, CallFrame& frame)
{
    const messaging::Waiting messages =
        frame.r10 != 0 ? messaging::Waiting::kept : messaging::Waiting::dropped;
    return answer_void(self.job().cube().kill(self.endpoint(), chosen(frame.rsi, frame.rdx), messages));
}

std::uint64_t job_set_pid(UserProcess& self, CallFrame& frame)
{
    return answer_void(self.job().cube().set_pid(self.endpoint(), static_cast<int>(frame.rsi)));
}

} // namespace parley::kernel
