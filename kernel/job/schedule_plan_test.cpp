// SPDX-License-Identifier: MIT
// Every combination of design, gang policy, schedule, nodes and processors is refused, or every one of its
// processes runs on the sources of the scheduler, even when all of them only compute until all have run.
#include "kernel/job/schedule_plan.hpp"
#include "messaging/composition.hpp"
#include "messaging/design/design.hpp"
#include "sched/gang_policy/private.hpp"
#include "sched/gang_policy/shared.hpp"
#include "sched/simulated_machine.hpp"
#include "sched/slot_scheduler.hpp"
#include "sched/system_scheduler.hpp"
#include "testing/catch.hpp"

#include <memory>

namespace parley::kernel {

namespace {

using sched::SimulatedMachine;

constexpr std::uint64_t slice = 10'000'000;
constexpr Schedule schedules[] = {Schedule::automatic, Schedule::gang, Schedule::timeshared};
constexpr GangPolicy policies[] = {GangPolicy::by_design, GangPolicy::shared, GangPolicy::private_queues,
                                   GangPolicy::slots};

struct Shape {
    unsigned nodes;
    unsigned pids;
    bool host;

    unsigned programs() const { return nodes * pids + (host ? 1 : 0); }
};
constexpr Shape shapes[] = {{1, 1, false},  {2, 1, false}, {3, 1, false}, {4, 1, false}, {7, 1, false},
                            {64, 1, false}, {1, 2, false}, {4, 2, false}, {1, 1, true},  {4, 1, true}};
constexpr unsigned machines[] = {1, 2, 3, 4, 5, 8, 16, 64};

// A job's processes on a machine, scheduled as planned.
class Simulation {
public:
    Simulation(const SchedulePlan& plan, unsigned members, unsigned processors, bool slots)
        : machine_(processors, [] { return slice; }), members_(new sched::Process[members]), count_(members),
          ran_(members)
    {
        if (slots)
            slots_ = std::make_unique<sched::SlotScheduler>(machine_.servers, SimulatedMachine::clock);
        else
            system_ = std::make_unique<sched::SystemScheduler>(machine_.servers, SimulatedMachine::clock);
        machine_.serve(host());
        machine_.start();
        if (plan.gang)
            begin_gang(*plan.gang);
        else
            begin_timeshared();
    }

    // Whether each gets a processor several times, or keeps one, though nobody ever waits.
    bool everybody_runs()
    {
        constexpr unsigned turns = 3;
        for (unsigned step = 0; step < turns * count_ + machine_.servers.count(); ++step) {
            machine_.run_woken();
            for (unsigned p = 0; p < machine_.servers.count(); ++p)
                if (const sched::Process* running = machine_.running(p))
                    ++ran_[static_cast<std::size_t>(running - members_.get())];
            machine_.step();
            if (slots_)
                slots_->advance();
        }
        return std::ranges::all_of(ran_, [](unsigned times) { return times >= turns; });
    }

private:
    sched::GangHost& host()
    {
        return slots_ ? static_cast<sched::GangHost&>(*slots_) : static_cast<sched::GangHost&>(*system_);
    }
    void begin_gang(const SchedulePlan::GangPlan& plan)
    {
        sched::ReadyQueue* queue = slots_.get();
        if (plan.queue == GangQueue::shared)
            queue = (shared_ = std::make_unique<sched::SharedGangScheduler>(machine_.servers)).get();
        if (plan.queue == GangQueue::private_queues)
            queue = (private_ = std::make_unique<sched::PrivateGangScheduler>()).get();
        gang_ = std::make_unique<sched::Gang>(*queue);
        gang_->want_at_most(plan.processors);
        for (unsigned i = 0; i < count_; ++i) {
            members_[i].kind =
                plan.sliced ? sched::ProcessKind::application : sched::ProcessKind::uninterruptible;
            gang_->add(members_[i]);
        }
        host().schedule(*gang_);
    }
    void begin_timeshared()
    {
        for (unsigned i = 0; i < count_; ++i) {
            members_[i].queue = &host();
            host().add(members_[i]);
        }
        machine_.start();
    }

