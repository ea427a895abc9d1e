// SPDX-License-Identifier: MIT
// Threads of gang members, in every order of the steps of processors that serve other queues and of those
// that make threads and others ready.
#include "sched/processors_explored.hpp"
#include "sched/thread_queue.hpp"
#include "testing/catch.hpp"

using namespace parley;
using namespace parley::sched;

namespace {

struct Scene : ExploredProcessors {
    using ExploredProcessors::ExploredProcessors;

    ThreadQueue threads{servers};
    Atomic<std::uint32_t> word{0};
    explorer::Noted<unsigned> strayed = 0; // threads that ran where they may not

    void serve_threads()
    {
        for (const auto& dispatcher : dispatchers)
            dispatcher->also_serve(threads);
    }
    Process& add_thread(std::function<void()> body)
    {
        Process& thread = add_sleeping_process(std::move(body));
        thread.queue = &threads;
        return thread;
    }
    void give_way_until_told()
    {
        while (word.load() == 0) {
            Dispatcher::here().preempt();
            if (word.load() == 0)
                arch::pause();
        }
    }
};

template <class Fill>
explorer::Play play_of(unsigned expected, Fill fill)
{
    explorer::Play play;
    play.may_wait = true; // processors are idle in the end
    auto scene = std::make_shared<Scene>(play);
    fill(*scene);
    play.check = [scene, expected] {
        return scene->strayed == 0 ? scene->verdict(expected) : "a thread ran where it may not";
    };
    return play;
}

// The processor is a gang's, and has nothing else to do.
explorer::Play a_thread_is_made_ready(std::uint64_t processors)
{
    return play_of(2, [processors](Scene& scene) {
        scene.add_processor(scene.gangs);
        scene.serve_threads();
        Process& thread = scene.add_thread([] { });
        thread.processors = processors;
        scene.add_somebody([&thread] { make_ready(thread); });
    });
}

// The processor's idle mark is claimed for one of the two, and nobody is told of the other. The thread gives
// way until the member has run, which has no other processor, and ends then.
explorer::Play a_thread_and_a_member_are_made_ready()
{
    return play_of(4, [](Scene& scene) {
        scene.add_processor(scene.gangs);
        scene.serve_threads();
        Process& thread = scene.add_thread([&scene] { scene.give_way_until_told(); });
        Process& member = scene.add_sleeping_process([&scene] { scene.word.store(1); });
        member.queue = &scene.gangs;
        for (Process* const one : {&thread, &member})
            scene.add_somebody([one] { make_ready(*one); });
    });
}

// The member has the gang's processor until the thread has run, on the other one.
explorer::Play a_member_waits_for_a_thread()
{
    return play_of(3, [](Scene& scene) {
        scene.add_processor(scene.gangs);
        scene.add_processor();
        scene.serve_threads();
        Process& thread = scene.add_thread([&scene] { scene.word.store(1); });
        Process& member = scene.add_sleeping_process([&scene] {
            while (scene.word.load() == 0)
                arch::pause();
        });
        member.queue = &scene.gangs;
        scene.add_somebody([&thread, &member] {
            make_ready(thread);
            make_ready(member);
        });
    });
}

// One of the two spins for the other on their only processor, and gives way as a tick has it.
explorer::Play they_take_turns(bool thread_spins)
{
    return play_of(2, [thread_spins](Scene& scene) {
        scene.add_processor();
        scene.serve_threads();
        const auto spins = [&scene] { scene.give_way_until_told(); };
        const auto tells = [&scene] { scene.word.store(1); };
        scene.threads.add(thread_spins ? scene.add_thread(spins) : scene.add_thread(tells));
        if (thread_spins)
            scene.add_process(tells);
        else
            scene.add_process(spins);
    });
}

// Two threads spin for one of another list, on the only processor, and give way as a tick has it.
explorer::Play lists_take_turns(std::uint64_t of_those_that_spin, std::uint64_t of_the_other)
{
    return play_of(3, [=](Scene& scene) {
        scene.add_processor();
        scene.serve_threads();
        for (int i = 0; i < 2; ++i) {
            Process& spins = scene.add_thread([&scene] { scene.give_way_until_told(); });
            spins.processors = of_those_that_spin;
            scene.threads.add(spins);
        }
        Process& tells = scene.add_thread([&scene] { scene.word.store(1); });
        tells.processors = of_the_other;
        scene.threads.add(tells);
    });
}

// Two processors are idle. The thread asks for one and runs there, then asks for the other and runs
// there.
explorer::Play a_thread_says_where_it_runs()
{
    return play_of(2, [](Scene& scene) {
        scene.add_processor(scene.gangs);
        scene.add_processor(scene.gangs);
        scene.serve_threads();
        Process& thread = scene.add_thread([&scene] {
            for (const unsigned wanted : {1u, 0u}) {
                current().processors = std::uint64_t{1} << wanted;
                if (Dispatcher::here().index() != wanted)
                    Dispatcher::here().preempt();
                scene.strayed += Dispatcher::here().index() != wanted;
            }
        });
        scene.add_somebody([&thread] { make_ready(thread); });
    });
}

// Its own processor has a member that never gives way, and waits for it.
explorer::Play a_thread_has_no_place()
{
    return play_of(3, [](Scene& scene) {
        scene.add_processor();
        scene.add_processor(scene.gangs);
        scene.serve_threads();
        Process& thread = scene.add_thread([&scene] { scene.word.store(1); });
        thread.processors = 2;
        Process& member = scene.add_sleeping_process([&scene, &thread] {
            make_ready(thread);
            while (scene.word.load() == 0)
                arch::pause();
        });
        member.queue = &scene.gangs;
        member.kind = ProcessKind::uninterruptible;
        scene.add_somebody([&member] { make_ready(member); });
    });
}

} // namespace

TEST_CASE("a thread runs where it says, in any order of steps, and elsewhere rather than never")
{
    const explorer::Options options{.preemptions = 0, .memory = explorer::Model::sequential};
    CHECK(explorer::explore(options, a_thread_says_where_it_runs).failure == "");
    CHECK(explorer::explore(options, a_thread_has_no_place).failure == "");
}

TEST_CASE("a thread runs on an idle processor of another queue in any order of steps")
{
    for (const std::uint64_t processors : {Process::every_processor, std::uint64_t{1}})
        CHECK(explorer::explore({.preemptions = 1}, [=] {
                  return a_thread_is_made_ready(processors);
              }).failure == "");
    const explorer::Options options{.preemptions = 0, .memory = explorer::Model::sequential};
    CHECK(explorer::explore(options, a_thread_and_a_member_are_made_ready).failure == "");
}

TEST_CASE("an idle processor hears of a thread when another one is busy, in any order of steps")
{
    const explorer::Options options{.preemptions = 0, .memory = explorer::Model::sequential};
    CHECK(explorer::explore(options, a_member_waits_for_a_thread).failure == "");
}

TEST_CASE("threads and what a processor's queue has take turns in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 1}, [] { return they_take_turns(true); }).failure == "");
    CHECK(explorer::explore({.preemptions = 1}, [] { return they_take_turns(false); }).failure == "");
    for (const bool own_spin : {true, false}) {
        const std::uint64_t spin = own_spin ? 1 : Process::every_processor;
        const std::uint64_t other = own_spin ? Process::every_processor : 1;
        CHECK(explorer::explore({.preemptions = 1}, [=] { return lists_take_turns(spin, other); }).failure ==
              "");
    }
}
