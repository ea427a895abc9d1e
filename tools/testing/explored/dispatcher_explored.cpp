// SPDX-License-Identifier: MIT
// Dispatcher and WaitTable, the kernel's own sources, in every order of the steps of processors that look for
// work, processes that sleep, and others that wake or kill them.
#include "sched/dispatcher.hpp"
#include "sched/fifo_queue.hpp"
#include "sched/wait_table.hpp"
#include "tools/testing/catch.hpp"
#include "tools/testing/explorer.hpp"

#include <functional>
#include <memory>
#include <vector>

using namespace parley;
using namespace parley::sched;

namespace {

// Processors that serve one queue, and the processes that they run. A party is the idle loop of a processor,
// a process, or somebody who has a processor for himself.
struct Scene {
    explicit Scene(explorer::Play& made) : play(made) { arch::explored::begin(); }

    ServerSet servers;
    FifoQueue queue{servers};
    WaitTable waits;
    Atomic<std::uint32_t> words[2] = {};
    std::vector<std::unique_ptr<arch::Processor>> processors;
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    std::vector<std::unique_ptr<Process>> processes;
    explorer::Noted<unsigned> ended = 0;
    explorer::Play& play;

    Dispatcher& add_dispatcher()
    {
        dispatchers.push_back(std::make_unique<Dispatcher>(static_cast<unsigned>(dispatchers.size())));
        processors.push_back(std::make_unique<arch::Processor>());
        dispatchers.back()->serve(queue);
        servers.add(*dispatchers.back());
        return *dispatchers.back();
    }
    void add_processor()
    {
        Dispatcher& dispatcher = add_dispatcher();
        play.parties.push_back([this, &dispatcher, &processor = *processors.back()] {
            dispatcher.start(processor, queue, Tick::as_needed);
            dispatcher.idle();
        });
    }
    void add_somebody(std::function<void()> body)
    {
        Dispatcher& dispatcher = add_dispatcher();
        play.parties.push_back([this, body, &dispatcher, &processor = *processors.back()] {
            dispatcher.start(processor, queue, Tick::as_needed);
            body();
            ++ended;
        });
    }
    Process& add_process(std::function<void()> body)
    {
        processes.push_back(std::make_unique<Process>());
        Process& process = *processes.back();
        process.queue = &queue;
        arch::explored::Context& context = arch::explored::of_party[play.parties.size()];
        process.execution.context = &context;
        play.parties.push_back([this, body, &context] {
            context.wait();
            finish_switch();
            body();
            ++ended;
            Dispatcher::here().run_next();
        });
        queue.add(process);
        return process;
    }

    WaitKey key(unsigned index) const { return {64 * (index + 1), 1}; } // in different buckets
    bool sleep(unsigned index)
    {
        return waits.block(key(index), [&] { return words[index].load() == 0; });
    }
    void wake(unsigned index)
    {
        words[index].store(1);
        waits.wake(key(index), 1);
    }
    void kill(Process& process)
    {
        process.pending_work.set_killed(true);
        waits.interrupt(process);
    }
    std::string verdict(unsigned expected) const
    {
        if (arch::explored::two_on_one_stack)
            return "a process was dispatched before its context was saved";
        return ended == expected ? "" : "a process sleeps for ever";
    }
};

template <class Fill>
explorer::Play play_of(unsigned expected, Fill fill)
{
    explorer::Play play;
    play.may_wait = true; // processors are idle in the end
    auto scene = std::make_shared<Scene>(play);
    fill(*scene);
    play.check = [scene, expected] { return scene->verdict(expected); };
    return play;
}

explorer::Play a_sleeper_and_a_waker()
{
    return play_of(2, [](Scene& scene) {
        scene.add_processor();
        scene.add_process([&scene] { (void)scene.sleep(0); });
        scene.add_somebody([&scene] { scene.wake(0); });
    });
}

explorer::Play a_sleeper_and_a_killer()
{
    return play_of(2, [](Scene& scene) {
        scene.add_processor();
        Process& sleeper = scene.add_process([&scene] { (void)scene.sleep(0); });
        scene.add_somebody([&scene, &sleeper] { scene.kill(sleeper); });
    });
}

explorer::Play a_sleeper_who_is_woken_while_it_is_killed()
{
    return play_of(3, [](Scene& scene) {
        scene.add_processor();
        Process& sleeper = scene.add_process([&scene] {
            if (scene.sleep(0))
                (void)scene.sleep(1); // elsewhere: only the kill ends this
        });
        scene.add_somebody([&scene] { scene.wake(0); });
        scene.add_somebody([&scene, &sleeper] { scene.kill(sleeper); });
    });
}

} // namespace

TEST_CASE("a sleeper misses neither its waker nor its killer in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, a_sleeper_and_a_waker).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, a_sleeper_and_a_killer).failure == "");
    CHECK(explorer::explore({.preemptions = 1}, a_sleeper_who_is_woken_while_it_is_killed).failure == "");
}
