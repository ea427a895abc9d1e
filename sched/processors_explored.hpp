// SPDX-License-Identifier: MIT
// Processors and processes of a play in the explorer, which the kernel's own dispatchers and its own table of
// sleepers serve. A party is the idle loop of a processor, a process, or somebody who has a processor for
// himself.
#pragma once

#include "sched/dispatcher.hpp"
#include "sched/fifo_queue.hpp"
#include "sched/wait_table.hpp"
#include "testing/explorer.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace parley::sched {

struct ExploredProcessors {
    explicit ExploredProcessors(explorer::Play& made) : play(made) { arch::explored::begin(); }

    ServerSet servers;
    FifoQueue queue{servers}, gangs{servers};
    WaitTable waits;
    std::vector<std::unique_ptr<arch::Processor>> processors;
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    std::vector<std::unique_ptr<Process>> processes;
    unsigned parties = 0;                // processes and somebodies
    explorer::Noted<unsigned> ended = 0; // of them
    explorer::Play& play;

    Dispatcher& add_dispatcher(ReadyQueue& serves)
    {
        dispatchers.push_back(std::make_unique<Dispatcher>(static_cast<unsigned>(dispatchers.size())));
        processors.push_back(std::make_unique<arch::Processor>());
        dispatchers.back()->serve(serves);
        servers.add(*dispatchers.back());
        return *dispatchers.back();
    }
    void add_processor() { add_processor(queue); }
    void add_processor(ReadyQueue& serves)
    {
        Dispatcher& dispatcher = add_dispatcher(serves);
        play.parties.push_back([&dispatcher, &serves, &processor = *processors.back()] {
            dispatcher.start(processor, serves, Tick::as_needed);
            dispatcher.idle();
        });
    }
    void add_somebody(std::function<void()> body)
    {
        ++parties;
        Dispatcher& dispatcher = add_dispatcher(queue);
        play.parties.push_back([this, body, &dispatcher, &processor = *processors.back()] {
            dispatcher.start(processor, queue, Tick::as_needed);
            body();
            ++ended;
        });
    }
    Process& add_process(std::function<void()> body)
    {
        Process& process = add_sleeping_process(std::move(body));
        queue.add(process);
        return process;
    }
    // Until somebody makes it ready.
    Process& add_sleeping_process(std::function<void()> body)
    {
        ++parties;
        processes.push_back(std::make_unique<Process>());
        Process& process = *processes.back();
        process.queue = &queue;
        arch::explored::ExploredContext& context = arch::explored::of_party[play.parties.size()];
        process.execution.context = &context;
        play.parties.push_back([this, body, &context] {
            context.wait();
            finish_switch();
            body();
            ++ended;
            Dispatcher::here().run_next();
        });
        return process;
    }

    void kill(Process& process)
    {
        process.pending_work.set_killed(true);
        waits.interrupt(process);
    }
    // "" when so many have ended.
    std::string verdict(unsigned expected) const
    {
        if (arch::explored::two_on_one_stack)
            return "a process was dispatched before its context was saved";
        return ended == expected ? "" : "a process sleeps for ever";
    }
};

} // namespace parley::sched
