// SPDX-License-Identifier: MIT
#include "tools/testing/hosted_job.hpp"

#include "kernel/interface/capabilities.h"
#include "kernel/interface/message_calls.h"

#include <chrono>
#include <thread>

namespace parley::testing {

namespace {

using behaviours::Answer;
using behaviours::Context;

std::uint64_t address_of(Context context, long pid)
{
    return parley_senders_from(0, pid, static_cast<unsigned long>(context));
}

unsigned long user_address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// A process's calls, straight into the message system.
class HostedPeer final : public behaviours::TestProcess {
public:
    HostedPeer(HostedJob& job, unsigned endpoint, unsigned nodes,
               const behaviours::Capabilities& capabilities)
        : TestProcess(static_cast<int>(endpoint), static_cast<int>(nodes), capabilities), job_(job),
          calls_(job.system().calls_of(endpoint))
    {
    }

    Answer send(long type, const void* buffer, long length, long to, Context context) override
    {
        return {.value =
                    calls_.send(calls_.self, type, user_address(buffer), length, to, address_of(context, 0))};
    }
    Answer start_send(long type, const void* buffer, long length, long to) override
    {
        return {.value = calls_.start_send(calls_.self, type, user_address(buffer), length, to, 0)};
    }
    Answer receive(long typesel, void* buffer, long maximum) override
    {
        const parley_receive call = from_any(typesel, buffer, maximum, Context::program);
        return arrived(calls_.receive(calls_.self, &call));
    }
    Answer receive_block(long typesel, void* buffer, long maximum, Context context) override
    {
        const parley_receive call = from_any(typesel, buffer, maximum, context);
        Answer answer = arrived(calls_.receive_block(calls_.self, &call));
        answer.block = reinterpret_cast<void*>(calls_.left->block);
        return answer;
    }
    Answer start_receive(long typesel, void* buffer, long maximum) override
    {
        const parley_receive call = from_any(typesel, buffer, maximum, Context::program);
        return {.value = calls_.start_receive(calls_.self, call.typesel, call.buffer, call.maximum, call.from,
                                              call.mask)};
    }
    Answer done(long id) override { return yes_or_no(calls_.done(calls_.self, id)); }
    Answer wait(long id) override { return arrived(calls_.wait(calls_.self, id)); }
    Answer cancel(long id) override { return {.value = calls_.cancel(calls_.self, id)}; }
    Answer probe(long typesel, bool may_wait) override
    {
        const parley_receive any = from_any(typesel, nullptr, 0, Context::program);
        return yes_or_no(calls_.probe(calls_.self, typesel, may_wait, any.from, any.mask));
    }
    void* allocate(long bytes) override
    {
        const long block = calls_.allocate(calls_.self, bytes, 8);
        return block > 0 ? reinterpret_cast<void*>(block) : nullptr;
    }
    Answer release(void* block) override
    {
        return {.value = calls_.release(calls_.self, user_address(block))};
    }
    void expect(bool holds, const char* sentence) override
    {
        if (!holds)
            job_.note("node " + std::to_string(node()) + ": not so: " + sentence);
    }

private:
    static parley_receive from_any(long typesel, void* buffer, long maximum, Context context)
    {
        return {typesel, user_address(buffer), maximum,
                parley_senders_from(-1, -1, static_cast<unsigned long>(context)),
                parley_senders_mask(-1, -1)};
    }

    // The value is the message's length.
    static Answer arrived(const parley_receive_status& found)
    {
        if (found.contents < 0)
            return {.value = found.contents};
        const long length = parley_receive_status_length(found);
        return {.value = length,
                .type = parley_receive_status_type(found),
                .node = parley_receive_status_node(found),
                .length = length};
    }

    // Of a call that only asks: 1, or 0 when there is nothing yet.
    static Answer yes_or_no(const parley_receive_status& found)
    {
        Answer answer = arrived(found);
        if (answer.good())
            answer.value = 1;
        else if (answer.value == -static_cast<long>(Error::would_block))
            answer.value = 0;
        return answer;
    }

