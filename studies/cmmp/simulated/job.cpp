// SPDX-License-Identifier: MIT
#include "studies/cmmp/simulated/job.hpp"

#include "kernel/program/host_arena.hpp"
#include "sched/semaphore/policy_module.hpp"
#include "sched/semaphore/semaphore_table.hpp"
#include "studies/cmmp/simulated/disk.hpp"

#include "sched/leaves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <memory>
#include <span>

extern "C" {
#include "studies/cmmp/apps/rootfinder/carrier.h"
#include "studies/cmmp/apps/rootfinder/tail.h"

// The program's own, whose names are taken by what stands before them: see the end of this file.
long double real_tail_probability(long double x, long* steps);
int real_interval_find(struct interval* interval, const long double* values, long processes);
}

namespace parley::simulated {

namespace {

class SimulatedClock final : public sched::SemaphoreClock {
public:
    explicit SimulatedClock(const Costs& costs) : costs_(costs) { }

    std::uint64_t nanoseconds() override { return SimulatedPrograms::now(); }
    bool sleep_until(std::uint64_t nanoseconds, const Atomic<bool>&) override
    {
        SimulatedPrograms::here()->sleep_until(nanoseconds);
        return true;
    }
    void spend_on_request(unsigned queue) override
    {
        const Nanoseconds time =
            queue == sched::PolicyModule::communication ? costs_.communication : costs_.scheduling;
        SimulatedPrograms::here()->compute(time);
        served_ += time;
    }
    void spend_on_wake() override { SimulatedPrograms::here()->compute(costs_.wake_each); }
    Nanoseconds served() const { return served_; }

private:
    const Costs& costs_;
    Nanoseconds served_ = 0;
};

template <class Leaf>
sched::Semaphore* create_leaf(Arena& arena, const sched::SemaphoreSurroundings& surroundings,
                              const LeafValues& values)
{
    if constexpr (messaging::HasArguments<Leaf>)
        return arena.create<Leaf>(surroundings, values).value();
    else
        return arena.create<Leaf>(surroundings).value();
}

// The job's semaphores as its processes call them.
class Semaphores {
public:
    Semaphores(const Question& question, unsigned number)
        : costs_(question.costs), clock_(question.costs),
          store_(question.costs.search, question.costs.rotation, question.disks, question.pages),
          living_(question.processes), table_(arena_, 0, question.processes, counts_), words_(number)
    {
        const sched::SemaphoreSurroundings surroundings{clock_, store_, counts_};
        sched::SemaphoreLeaves::with(question.semaphore.name, [&]<class Leaf>() {
            kind_ = create_leaf<Leaf>(arena_, surroundings, question.semaphore.values);
        });
        table_.use(*kind_);
        is_tree_ = question.semaphore.name == sched::CombiningSemaphore::name;
        for (unsigned at = 0; at < number; ++at)
            ids_.push_back(table_.open(at, 0, [](unsigned) { return Result<void>{}; }).value());
    }

    const long* ids() const { return ids_.data(); }
    unsigned policy_processes() const { return kind_->processes(); }
    void run(unsigned policy_process) { kind_->run(policy_process); }
    // By each process of the program, at its end.
    void leave()
    {
        if (--living_ == 0)
            kind_->close();
    }
    parley_semaphore_counts counts() const { return counts_.now(); }
    // What policy processes have spent on requests.
    Nanoseconds service() const { return clock_.served() + store_.busy(); }

    void p(long id)
    {
        SimulatedPrograms& machine = *SimulatedPrograms::here();
        machine.compute(costs_.p);
        if (!kind_->in_user()) {
            (void)table_.p(machine.current(), id);
            return;
        }
        while (!parley_spin_take(&words_[PARLEY_SEMAPHORE_NUMBER(id)]))
            machine.spin(costs_.turn, word_share());
    }
    void v(long id)
    {
        SimulatedPrograms& machine = *SimulatedPrograms::here();
        machine.compute(costs_.v);
        if (kind_->in_user())
            parley_spin_give(&words_[PARLEY_SEMAPHORE_NUMBER(id)]);
        else
            (void)table_.v(id);
        machine.changed();
    }
    // One call: who is woken later in it goes on later.
    void v_all(std::span<const long> ids)
    {
        SimulatedPrograms& machine = *SimulatedPrograms::here();
        if (is_tree_ && !ids.empty()) {
            // A V wakes one itself; here that time goes by as each is woken.
            machine.compute(costs_.v - std::min(costs_.v, costs_.wake_each) +
                            (ids.size() - 1) * costs_.v_each);
            (void)table_.v_all(ids);
            return;
        }
        for (std::size_t at = 0; at < ids.size(); ++at) {
            if (at == 0 || kind_->in_user()) {
                v(ids[at]);
                continue;
            }
            machine.compute(costs_.v_each);
            (void)table_.v(ids[at]);
            machine.changed();
        }
    }

private:
    // Of the references that a look makes: two instructions of four words, the word itself, and two words of
    // code for each turn of the delay loop. A model of the documents' program.
    double word_share() const { return 1.0 / (5 + 2.0 * kind_->delay()); }

