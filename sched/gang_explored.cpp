// SPDX-License-Identifier: MIT
// The schedulers of gangs, in every order of the steps of processors that look for work, of a job that
// schedules its gang and takes it away again, and of whoever makes a member ready.
#include "sched/gang_policy/private.hpp"
#include "sched/gang_policy/shared.hpp"
#include "sched/slot_scheduler.hpp"
#include "sched/system_scheduler.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <array>
#include <deque>
#include <functional>
#include <memory>

using namespace parley;
using namespace parley::sched;

namespace {

std::uint64_t no_time() { return 0; }

// It looks for work as a dispatcher does (sched/dispatcher.cpp), for ever.
class ExploredServer final : public Server {
public:
    explicit ExploredServer(unsigned index) : Server(index) { }

    void wake() override
    {
        explorer::step();
        woken_ = true;
        explorer::wake(this, 1);
    }
    void mark_idle() { set_idle(true); }
    bool is_woken() const { return woken_; }
    void work(const std::function<void(Process&)>& run)
    {
        for (;;) {
            set_idle(true);
            if (Process* const next = next_process()) {
                if (!unmark_idle())
                    if (Server* const other = next->queue->idle_server_for(*next))
                        other->wake();
                run(*next);
                continue;
            }
            explorer::step();
            while (!woken_)
                explorer::sleep(this);
            woken_ = false;
            set_idle(false);
        }
    }

private:
    explorer::Noted<bool> woken_ = false;
};

// A gang's queue, which goes with its job: a processor that asks it then is in a race with that.
template <class Policy>
class LeavingQueue final : public GangScheduler {
public:
    explicit LeavingQueue(const ServerSet& servers) : servers_(servers) { }

    Process& dispatch(Gang& gang, Server& last) override { return policy_.dispatch(gang, last); }
    Process* take(Server& server) override { return has_gone_ ? nullptr : policy_.take(server); }
    void add(Process& process) override { policy_.add(process); }
    Server* idle_server_for(const Process& process) override
    {
        if constexpr (std::is_same_v<Policy, SharedGangScheduler>)
            return servers_.claim_idle(*this);
        else
            return policy_.idle_server_for(process);
    }
    void go() { has_gone_ = true; }

private:
    const ServerSet& servers_;
    Policy policy_ = [this] {
        if constexpr (std::is_same_v<Policy, SharedGangScheduler>)
            return Policy(servers_);
        else
            return Policy();
    }();
    bool has_gone_ = false;
};

// Two processors, a gang of two, and a process of no gang.
template <class Host>
struct Scene {
    Scene()
    {
        for (ExploredServer& processor : processors) {
            processor.serve(host);
            servers.add(processor);
        }
        other.queue = second.queue = &host;
    }

    void fill(Gang& gang)
    {
        for (Process& member : members) {
            gang.add(member);
            member.queue = &gang.queue();
        }
    }
    // The first member waits before it ends, as often as it is told.
    void run(Process& process)
    {
        if (process.gang == nullptr) {
            ++others_run;
            if (&process == &other && has_second)
                await(second_runs, 1);
            else if (&process == &second)
                second_runs.store(1);
            return;
        }
        ++runs[process.member];
        if (process.member == 0 && waits > 0) {
            --waits;
            waiting.store(1);
            return;
        }
        host.member_ended(*process.gang);
        ended.fetch_add(1);
    }
    void make_ready(Process& process)
    {
        process.queue->add(process);
        if (Server* const idle = process.queue->idle_server_for(process))
            idle->wake();
    }
    static void await(const Atomic<unsigned>& word, unsigned value)
    {
        while (word.load() != value)
            explorer::spin();
    }
    // As a job that has ended does.
    void leave_processors(const ReadyQueue& queue)
    {
        for (const ExploredServer& processor : processors)
            while (processor.asks(queue))
                explorer::spin();
    }
    std::string verdict(unsigned first, unsigned second) const
    {
        if (runs[0] != first || runs[1] != second)
            return "a member has run too often, or not at all";
        if (others_run != (has_second ? 2 : 1))
            return "a process that is ready waits for ever";
        for (const ExploredServer& processor : processors)
            if (&processor.queue() != &host)
                return "a processor is not given back";
        return "";
    }

