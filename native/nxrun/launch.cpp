// SPDX-License-Identifier: MIT
#include "native/nxrun/launch.hpp"

#include "messaging/composition.hpp"
#include "native/interface/library_image.h"
#include "native/nxrun/first_machine.hpp"
#include "native/nxrun/machine.hpp"
#include "native/nxrun/other_machine.hpp"
#include "native/nxrun/separate_ranks.hpp"
#include "native/nxrun/shared_space.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

namespace {

// How often waits and departures are looked at. A deadlock is told after two looks.
constexpr itimerspec looks{{0, 200'000'000}, {0, 200'000'000}};

const parley_library& map_library(int file)
{
    const parley_library* const library = parley_map_library(file);
    if (library == nullptr)
        throw BadRequest{errno == 0 ? "The message library beside nxrun is damaged: install it again."
                                    : std::string("The message library cannot be mapped: ") +
                                          std::strerror(errno) + "."};
    return *library;
}

sigset_t wanted_signals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGTSTP})
        sigaddset(&signals, signal);
    for (const int signal : {SIGHUP, SIGTSTP}) {
        struct sigaction action{};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
            sigdelset(&signals, signal); // by nohup, for instance
    }
    return signals;
}

unsigned places_here(const Places& places)
{
    unsigned count = 0;
    for (const Place& place : places)
        count += places.is_here(place) ? 1 : 0;
    return count;
}

// Semaphores stay within a machine: a job on several can open none.
unsigned policy_processes_of(const RankSemaphores& semaphores, const Spread& layout)
{
    return layout.machines == 1 ? semaphores.policy_processes() : 0;
}

Record record_of(const NxrunOptions& options, const DesignChoice& design, const std::string& semaphore,
                 unsigned processors)
{
    Record record;
    record.app = options.command.front();
    record.design = design.text;
    record.asked_design = options.design;
    record.semaphore = semaphore;
    record.dispatch = options.statically.value_or(false) ? "static" : "virtual";
    record.nodes = options.nodes;
    record.pids = options.pids;
    record.host = options.hosted;
    record.processors = processors;
    return record;
}

std::unique_ptr<RankStarter> starter_of(const SharedJobMemory& memory, const parley_library& library,
                                        int file, const sigset_t& signals)
{
    if (memory.job().one_domain != 0)
        return std::make_unique<SharedSpace>(memory.job(), library);
    return std::make_unique<SeparateRanks>(memory, library, file, signals);
}

std::unique_ptr<Federation> federation_of(const MachineParts& parts, const Spread& layout,
                                          SharedJobMemory& memory, const JobClock& clock,
                                          const std::vector<std::string>& command, Record& record,
                                          TraceCollection& traces)
{
    if (layout.here == 0)
        return std::make_unique<FirstMachine>(parts, layout.machines, memory.job().places, command, record,
                                              traces);
    return std::make_unique<OtherMachine>(parts, memory.job().places, TraceSender(memory.trace(), clock));
}

} // namespace

Launch::Launch(const NxrunOptions& options, const DesignChoice& design, int library, const World& world,
               Connection& connection)
    : options_(options), clock_{clock_hertz(), cycles()}, layout_{.nodes = options.nodes,
                                                                  .pids = options.pids,
                                                                  .host = options.hosted,
                                                                  .machines = world.machines,
                                                                  .here = world.here},
      library_(map_library(library)), connection_(connection),
      semaphores_(choose_semaphore(options.semaphore), layout_.layout().programs(), library_),
      places_(layout_, messaging::helpers_of(design.design), policy_processes_of(semaphores_, layout_)),
      processors_(usable_processors(), options.pinned && !may_use_openmp(options.command.front()),
                  places_here(places_)),
      memory_(options, design, semaphores_, places_, processors_, clock_, library_),
      signals_(wanted_signals()), starter_(starter_of(memory_, library_, library, signals_)),
      output_(options.tagged, STDOUT_FILENO), departures_(memory_.area(), memory_.arena(), library_),
      ranks_({places_, memory_.job().places, memory_.trace(), processors_, *starter_, output_, departures_,
              events_, names_, *this}),
      waits_(places_, layout_.here, memory_.arena(), semaphores_, names_),
      messages_(waits_, memory_, library_, static_cast<int>(options.nodes)),
      traces_(memory_.trace(), clock_, layout_.machines, FirstMachine::longest_wait, connection_,
              [this](unsigned machine) { return connection_.clock(machine); }),
      federation_(federation_of({places_, ranks_, messages_, connection_}, layout_, memory_, clock_,
                                options.command, record_, traces_)),
      control_(places_), schedule_(ranks_, *federation_, control_)
{
    record_ = record_of(options, design, semaphores_.text(), processors_.count());
    if (is_first() && options.tells_of_run())
        record_.openmp = openmp_runtime_of(options.command.front());
    sigprocmask(SIG_BLOCK, &signals_, nullptr);
    signal_file_ = checked(signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK), "a queue of signals");
    events_.watch(signal_file_, EventSource::signal);
    if (options.limit_seconds > 0 && is_first())
        limit_timer_ = timer({{}, {static_cast<time_t>(options.limit_seconds), 0}}, EventSource::limit);
    look_timer_ = timer(looks, EventSource::tick);
    events_.watch(output_.descriptor(), EventSource::output);
}