    const Costs& costs_;
    kernel::testing::HostArena arena_;
    SimulatedClock clock_;
    SimulatedStore store_;
    sched::SemaphoreCounts counts_;
    unsigned living_;
    sched::SemaphoreTable table_;
    sched::Semaphore* kind_ = nullptr;
    bool is_tree_ = false;
    std::vector<long> ids_;
    std::deque<unsigned> words_;
};

// body(process) for each process, and the policy processes.
bool run_all(SimulatedPrograms& machine, Semaphores& semaphores, const Question& question,
             const std::function<void(unsigned)>& body)
{
    for (unsigned process = 0; process < question.processes; ++process)
        machine.add(
            question.costs.wake,
            [&, process] {
                body(process);
                semaphores.leave();
            },
            question.code.empty() ? Banks::none : question.code[process]);
    for (unsigned process = 0; process < semaphores.policy_processes(); ++process)
        machine.add(question.costs.policy_wake, [&, process] { semaphores.run(process); });
    return machine.run();
}

// The machine that is asked for, or one with a processor for everybody.
Hardware hardware_of(const Question& question, unsigned everybody)
{
    Hardware hardware = question.hardware;
    if (hardware.fast + hardware.slow == 0)
        hardware.fast = everybody;
    return hardware;
}

// What evaluations cost: authentic ones in proportion to the steps of the function, beside a part that is
// always the same, so that they have the mean and the deviation that are asked for; drawn ones are steps
// only.
struct Evaluation {
    double base = 0, step = 0;
};

struct Moments {
    double mean, deviation;
};

// Of the steps of one process that looks for so many roots.
Moments steps_alone(long roots)
{
    double sum = 0, squares = 0, count = 0;
    for (long root = 0; root < roots; ++root)
        for (interval where = interval_for(root); !interval_is_found(&where); ++count) {
            long steps = 0;
            const long double value =
                real_tail_probability(interval_point(&where, 1, 1), &steps) - root_level(root);
            sum += static_cast<double>(steps);
            squares += static_cast<double>(steps) * static_cast<double>(steps);
            if (!real_interval_find(&where, &value, 1))
                break;
        }
    const double mean = sum / count;
    return {mean, std::sqrt(squares / count - mean * mean)};
}

Evaluation cost_of(const Question& question)
{
    if (question.lengths.kind != length_authentic)
        return {0, question.mean / static_cast<double>(question.lengths.mean)};
    const Moments steps = steps_alone(question.roots);
    const double step =
        question.mean * static_cast<double>(question.lengths.deviation) / 100 / steps.deviation;
    return {question.mean - step * steps.mean, step};
}

// How far a root is from the crossing by the C library's function, to first order; to be within epsilon.
bool is_right(long double x, long root)
{
    const long double reference = std::erfc(x / std::sqrt(2.0L)) / 2;
    const long double density = std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0L));
    return std::fabs(reference - root_level(root)) / density <= interval_epsilon;
}

class RootJob {
public:
    explicit RootJob(const Question& question)
        : question_(question), evaluation_(cost_of(question)), semaphores_(question, question.processes),
          messages_(question.costs.message, question.processes), woken_after_(question.processes),
          woken_times_(question.processes)
    {
    }
    StageMeans run();

    // ---- by the program (program.cpp) ----

