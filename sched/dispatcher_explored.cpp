// SPDX-License-Identifier: MIT
// Dispatcher and WaitTable, the kernel's own sources, in every order of the steps of processors that look for
// work, processes that sleep, and others that wake or kill them.
#include "sched/dispatcher.hpp"
#include "sched/fifo_queue.hpp"
#include "sched/wait_table.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <deque>
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
    explorer::Noted<bool> goes_on_killed = false;
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
        Process& process = add_sleeping_process(std::move(body));
        queue.add(process);
        return process;
    }
    // Until somebody makes it ready.
    Process& add_sleeping_process(std::function<void()> body)
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
        if (goes_on_killed)
            return "a process that is killed goes on as if it were woken";
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
        Process& sleeper = scene.add_process([&scene] { scene.goes_on_killed = scene.sleep(0); });
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

// After the kill the one wake is the other's.
explorer::Play one_of_two_sleepers_is_killed()
{
    return play_of(3, [](Scene& scene) {
        scene.add_processor();
        Process& victim = scene.add_process([&scene] { (void)scene.sleep(0); });
        scene.add_process([&scene] { (void)scene.sleep(0); });
        scene.add_somebody([&scene, &victim] {
            scene.kill(victim);
            scene.wake(0);
        });
    });
}

// The first spins on its processor until the second has run, so that it takes both processors.
explorer::Play two_are_made_ready(unsigned makers)
{
    return play_of(2 + makers, [makers](Scene& scene) {
        scene.add_processor();
        scene.add_processor();
        Process& first = scene.add_sleeping_process([&scene] {
            while (scene.words[0].load() == 0)
                arch::pause();
        });
        Process& second = scene.add_sleeping_process([&scene] { scene.words[0].store(1); });
        if (makers == 1)
            scene.add_somebody([&first, &second] { make_ready(first), make_ready(second); });
        else
            for (Process* const one : {&first, &second})
                scene.add_somebody([one] { make_ready(*one); });
    });
}

// One gives way to the other until that has run, on as many processors.
explorer::Play one_gives_way(unsigned processors)
{
    return play_of(2, [processors](Scene& scene) {
        for (unsigned at = 0; at < processors; ++at)
            scene.add_processor();
        scene.add_process([&scene] {
            while (scene.words[0].load() == 0) {
                Dispatcher::here().preempt();
                if (scene.words[0].load() == 0)
                    arch::pause();
            }
        });
        scene.add_process([&scene] { scene.words[0].store(1); });
    });
}

// Nobody else is ready: it goes on by itself.
explorer::Play one_gives_way_to_nobody()
{
    return play_of(1, [](Scene& scene) {
        scene.add_processor();
        scene.add_process([] { Dispatcher::here().preempt(); });
    });
}

// Where another processor is idle, the process goes over to it, and this one rests.
explorer::Play one_is_handed_over()
{
    return play_of(1, [](Scene& scene) {
        scene.add_processor();
        scene.add_processor();
        scene.add_process([&scene] {
            Dispatcher& before = Dispatcher::here();
            Server* const taker = scene.queue.idle_server_for(current());
            if (taker == nullptr)
                return;
            before.hand_over(*taker);
            if (&Dispatcher::here() == &before)
                arch::explored::two_on_one_stack = true;
        });
    });
}

// As a tick does, the process looks whether its processor is to decide again.
explorer::Play a_processor_is_interrupted()
{
    return play_of(3, [](Scene& scene) {
        scene.add_processor();
        scene.add_process([&scene] {
            scene.words[1].store(1);
            while (scene.words[0].load() == 0) {
                if (Dispatcher::here().take_decision_request())
                    Dispatcher::here().preempt();
                else
                    arch::pause();
            }
        });
        Process& urgent = scene.add_sleeping_process([&scene] { scene.words[0].store(1); });
        scene.add_somebody([&scene, &urgent] {
            while (scene.words[1].load() == 0)
                arch::pause();
            scene.queue.add(urgent);
            scene.dispatchers.front()->interrupt();
        });
    });
}

// Idle processors, by hand.
struct IdleServers {
    class Idle final : public Server {
    public:
        explicit Idle(unsigned index) : Server(index) { }
        void wake() override { }
        using Server::set_idle;
        using Server::unmark_idle;
    };

    explicit IdleServers(unsigned count)
    {
        for (unsigned index = 0; index < count; ++index) {
            Idle& server = all.emplace_back(index);
            server.serve(queue);
            server.set_idle(true);
            servers.add(server);
        }
    }

