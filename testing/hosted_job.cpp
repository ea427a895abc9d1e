// SPDX-License-Identifier: MIT
#include "testing/hosted_job.hpp"

#include <chrono>
#include <thread>

namespace parley::testing {

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
    hosted::ProcessThread process;
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
    CallingProcess process(system(), endpoint, options_.nodes, capabilities_in_tests(options_.design),
                           [this](const std::string& failure) { note(failure); });
    program(process);
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