    void p(long id)
    {
        const Nanoseconds before = SimulatedPrograms::now() + question_.costs.p;
        semaphores_.p(id);
        if (SimulatedPrograms::now() == before)
            return; // it did not wait
        woken_after_[woken_] += static_cast<double>(SimulatedPrograms::now() - wakes_since_);
        ++woken_times_[woken_++];
    }
    void v(long id)
    {
        if (wakes_++ == 0)
            wakes_since_ = SimulatedPrograms::now();
        semaphores_.v(id);
    }
    void v_all(std::span<const long> ids)
    {
        wakes_ = static_cast<unsigned>(ids.size());
        wakes_since_ = SimulatedPrograms::now();
        semaphores_.v_all(ids);
    }
    Messages& messages() { return messages_; }
    void evaluate(long steps)
    {
        const double time = evaluation_.base + evaluation_.step * static_cast<double>(steps);
        SimulatedPrograms::here()->compute(static_cast<Nanoseconds>(time + 0.5),
                                           SimulatedPrograms::Memory::bank);
    }
    void work(long steps)
    {
        SimulatedPrograms::here()->compute(
            static_cast<Nanoseconds>(evaluation_.step * static_cast<double>(steps) + 0.5),
            SimulatedPrograms::Memory::bank);
    }
    void find(long processes)
    {
        const Costs& costs = question_.costs;
        SimulatedPrograms::here()->compute(costs.find +
                                           costs.find_each * static_cast<Nanoseconds>(processes));
        wakes_ = woken_ = 0;
        last_.push_back(SimulatedPrograms::here()->current());
    }

private:
    void tell_experiences(StageMeans& answer) const;

    const Question& question_;
    const Evaluation evaluation_;
    Semaphores semaphores_;
    Messages messages_;
    std::deque<force> forces_; // one, or by messages one each; the first does FIND
    std::deque<experience> experiences_;
    Nanoseconds began_ = 0, ended_ = 0;
    std::vector<double> last_;       // to post, by stage
    unsigned wakes_ = 0, woken_ = 0; // of the stage: Vs, and processes that go on
    Nanoseconds wakes_since_ = 0;
    std::vector<double> woken_after_; // by how many have gone on before in the stage; and how often
    std::vector<unsigned> woken_times_;
};

RootJob* job = nullptr;

StageMeans RootJob::run()
{
    const carrier& carrier = question_.by_messages ? by_messages : by_semaphores;
    const task task{&question_.lengths, question_.processes, question_.roots,
                    &carrier,           semaphores_.ids(),   question_.together,
                    /*every=*/1,        /*fixed=*/0};
    forces_.resize(carrier.shares_force ? 1 : question_.processes);
    for (force& one : forces_)
        force_begin(&one);
    experiences_.resize(question_.processes);
    job = this;
    SimulatedPrograms machine(hardware_of(question_, question_.processes + semaphores_.policy_processes()));
    machine.look_every(question_.costs.turn);
    const TrafficSource traffic(machine, question_.traffic);
    if (question_.watch_to != 0)
        machine.watch(question_.watch_from, question_.watch_to);
    StageMeans answer;
    answer.ended = run_all(machine, semaphores_, question_, [&](unsigned process) {
        force& own = forces_[carrier.shares_force ? 0 : process];
        if (process == 0)
            began_ = own.began = SimulatedPrograms::now();
        if (carrier.prepare != nullptr)
            carrier.prepare(&own, process + 1, question_.processes);
        force_work(&own, &task, process + 1, &experiences_[process]);
        if (carrier.end != nullptr)
            carrier.end(&own, question_.processes);
        ended_ = std::max(ended_, SimulatedPrograms::now());
    });
    job = nullptr;
    answer.elapsed = ended_ - began_;
    const force& first = forces_.front();
    answer.stages = first.stages;
    answer.counts = semaphores_.counts();
    answer.machine = machine.counts();
    answer.spans = machine.timeline().spans();
    for (long root = 0; root < question_.roots; ++root)
        answer.wrong += is_right(first.roots[root], root) &&
                                first.stages_of_root[root] == interval_stages(question_.processes)
                            ? 0
                            : 1;
    for (unsigned process = 0; process < semaphores_.policy_processes(); ++process)
        answer.policy_share =
            std::max(answer.policy_share, static_cast<double>(machine.busy(question_.processes + process)) /
                                              static_cast<double>(answer.elapsed));
    tell_experiences(answer);
    return answer;
}