    ExploredServer processors[2] = {ExploredServer(0), ExploredServer(1)};
    ServerSet servers;
    Host host{servers, no_time};
    Process members[2], other;
    Process second; // of no gang either; then `other` has its processor until this one has run
    bool has_second = false;
    explorer::Noted<unsigned> runs[2];
    explorer::Noted<unsigned> others_run = 0;
    explorer::Noted<unsigned> waits = 0;
    explorer::Noted<bool> withdrawn = false;
    Atomic<unsigned> waiting{0}, ended{0}, second_runs{0};
};

template <class Host>
explorer::Play play_of(const std::shared_ptr<Scene<Host>>& scene)
{
    explorer::Play play;
    play.may_wait = true; // processors are idle in the end
    for (ExploredServer& processor : scene->processors)
        play.parties.push_back(
            [scene, &processor] { processor.work([&](Process& process) { scene->run(process); }); });
    return play;
}

template <class Policy>
struct GangScene : Scene<SystemScheduler> {
    GangScene() { fill(gang); }

    LeavingQueue<Policy> queue{servers};
    Gang gang{queue};
};

// The job waits until its gang has ended, and its queue goes; then the processors are the others' again.
template <class Policy>
explorer::Play a_gang_comes_and_goes()
{
    const auto scene = std::make_shared<GangScene<Policy>>();
    explorer::Play play = play_of<SystemScheduler>(scene);
    play.parties.push_back([scene] {
        scene->host.schedule(scene->gang);
        scene->await(scene->ended, 2);
        scene->leave_processors(scene->queue);
        scene->queue.go();
        scene->make_ready(scene->other);
    });
    play.check = [scene] { return scene->verdict(1, 1); };
    return play;
}

// Somebody makes it ready that is no processor, as a device's interrupt does.
template <class Policy>
explorer::Play a_member_waits_and_goes_on()
{
    const auto scene = std::make_shared<GangScene<Policy>>();
    scene->waits = 1;
    explorer::Play play = play_of<SystemScheduler>(scene);
    play.parties.push_back([scene] {
        scene->host.schedule(scene->gang);
        scene->await(scene->waiting, 1);
        scene->make_ready(scene->other); // the gang has all processors
        scene->make_ready(scene->members[0]);
        scene->await(scene->ended, 2);
        scene->leave_processors(scene->queue);
        scene->queue.go();
    });
    play.check = [scene] { return scene->verdict(2, 1); };
    return play;
}

// Two others are ready meanwhile, so that the gang's end brings work to both its processors, of which one may
// be idle.
template <class Policy>
explorer::Play a_gang_ends_and_two_others_wait()
{
    const auto scene = std::make_shared<GangScene<Policy>>();
    scene->has_second = true;
    explorer::Play play = play_of<SystemScheduler>(scene);
    play.parties.push_back([scene] {
        scene->host.schedule(scene->gang);
        scene->make_ready(scene->other);
        scene->make_ready(scene->second);
    });
    play.check = [scene] { return scene->verdict(1, 1); };
    return play;
}

// It is withdrawn at any step: all of it runs, or nothing of it.
template <class Policy>
explorer::Play a_gang_is_withdrawn()
{
    const auto scene = std::make_shared<GangScene<Policy>>();
    explorer::Play play = play_of<SystemScheduler>(scene);
    play.parties.push_back([scene] {
        scene->host.schedule(scene->gang);
        scene->withdrawn = scene->host.withdraw(scene->gang);
        if (!scene->withdrawn)
            scene->await(scene->ended, 2);
        scene->leave_processors(scene->queue);
        scene->queue.go();
        scene->make_ready(scene->other);
    });
    play.check = [scene] {
        const unsigned times = scene->withdrawn ? 0 : 1;
        return scene->verdict(times, times);
    };
    return play;
}

// Under slots: members have homes; the slot ends at any step.
explorer::Play a_gang_in_a_slot()
{
    struct Slots : Scene<SlotScheduler> {
        Slots() { fill(gang); }
        Gang gang{host};
        explorer::Noted<bool> had_a_row = false;
    };
    const auto scene = std::make_shared<Slots>();
    scene->waits = 1;
    explorer::Play play = play_of<SlotScheduler>(scene);
    play.parties.push_back([scene] {
        scene->host.schedule(scene->gang);
        scene->host.add_first(scene->other);
        if (Server* const idle = scene->host.idle_server_for(scene->other))
            idle->wake();
        scene->await(scene->waiting, 1);
        const unsigned rows = scene->host.rows();
        scene->make_ready(scene->members[0]);
        scene->await(scene->ended, 2);
        scene->had_a_row = rows == 1;
    });
    play.check = [scene]() -> std::string {
        if (!scene->had_a_row || scene->host.rows() != 0)
            return "a gang has no row, or keeps it when it has ended";
        return scene->verdict(2, 1);
    };
    return play;
}

// It has no slot yet, and is withdrawn as another's last member ends: it gets that one's slot, or none.
explorer::Play a_gang_that_has_no_slot_is_withdrawn()
{
    struct Full {
        Full()
        {
            servers.add(processor);
            processor.serve(host);
            for (unsigned at = 0; at < gangs.size(); ++at) {
                gangs[at] = std::make_unique<Gang>(host);
                gangs[at]->add(members[at]);
                host.schedule(*gangs[at]);
            }
        }
        ExploredServer processor{0};
        ServerSet servers;
        SlotScheduler host{servers, no_time};
        std::array<Process, SlotScheduler::max_rows + 1> members;
        std::array<std::unique_ptr<Gang>, SlotScheduler::max_rows + 1> gangs;
        explorer::Noted<bool> withdrawn = false;
    };
    const auto scene = std::make_shared<Full>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->host.member_ended(*scene->gangs.front()); });
    play.parties.push_back([scene] { scene->withdrawn = scene->host.withdraw(*scene->gangs.back()); });
    play.check = [scene] {
        const unsigned expected = SlotScheduler::max_rows - (scene->withdrawn ? 1 : 0);
        return scene->host.rows() == expected ? "" : "a gang that is withdrawn has a slot, or another none";
    };
    return play;
}