    ServerSet servers;
    FifoQueue queue{servers};
    std::deque<Idle> all;
    explorer::Noted<Server*> claimed[2];
    explorer::Noted<bool> unmarked = false;
};

explorer::Play two_claim_an_idle_one()
{
    const auto scene = std::make_shared<IdleServers>(2);
    explorer::Play play;
    for (unsigned party = 0; party < 2; ++party)
        play.parties.push_back(
            [scene, party] { scene->claimed[party] = scene->servers.claim_idle(scene->queue); });
    play.check = [scene]() -> std::string {
        const Server *const one = scene->claimed[0], *const other = scene->claimed[1];
        if (one == nullptr || other == nullptr)
            return "an idle processor is passed over";
        return one != other ? "" : "two wake the same processor";
    };
    return play;
}

explorer::Play one_claims_what_is_idle_no_more()
{
    const auto scene = std::make_shared<IdleServers>(1);
    explorer::Play play;
    play.parties.push_back([scene] { scene->claimed[0] = scene->servers.claim_idle(scene->queue); });
    play.parties.push_back([scene] { scene->unmarked = scene->all.front().unmark_idle(); });
    play.check = [scene] {
        return (scene->claimed[0] != nullptr) != scene->unmarked ? "" : "the mark is taken away twice";
    };
    return play;
}

// One is killed and interrupted at once: neither is lost, and what is taken back is that alone.
explorer::Play a_kill_and_an_interrupt()
{
    const auto work = std::make_shared<PendingWork>();
    explorer::Play play;
    work->set_interrupted(true);
    play.parties.push_back([work] { work->set_killed(true); });
    play.parties.push_back([work] {
        work->set_interrupted(false);
        work->set_interrupted(true);
    });
    play.check = [work] { return work->killed() && work->interrupted() ? "" : "one of two is lost"; };
    return play;
}

// The program has been interrupted just now, and is killed.
explorer::Play a_kill_and_the_end_of_an_interrupt()
{
    const auto work = std::make_shared<PendingWork>();
    explorer::Play play;
    work->set_interrupted(true);
    play.parties.push_back([work] { work->set_killed(true); });
    play.parties.push_back([work] { work->set_interrupted(false); });
    play.check = [work] { return work->killed() && !work->interrupted() ? "" : "it is interrupted twice"; };
    return play;
}

} // namespace

TEST_CASE("no processor stays idle while a process is ready in any order of steps")
{
    const explorer::Options options{.preemptions = 0, .memory = explorer::Model::sequential};
    CHECK(explorer::explore(options, [] { return two_are_made_ready(1); }).failure == "");
    CHECK(explorer::explore(options, [] { return two_are_made_ready(2); }).failure == "");
}

TEST_CASE("a process that gives way goes on in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, one_gives_way_to_nobody).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, [] { return one_gives_way(1); }).failure == "");
    const explorer::Options options{.preemptions = 1};
    CHECK(explorer::explore(options, [] { return one_gives_way(2); }).failure == "");
}

TEST_CASE("a process that is handed over goes on elsewhere in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 1}, one_is_handed_over).failure == "");
}

TEST_CASE("a processor that is interrupted runs what was queued before in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 1}, a_processor_is_interrupted).failure == "");
}

TEST_CASE("one at a time takes the mark of an idle processor away in any order of steps")
{
    const explorer::Options options{.preemptions = explorer::unlimited};
    CHECK(explorer::explore(options, two_claim_an_idle_one).failure == "");
    CHECK(explorer::explore(options, one_claims_what_is_idle_no_more).failure == "");
}

TEST_CASE("a process that is killed and interrupted at once hears of both in any order of steps")
{
    const explorer::Options options{.preemptions = explorer::unlimited};
    CHECK(explorer::explore(options, a_kill_and_an_interrupt).failure == "");
    CHECK(explorer::explore(options, a_kill_and_the_end_of_an_interrupt).failure == "");
}

TEST_CASE("a killed sleeper takes nobody's wake-up along in any order of steps")
{
    const explorer::Options options{.preemptions = 1, .memory = explorer::Model::sequential};
    CHECK(explorer::explore(options, one_of_two_sleepers_is_killed).failure == "");
}

TEST_CASE("a sleeper misses neither its waker nor its killer in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, a_sleeper_and_a_waker).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, a_sleeper_and_a_killer).failure == "");
    CHECK(explorer::explore({.preemptions = 1}, a_sleeper_who_is_woken_while_it_is_killed).failure == "");
}