void RootJob::tell_experiences(StageMeans& answer) const
{
    const force& first = forces_.front();
    double sum = 0, squares = 0;
    for (long stage = 0; stage < first.stages; ++stage) {
        double largest = 0;
        for (const experience& one : experiences_) {
            const double time = one.evaluation_ns[stage];
            largest = std::max(largest, time);
            sum += time;
            squares += time * time;
        }
        answer.largest += largest;
        answer.find += first.find_ns[stage];
        answer.wake_others += first.v_ns[stage];
    }
    const double stages = static_cast<double>(first.stages);
    const double evaluations = stages * question_.processes;
    answer.evaluation = sum / evaluations;
    answer.deviation =
        std::sqrt(std::max(0.0, squares / evaluations - answer.evaluation * answer.evaluation));
    for (double* const total : {&answer.largest, &answer.find, &answer.wake_others})
        *total /= stages;
    for (unsigned place = 0; place + 1 < question_.processes; ++place)
        answer.woken_after.push_back(woken_times_[place] == 0 ? 0
                                                              : woken_after_[place] / woken_times_[place]);
    if (!question_.samples)
        return;
    answer.last = last_;
    answer.stage_times.assign(first.stage_ns, first.stage_ns + first.stages);
    for (const experience& one : experiences_)
        answer.evaluations.emplace_back(one.evaluation_ns, one.evaluation_ns + first.stages);
}

} // namespace

StageMeans find_roots(const Question& question)
{
    const auto made = std::make_unique<RootJob>(question); // too large for a stack
    return made->run();
}

Primitives measure(const Question& question, Nanoseconds gap)
{
    constexpr unsigned rounds = 20;
    Question pair = question;
    pair.processes = 2;
    Semaphores semaphores(pair, 2);
    const long* const ids = semaphores.ids();
    SimulatedPrograms machine(2 + semaphores.policy_processes());
    machine.look_every(question.costs.turn);
    Nanoseconds v = 0, wake = 0, service = 0; // sums
    Nanoseconds given = 0;
    run_all(machine, semaphores, pair, [&](unsigned process) {
        for (unsigned round = 0; round < rounds; ++round) {
            if (process == 0) {
                semaphores.p(ids[0]);
                wake += SimulatedPrograms::now() - given;
                service += semaphores.service();
                machine.compute(2 * gap);
                semaphores.v(ids[1]);
                continue;
            }
            machine.compute(gap);
            service -= semaphores.service();
            const Nanoseconds before = SimulatedPrograms::now();
            semaphores.v(ids[0]);
            given = SimulatedPrograms::now();
            v += given - before;
            machine.compute(gap); // its own wait is not to be in the way
            semaphores.p(ids[1]);
        }
    });
    const auto mean = [](Nanoseconds sum) { return static_cast<double>(sum) / rounds; };
    const Nanoseconds stops = semaphores.service() / 2 - service; // both processes wait once a round
    return {static_cast<double>(question.costs.p), mean(v), mean(wake), mean(service), mean(stops)};
}

} // namespace parley::simulated

// What the program calls in place of the machine's own: P and V, messages, the clock, and the work whose time
// is simulated.
extern "C" {

using parley::simulated::job;

void P(long id) { job->p(id); }
void V(long id) { job->v(id); }
void nx_v_all(const long* ids, long count) { job->v_all({ids, static_cast<std::size_t>(count)}); }
void csend(long type, const void* bytes, long count, long node, long)
{
    job->messages().send(static_cast<unsigned>(node), type, bytes, static_cast<std::size_t>(count));
}
void crecvp(long type, void** block, long) { job->messages().receive(type, *block); }
void* nx_alloc_aligned(long bytes, long alignment)
{
    return std::aligned_alloc(static_cast<std::size_t>(alignment), static_cast<std::size_t>(bytes));
}
void nx_free(void* block) { std::free(block); }
unsigned long nx_cycles(void) { return parley::simulated::SimulatedPrograms::now(); }
double nx_cycles_per_second(void) { return 1e9; }

long double tail_probability(long double x, long* steps)
{
    long taken = 0;
    const long double value = real_tail_probability(x, &taken);
    if (steps != nullptr)
        *steps = taken;
    job->evaluate(taken);
    return value;
}

// Its sum means nothing, so it is not made.
long double tail_work(long double, long steps)
{
    job->work(steps);
    return 0;
}

int interval_find(struct interval* interval, const long double* values, long processes)
{
    job->find(processes);
    return real_interval_find(interval, values, processes);
}

} // extern "C"