    SimulatedMachine machine_;
    std::unique_ptr<sched::SystemScheduler> system_;
    std::unique_ptr<sched::SlotScheduler> slots_;
    std::unique_ptr<sched::SharedGangScheduler> shared_;
    std::unique_ptr<sched::PrivateGangScheduler> private_;
    std::unique_ptr<sched::Process[]> members_;
    std::unique_ptr<sched::Gang> gang_;
    unsigned count_;
    std::vector<unsigned> ran_;
};

ScheduleWish wish_for(const messaging::Design& design, const Shape& shape, unsigned processors)
{
    const unsigned members =
        messaging::endpoint_count(messaging::helpers_of(design), shape.nodes, shape.pids, shape.host);
    return {.shared_ready_queue = design.shared_ready_queue,
            .least_processors = messaging::least_processors(design, members),
            .independent = shape.host || shape.pids > 1,
            .programs = shape.programs(),
            .members = members,
            .processors = processors};
}

} // namespace

TEST_CASE("every combination that is accepted lets every process run", "[sched]")
{
    unsigned accepted = 0;
    unsigned refused = 0;
    for (const messaging::Preset& preset : messaging::presets())
        for (const Shape& shape : shapes)
            for (const unsigned processors : machines) {
                if (!messaging::refusal(preset.design, {shape.programs(), processors}).empty())
                    continue;
                for (const GangPolicy policy : policies)
                    for (const Schedule schedule : schedules) {
                        ScheduleWish wish = wish_for(preset.design, shape, processors);
                        wish.policy = policy;
                        wish.schedule = schedule;
                        const auto plan = plan_schedule(wish);
                        if (!plan) {
                            ++refused;
                            continue;
                        }
                        ++accepted;
                        INFO(preset.name << ", " << shape.nodes << " nodes with " << shape.pids
                                         << (shape.host ? " and a host" : "") << ", " << processors
                                         << " processors, gang policy " << static_cast<int>(policy)
                                         << ", schedule " << static_cast<int>(schedule) << ": "
                                         << plan->name());
                        if (plan->gang)
                            REQUIRE(plan->gang->processors <= processors);
                        Simulation simulation(*plan, wish.members, processors, policy == GangPolicy::slots);
                        REQUIRE(simulation.everybody_runs());
                    }
            }
    CHECK(accepted > 4 * refused);
    CHECK(refused > 0);
}

TEST_CASE("only what needs processors of its own, and a gang that was asked for, is refused", "[sched]")
{
    ScheduleWish wish{.least_processors = 4, .programs = 4, .members = 4, .processors = 2};
    CHECK(plan_schedule(wish)->name() == "timeshared");
    wish.independent = true;
    CHECK_FALSE(plan_schedule(wish));
    wish.independent = false;
    wish.schedule = Schedule::gang;
    CHECK_FALSE(plan_schedule(wish));
    wish.schedule = Schedule::timeshared;
    CHECK(plan_schedule(wish)->name() == "timeshared");
}

TEST_CASE("the six designs of the paper run on any number of processors", "[sched]")
{
    for (const std::string_view name : {"exp1", "exp2", "exp3", "exp4", "exp5", "exp6"})
        for (unsigned processors = 1; processors <= 64; ++processors)
            for (unsigned nodes = 1; nodes <= 64; ++nodes) {
                messaging::Design design;
                REQUIRE(messaging::parse_design(name, design).empty());
                INFO(name << " with " << nodes << " nodes on " << processors);
                REQUIRE(messaging::refusal(design, {nodes, processors}).empty());
                REQUIRE(plan_schedule(wish_for(design, {nodes, 1, false}, processors)));
            }
}

TEST_CASE("a gang of designs that block is smaller than its members only with one queue for all", "[sched]")
{
    ScheduleWish wish{.shared_ready_queue = true, .programs = 4, .members = 5, .processors = 2};
    CHECK(plan_schedule(wish)->name() == "gang,shared");
    CHECK(plan_schedule(wish)->gang->sliced);
    wish.policy = GangPolicy::private_queues;
    CHECK(plan_schedule(wish)->name() == "timeshared");
    wish.policy = GangPolicy::slots;
    CHECK(plan_schedule(wish)->name() == "timeshared");
    wish.processors = 5;
    CHECK(plan_schedule(wish)->name() == "gang,slots");
    wish.policy = GangPolicy::private_queues;
    CHECK(plan_schedule(wish)->name() == "gang,private");
    CHECK_FALSE(plan_schedule(wish)->gang->sliced);
}

} // namespace parley::kernel
