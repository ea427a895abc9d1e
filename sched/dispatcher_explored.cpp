// SPDX-License-Identifier: MIT
// Dispatcher and WaitTable, the kernel's own sources, in every order of the steps of processors that look for
// work, processes that sleep, and others that wake or kill them.
#include "sched/processors_explored.hpp"
#include "sched/system_scheduler.hpp"
#include "testing/catch.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

using namespace parley;
using namespace parley::sched;

namespace {

// Processes that sleep on words, and what must not happen to them.
struct Scene : ExploredProcessors {
    using ExploredProcessors::ExploredProcessors;

    Atomic<std::uint32_t> words[2] = {};
    explorer::Noted<bool> goes_on_killed = false;
    explorer::Noted<bool> asked_too_late = false;

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
    std::string verdict(unsigned expected) const
    {
        if (goes_on_killed)
            return "a process that is killed goes on as if it were woken";
        if (asked_too_late)
            return "a process is to give way for what was there before it ran";
        return ExploredProcessors::verdict(expected);
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

// As for many sleepers of a word.
explorer::Play a_sleeper_and_a_waker_of_all()
{
    return play_of(2, [](Scene& scene) {
        scene.add_processor();
        scene.add_process([&scene] { (void)scene.sleep(0); });
        scene.add_somebody([&scene] {
            scene.words[0].store(1);
            scene.waits.wake(scene.key(0), ~0u);
        });
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

// A process whose context another processor still saves, as somebody lets this one believe.
Process& add_unsaved_process(Scene& scene, std::function<void()> body)
{
    Process& process = scene.add_process(std::move(body));
    process.on_processor.store(true, std::memory_order_relaxed);
    return process;
}
void saves(Process& process) { process.on_processor.store(false, std::memory_order_release); }

// A processor goes from one process to another that is not saved yet, and from there to a third.
explorer::Play two_are_saved_late()
{
    return play_of(4, [](Scene& scene) {
        scene.add_processor();
        scene.add_process([] { });
        Process& second = add_unsaved_process(scene, [&scene] { scene.words[0].store(1); });
        Process& third = add_unsaved_process(scene, [] { });
        scene.add_somebody([&scene, &second, &third] {
            saves(second);
            while (scene.words[0].load() == 0)
                arch::pause();
            saves(third);
        });
    });
}

// One that was saved late makes another ready and spins until it has run: its processor is not idle.
explorer::Play one_that_is_saved_late_makes_another_ready()
{
    return play_of(4, [](Scene& scene) {
        scene.add_processor();
        scene.add_processor();
        scene.add_process([] { });
        Process& other = scene.add_sleeping_process([&scene] { scene.words[0].store(1); });
        Process& late = add_unsaved_process(scene, [&scene, &other] {
            make_ready(other);
            while (scene.words[0].load() == 0)
                arch::pause();
        });
        scene.add_somebody([&late] { saves(late); });
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

// What others queue before they ask, the processor finds when it is woken and takes the request, whether or
// not it had been asked already: nobody asks in vain. The queue's lock orders the two: had the processor held
// it before, its taking of the request would have come before the asking. `ask`: by which of the two ways.
template <class Ask>
explorer::Play a_processor_is_asked_again(Ask ask)
{
    struct Asked {
        Asked()
        {
            arch::explored::begin();
            dispatcher.start(processor, queue, Tick::as_needed);
        }
        ServerSet servers;
        FifoQueue queue{servers};
        arch::Processor processor;
        Dispatcher dispatcher{0};
        Process queued[3];
    };
    const auto scene = std::make_shared<Asked>();
    explorer::Play play;
    play.parties.push_back([scene] {
        for (unsigned found = 0; found < 3;) {
            arch::wait_for_interrupt();
            explorer::collect(&scene->processor);
            if (!scene->dispatcher.take_decision_request())
                continue;
            while (scene->dispatcher.next_process() != nullptr)
                ++found;
        }
    });
    for (unsigned times = 1; times <= 2; ++times)
        play.parties.push_back([scene, ask, times] {
            for (unsigned time = 0; time < times; ++time) {
                scene->queue.add(scene->queued[times - 1 + time]);
                ask(scene->dispatcher, scene->processor);
            }
        });
    play.check = [scene] { return scene->dispatcher.idles() ? "" : "it is not known to be idle"; };
    return play;
}

// Who asked queued something before, so the decision that the process leaves with is the one: whoever runs
// then is not to give way.
explorer::Play a_process_ends_that_was_to_give_way()
{
    return play_of(2, [](Scene& scene) {
        scene.add_processor();
        scene.add_process([] { Dispatcher::here().request_decision(); });
        scene.add_process([&scene] {
            if (Dispatcher::here().take_decision_request())
                scene.asked_too_late = true;
        });
    });
}

// A processor that has found work here goes on with it only when somebody lets it.
class SlowQueue final : public ReadyQueue {
public:
    explicit SlowQueue(const ServerSet& servers) : servers_(servers), queue_(servers) { }

    Process* take(Server& server) override
    {
        Process* const found = queue_.take(server);
        while (found != nullptr && goes_on_.load() == 0)
            arch::pause();
        return found;
    }
    void add(Process& process) override { queue_.add(process); }
    Server* idle_server_for(const Process&) override { return servers_.claim_idle(*this); }
    void go_on() { goes_on_.store(1); }

private:
    const ServerSet& servers_;
    FifoQueue queue_;
    Atomic<unsigned> goes_on_{0};
};

// A second is made ready after a processor has found the first and before it takes its idle mark away: who
// claims that mark tells nobody else, and another processor is idle.
explorer::Play one_is_made_ready_while_another_is_found()
{
    return play_of(3, [](Scene& scene) {
        const auto slow = std::make_shared<SlowQueue>(scene.servers);
        for (unsigned processor = 0; processor < 2; ++processor)
            scene.add_processor(*slow);
        scene.add_sleeping_process([&scene] {
            while (scene.words[0].load() == 0)
                arch::pause();
        });
        Process& second = scene.add_sleeping_process([&scene] { scene.words[0].store(1); });
        for (const auto& process : scene.processes)
            process->queue = slow.get();
        slow->add(*scene.processes.front());
        scene.add_somebody([slow, &second] {
            make_ready(second);
            slow->go_on();
        });
    });
}

// Its processor has been collected for a gang whose members are not there yet: another goes on with what ran
// here.
explorer::Play one_gives_way_to_a_gang()
{
    return play_of(1, [](Scene& scene) {
        scene.add_processor();
        scene.add_processor();
        scene.add_process([&scene] {
            Dispatcher& before = Dispatcher::here();
            before.serve(scene.gangs);
            before.preempt();
            if (&Dispatcher::here() == &before)
                arch::explored::two_on_one_stack = true;
        });
    });
}

// Its processor leaves one process for another as it is asked for a third, which goes before others: that one
// is next, or the other is interrupted for it.
explorer::Play a_processor_is_asked_as_it_changes_processes()
{
    return play_of(4, [](Scene& scene) {
        const auto host = std::make_shared<SystemScheduler>(scene.servers, [] { return std::uint64_t{0}; });
        scene.add_processor(*host);
        scene.add_sleeping_process([&scene] { scene.words[1].store(1); });
        scene.add_sleeping_process([&scene] {
            while (scene.words[0].load() == 0) {
                if (Dispatcher::here().take_decision_request())
                    Dispatcher::here().preempt();
                else
                    arch::pause();
            }
        });
        for (const auto& process : scene.processes)
            host->add(*process);
        Process& urgent = scene.add_sleeping_process([&scene] { scene.words[0].store(1); });
        for (const auto& process : scene.processes)
            process->queue = host.get();
        scene.add_somebody([&scene, host, &urgent] {
            while (scene.words[1].load() == 0)
                arch::pause();
            host->add_first(urgent);
            scene.dispatchers.front()->interrupt();
        });
    });
}

// Its program is to be interrupted as it gets a processor: either it hears of that there, or the processor is
// to be told.
explorer::Play a_program_is_interrupted_as_it_is_dispatched()
{
    struct Heard {
        explorer::Noted<bool> by_itself = false, by_processor = false;
        explorer::Noted<bool> is_over = false, was_over = false;
    };
    const auto heard = std::make_shared<Heard>();
    explorer::Play play = play_of(2, [heard](Scene& scene) {
        scene.add_processor();
        Process& process = scene.add_process([heard] {
            heard->by_itself = current().pending_work.interrupted();
            explorer::step();
            heard->is_over = true;
        });
        scene.add_somebody([&scene, heard, &process] {
            process.pending_work.set_interrupted(true);
            heard->by_processor = scene.dispatchers.front()->runs(process);
            heard->was_over = heard->is_over;
        });
    });
    play.check = [heard, others = play.check]() -> std::string {
        if (const std::string failure = others(); !failure.empty())
            return failure;
        return heard->by_itself || heard->by_processor || heard->was_over ? "" : "an interrupt is lost";
    };
    return play;
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
    CHECK(explorer::explore(options, one_is_made_ready_while_another_is_found).failure == "");
    CHECK(explorer::explore(options, one_that_is_saved_late_makes_another_ready).failure == "");
    const explorer::Options once{.preemptions = 1, .memory = explorer::Model::sequential};
    CHECK(explorer::explore(once, one_gives_way_to_a_gang).failure == "");
}

TEST_CASE("a process that gives way goes on in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, one_gives_way_to_nobody).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, [] { return one_gives_way(1); }).failure == "");
    const explorer::Options options{.preemptions = 1};
    CHECK(explorer::explore(options, [] { return one_gives_way(2); }).failure == "");
}

TEST_CASE("a processor goes on with processes that are saved late in any order of steps")
{
    const explorer::Options options{.preemptions = 0, .memory = explorer::Model::sequential};
    CHECK(explorer::explore(options, two_are_saved_late).failure == "");
}

TEST_CASE("a process that is handed over goes on elsewhere in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 1}, one_is_handed_over).failure == "");
}

TEST_CASE("a processor that is interrupted runs what was queued before in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 1}, a_processor_is_interrupted).failure == "");
    const explorer::Options options{.preemptions = 1, .memory = explorer::Model::sequential};
    CHECK(explorer::explore(options, a_processor_is_asked_as_it_changes_processes).failure == "");
}

TEST_CASE("a program that is interrupted hears of it, or its processor is told, in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 2}, a_program_is_interrupted_as_it_is_dispatched).failure == "");
}

TEST_CASE("a processor that is asked to decide finds what was queued before in any order of steps")
{
    const explorer::Options options{.preemptions = 2};
    const auto interrupts = [](Dispatcher& dispatcher, arch::Processor&) { (void)dispatcher.interrupt(); };
    const auto requests = [](Dispatcher& dispatcher, arch::Processor& processor) {
        dispatcher.request_decision();
        explorer::publish(&processor); // the interrupt comes behind the store
        arch::wake_processor(processor);
    };
    CHECK(explorer::explore(options, [&] { return a_processor_is_asked_again(interrupts); }).failure == "");
    CHECK(explorer::explore(options, [&] { return a_processor_is_asked_again(requests); }).failure == "");
}

TEST_CASE("a processor is asked once for one decision")
{
    CHECK(explorer::explore({.preemptions = 1}, a_process_ends_that_was_to_give_way).failure == "");
}

TEST_CASE("one at a time takes the mark of an idle processor away in any order of steps")
{
    const explorer::Options options{.preemptions = explorer::unlimited};
    CHECK(explorer::explore(options, two_claim_an_idle_one).failure == "");
    CHECK(explorer::explore(options, one_claims_what_is_idle_no_more).failure == "");
}

TEST_CASE("an idle processor of another queue is passed over")
{
    IdleServers scene(2);
    FifoQueue other{scene.servers};
    scene.all.front().serve(other);
    CHECK(scene.servers.claim_idle(scene.queue) == &scene.all.back());
    CHECK(scene.all.front().is_idle());
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
    CHECK(explorer::explore({.preemptions = 1}, a_sleeper_and_a_waker_of_all).failure == "");
    CHECK(explorer::explore({.preemptions = 2}, a_sleeper_and_a_killer).failure == "");
    CHECK(explorer::explore({.preemptions = 1}, a_sleeper_who_is_woken_while_it_is_killed).failure == "");
}