Launch::~Launch()
{
    for (const int descriptor : {signal_file_, limit_timer_, look_timer_})
        if (descriptor >= 0)
            close(descriptor);
}

int Launch::timer(const itimerspec& when, EventSource source) const
{
    const int file = checked(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), "a timer");
    timerfd_settime(file, 0, &when, nullptr);
    events_.watch(file, source);
    return file;
}

const Record& Launch::run()
{
    const auto began = std::chrono::steady_clock::now();
    join_machines();
    if (options_.gang)
        events_.watch(schedule_.take_turns(processors_.used_by(places_.size()), options_.slice_milliseconds),
                      EventSource::turn);
    else
        schedule_.begin();
    while (ranks_.alive() > 0 || schedule_.has_ranks_to_come())
        attend_events();
    record_.turns = schedule_.finish(); // others' turns come before all that is still to be written
    while (output_.waits())
        attend_events();
    federation_->complete(record_);
    sigprocmask(SIG_UNBLOCK, &signals_, nullptr); // from here on each ends nxrun
    record_.clock_hertz = clock_.hertz;
    record_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return record_;
}

// The process that has the network enters it before any rank begins; that all machines were asked for the
// same job is found out there.
void Launch::join_machines()
{
    Place& helper = places_.back();
    const auto joined = connection_.join(helper.endpoint, memory_, processors_, library_);
    if (!joined)
        return;
    ranks_.adopt(helper, joined->network);
    {
        const LockGuard guard(places_.roster().lock());
        places_.roster().begin(helper.endpoint);
    }
    processors_.share(joined->crowd);
    memory_.share_processors(processors_.sharers());
    messages_.enter(helper.endpoint);
    events_.watch(connection_.descriptor(), EventSource::machines);
}

void Launch::attend_events()
{
    events_.await([this](EventSource source, unsigned endpoint) { attend(source, endpoint); });
}

void Launch::attend(EventSource source, unsigned endpoint)
{
    switch (source) {
    case EventSource::signal: return take_signals();
    case EventSource::limit: return reach_limit();
    case EventSource::tick: return attend_tick();
    case EventSource::request: return ranks_.serve(places_[endpoint]);
    case EventSource::output: return output_.attend();
    case EventSource::turn: return schedule_.attend();
    case EventSource::machines: return receive_packets();
    }
}

void Launch::receive_packets()
{
    unsigned machine = 0;
    while (const std::optional<Packet> packet = connection_.receive(machine))
        federation_->receive(machine, *packet);
}

void Launch::take_signals()
{
    signalfd_siginfo info;
    bool asked_to_end = false, asked_to_stop = false;
    while (read(signal_file_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        asked_to_stop = asked_to_stop || info.ssi_signo == SIGTSTP;
        asked_to_end = asked_to_end || (info.ssi_signo != SIGCHLD && info.ssi_signo != SIGTSTP);
    }
    if (asked_to_end)
        interrupt();
    else if (asked_to_stop)
        schedule_.pause();
    collect_ended();
    const JobControl::Wish wish = control_.attend();
    if (wish.pause)
        schedule_.pause();
    if (!wish.refused.empty())
        federation_->end(JobEnd::failed, "The job failed: " + wish.refused + ".");
}

void Launch::interrupt()
{
    output_.give_up();
    federation_->end(JobEnd::interrupted, "Interrupted; all ranks have been ended.");
}

void Launch::collect_ended()
{
    int status = 0;
    rusage used{};
    for (pid_t process = 0; (process = wait4(-1, &status, WNOHANG, &used)) > 0;)
        for (Place& place : places_)
            if (place.process == process)
                ended(place, status, used);
}

void Launch::ended(Place& place, int status, const rusage& used)
{
    if (control_.ended(place, status))
        interrupt();
    std::optional<std::string> lost = ranks_.ended(place, status, used, clock_.hertz);
    if (!lost && WIFEXITED(status))
        lost = lost_in_p(place);
    if (place.role == Role::network)
        federation_->network_ended();
    else
        federation_->ended(place, status, lost);
}

// It was ended by a thread or a handler of its own, and stands in a queue for ever.
std::optional<std::string> Launch::lost_in_p(const Place& place) const
{
    sched::SemaphoreWaiter::WaitInP wait{};
    if (!semaphores_.waits(place.endpoint, wait))
        return {};
    return "The job failed: " + places_.name_of(place) + " ended while it waited in P of semaphore " +
           std::to_string(wait.semaphore) + ", where a V would be lost to it.";
}

void Launch::reach_limit()
{
    std::uint64_t times = 0;
    (void)!::read(limit_timer_, &times, sizeof times);
    output_.give_up();
    federation_->end_with_reports(JobEnd::limit,
                                  "The job has reached its limit of " +
                                      std::to_string(static_cast<long>(options_.limit_seconds)) + " s.");
}

void Launch::attend_tick()
{
    std::uint64_t ticks = 0;
    (void)!::read(look_timer_, &ticks, sizeof ticks);
    schedule_.look();
    if (const std::optional<std::string> lost = ranks_.look_after_departures())
        federation_->end(JobEnd::failed, *lost);
    federation_->look();
}

} // namespace parley::native