// The slot ends as a processor asks for work, and as a gang gets its slot.
explorer::Play a_slot_ends()
{
    struct Slots {
        Slots()
        {
            servers.add(processor);
            processor.serve(host);
            for (unsigned at = 0; at < 2; ++at)
                gangs[at].add(members[at]);
            host.schedule(gangs[0]);
        }
        ExploredServer processor{0};
        ServerSet servers;
        SlotScheduler host{servers, no_time};
        Process members[2];
        Gang gangs[2] = {Gang(host), Gang(host)};
        explorer::Noted<bool> found = false;
    };
    const auto scene = std::make_shared<Slots>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->found = scene->host.take(scene->processor) != nullptr; });
    play.parties.push_back([scene] {
        (void)scene->host.advance();
        (void)scene->host.rows();
    });
    play.parties.push_back([scene] { scene->host.schedule(scene->gangs[1]); });
    play.check = [scene]() -> std::string {
        if (scene->host.rows() != 2)
            return "a gang has no slot";
        return scene->found || scene->host.take(scene->processor) != nullptr ? "" : "a member is lost";
    };
    return play;
}

// The processor that was told to serve another queue either asks the gang's, and is seen to do so, or not at
// all: then that may go.
explorer::Play a_queue_is_left()
{
    struct Left {
        Left() { processor.serve(gang); }
        ServerSet servers;
        LeavingQueue<SharedGangScheduler> gang{servers}, others{servers};
        ExploredServer processor{0};
    };
    const auto scene = std::make_shared<Left>();
    explorer::Play play;
    play.parties.push_back([scene] {
        (void)scene->processor.next_process();
        (void)scene->processor.next_process();
    });
    play.parties.push_back([scene] {
        scene->processor.serve(scene->others);
        while (scene->processor.asks(scene->gang))
            explorer::spin();
        scene->gang.go();
    });
    play.check = [scene] { return scene->processor.asks(scene->others) ? "it asks for ever" : ""; };
    return play;
}

// A processor marks itself idle and looks for its member; the member is made ready, and then the mark is
// looked at. One sees the other.
enum class Ready { dispatched, added };