    HostedJob& job_;
    const parley_calls calls_;
};

} // namespace

behaviours::Capabilities manners_of(const messaging::Design& design)
{
    const messaging::DesignTraits traits = messaging::traits_of(design);
    return {traits.transfers_ownership, traits.needs_shared_memory, traits.one_domain,
            (messaging::capabilities_of(design) & NX_SENDS_AWAIT_DELIVERY) != 0, false};
}

HostedJob::HostedJob(const JobOptions& options)
    : options_(options), traits_(messaging::traits_of(options.design)), memory_(options.system_bytes),
      shared_(options.shared_bytes),
      waits_(options.design, messaging::endpoint_count(traits_.helpers, options.nodes, 1)),
      processes_(messaging::endpoint_count(traits_.helpers, options.nodes, 1) + waits_.policy_processes(),
                 nullptr),
      killed_early_(processes_.size(), false)
{
    const messaging::SharedRange blocks{shared_.address(), shared_.bytes(), traits_.one_domain};
    const auto system =
        messaging::create(memory_.start(), memory_.bytes(), {options.design, options.nodes, 1, blocks});
    if (system)
        system_ = *system;
    else
        note("the system cannot be made: " + std::string(sentence(system.error())));
}

std::string HostedJob::run(const std::function<void(behaviours::TestProcess&)>& program)
{
    if (system_ == nullptr)
        return failures();
    std::vector<std::jthread> threads;
    for (unsigned number = 0; number < processes_.size(); ++number)
        threads.emplace_back([this, number, &program] { run_process(number, program); });
    kill_all_when_late();
    threads.clear();
    if (const std::size_t left = system_->leaks(); left != 0)
        note("left allocated: " + std::to_string(left));
    return failures();
}

void HostedJob::run_process(unsigned number, const std::function<void(behaviours::TestProcess&)>& program)
{
    hosted::Process process;
    {
        const std::lock_guard lock(mutex_);
        processes_[number] = &process;
        time_.join();
        if (killed_early_[number])
            process.kill();
    }
    if (number >= endpoints()) {
        waits_.run(number - endpoints());
    } else {
        waits_.enter(number);
        live(number, program);
        system_->close(number, process.is_killed() ? messaging::EndpointState::killed
                                                   : messaging::EndpointState::ended);
        waits_.leave();
    }
    const std::lock_guard lock(mutex_);
    processes_[number] = nullptr;
    time_.leave();
    get_on();
    ++ended_;
}

void HostedJob::live(unsigned endpoint, const std::function<void(behaviours::TestProcess&)>& program)
{
    if (endpoint >= options_.nodes) {
        (void)system_->deliver(endpoint, nullptr);
        return;
    }
    HostedPeer peer(*this, endpoint, options_.nodes, manners_of(options_.design));
    program(peer);
    (void)system_->drain(endpoint);
}

void HostedJob::kill_all_when_late()
{
    const auto look_every = std::chrono::microseconds(200);
    for (unsigned looks = 1;; ++looks) {
        {
            const std::lock_guard lock(mutex_);
            if (ended_ == processes_.size())
                return;
            const bool is_tick = looks % (FairTime::tick / look_every) == 0;
            if (is_tick && time_.without_progress() > std::chrono::seconds(options_.seconds))
                break;
        }
        std::this_thread::sleep_for(look_every);
    }
    note("the job did not end in time");
    for (unsigned number = 0; number < processes_.size(); ++number)
        kill(number);
}

void HostedJob::kill(unsigned endpoint)
{
    const std::lock_guard lock(mutex_);
    if (processes_[endpoint] != nullptr)
        processes_[endpoint]->kill();
    else
        killed_early_[endpoint] = true;
}

void HostedJob::note(const std::string& failure)
{
    const std::lock_guard lock(mutex_);
    failures_.insert(failure);
}

std::string HostedJob::failures()
{
    const std::lock_guard lock(mutex_);
    std::string all;
    for (const std::string& failure : failures_)
        all += failure + '\n';
    return all;
}

} // namespace parley::testing