explorer::Play a_member_and_its_idle_processor(Ready ready)
{
    struct Home {
        Home()
        {
            for (Process& member : members)
                gang.add(member);
            for (unsigned place = 0; place < 2; ++place)
                gang.processors[place] = &processors[place];
            gang.processor_count = 2;
        }
        ExploredServer processors[2] = {ExploredServer(0), ExploredServer(1)};
        PrivateGangScheduler queue;
        Gang gang{queue};
        Process members[2];
        explorer::Noted<bool> found = false, claimed = false;
    };
    const auto scene = std::make_shared<Home>();
    if (ready == Ready::added) {
        scene->queue.dispatch(scene->gang, scene->processors[1]);
        (void)scene->queue.take(scene->processors[0]);
    }
    explorer::Play play;
    play.parties.push_back([scene] {
        scene->processors[0].mark_idle();
        scene->found = scene->queue.take(scene->processors[0]) == &scene->members[0];
    });
    play.parties.push_back([scene, ready] {
        if (ready == Ready::dispatched)
            scene->queue.dispatch(scene->gang, scene->processors[1]);
        else
            scene->queue.add(scene->members[0]);
        scene->claimed = scene->processors[0].claim_idle();
    });
    play.check = [scene] { return scene->found || scene->claimed ? "" : "a member waits for ever"; };
    return play;
}

template <class MakePlay>
std::string failure_of(unsigned preemptions, MakePlay make_play)
{
    return explorer::explore({.preemptions = preemptions}, make_play).failure;
}

} // namespace

TEST_CASE("a queue that a processor has left may go in every order of steps there is")
{
    CHECK(failure_of(explorer::unlimited, a_queue_is_left) == "");
}

TEST_CASE("a member of a gang is found or its processor woken in every order of steps there is")
{
    for (const Ready ready : {Ready::dispatched, Ready::added})
        CHECK(failure_of(explorer::unlimited, [ready] { return a_member_and_its_idle_processor(ready); }) ==
              "");
}

TEST_CASE("a gang gets all its processors and gives them back in any order of steps")
{
    CHECK(failure_of(1, a_gang_comes_and_goes<SharedGangScheduler>) == "");
}

TEST_CASE("a gang's end brings work to all its processors in any order of steps")
{
    CHECK(failure_of(1, a_gang_ends_and_two_others_wait<SharedGangScheduler>) == "");
    CHECK(failure_of(1, a_gang_ends_and_two_others_wait<PrivateGangScheduler>) == "");
}

TEST_CASE("a gang is withdrawn from those that wait for a slot in every order of steps there is")
{
    CHECK(failure_of(explorer::unlimited, a_gang_that_has_no_slot_is_withdrawn) == "");
}

TEST_CASE("a slot ends in any order of steps") { CHECK(failure_of(2, a_slot_ends) == ""); }

TEST_CASE("a gang wakes the idle processors of its host alone")
{
    ExploredServer busy{0}, elsewhere{1}, idle{2};
    ServerSet servers;
    SystemScheduler host{servers, no_time}, other{servers, no_time};
    for (ExploredServer* const processor : {&busy, &elsewhere, &idle}) {
        servers.add(*processor);
        processor->serve(processor == &elsewhere ? other : host);
    }
    elsewhere.mark_idle();
    idle.mark_idle();
    Process member;
    SharedGangScheduler queue{servers};
    Gang gang{queue};
    gang.add(member);
    host.schedule(gang);
    CHECK(elsewhere.is_idle());
    CHECK_FALSE(elsewhere.is_woken());
    CHECK_FALSE(busy.is_woken());
    CHECK_FALSE(idle.is_idle());
    CHECK(idle.is_woken());
}

TEST_CASE("a gang's member that is made ready goes on in any order of steps")
{
    CHECK(failure_of(1, a_member_waits_and_goes_on<SharedGangScheduler>) == "");
    CHECK(failure_of(1, a_member_waits_and_goes_on<PrivateGangScheduler>) == "");
}

TEST_CASE("a gang that is withdrawn runs wholly or not at all in any order of steps")
{
    CHECK(failure_of(1, a_gang_is_withdrawn<SharedGangScheduler>) == "");
    CHECK(failure_of(1, a_gang_is_withdrawn<PrivateGangScheduler>) == "");
}

TEST_CASE("a gang in a slot runs and leaves its row in any order of steps")
{
    CHECK(failure_of(1, a_gang_in_a_slot) == "");
}
