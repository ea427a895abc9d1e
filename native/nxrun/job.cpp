// SPDX-License-Identifier: MIT
#include "native/nxrun/job.hpp"

#include "messaging/composition.hpp"
#include "messaging/memory/blocks.hpp"
#include "native/interface/library_image.h"
#include "native/interface/widest_move.h"
#include "native/nxrun/fault_report.hpp"
#include "native/nxrun/machine.hpp"
#include "native/nxrun/printable.hpp"
#include "native/nxrun/processes.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

namespace {

constexpr std::size_t default_budget = std::size_t{64} << 20;
// How often waits and departures are looked at. A deadlock is told after two looks.
constexpr itimerspec looks{{0, 200'000'000}, {0, 200'000'000}};

[[noreturn]] void fail(const std::string& what)
{
    throw BadRequest{"Linux refuses " + what + ": " + std::strerror(errno) + "."};
}

int checked(int value, const char* what)
{
    if (value < 0)
        fail(what);
    return value;
}

const parley_library* map_library(int file)
{
    const parley_library* const library = parley_map_library(file);
    if (library == nullptr)
        throw BadRequest{errno == 0 ? "The message library beside nxrun is damaged: install it again."
                                    : std::string("The message library cannot be mapped: ") +
                                          std::strerror(errno) + "."};
    return library;
}

int exit_status_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

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

} // namespace

Job::Job(const Options& options, const DesignChoice& design, int library, Machines* machines)
    : options_(options), design_(design), semaphore_(choose_semaphore(options.semaphore)),
      library_file_(library), library_(map_library(library)), hosted_(options.hosted),
      helpers_(messaging::helpers_of(design.design)), machines_(machines),
      layout_{.nodes = options.nodes,
              .pids = options.pids,
              .host = options.hosted,
              .machines = machines != nullptr ? machines->count() : 1,
              .here = machines != nullptr ? machines->here() : 0},
      places_(layout_, helpers_), control_(places_), processors_(usable_processors()),
      clock_hertz_(clock_hertz()), waves_(layout_.machines)
{
    make_memory();
    const sigset_t signals = wanted_signals();
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    events_ = checked(epoll_create1(EPOLL_CLOEXEC), "a list of events");
    signals_ = checked(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK), "a queue of signals");
    watch(signals_, Source::signal);
    if (options.limit_seconds > 0 && is_first()) {
        limit_timer_ = checked(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), "a timer");
        const itimerspec end{{}, {static_cast<time_t>(options.limit_seconds), 0}};
        timerfd_settime(limit_timer_, 0, &end, nullptr);
        watch(limit_timer_, Source::limit);
    }
    tick_timer_ = checked(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), "a timer");
    timerfd_settime(tick_timer_, 0, &looks, nullptr);
    watch(tick_timer_, Source::tick);
    watch(output_.descriptor(), Source::output);
    record_.app = options.command.front();
    record_.design = design.text;
    record_.asked_design = options.design;
    record_.semaphore = semaphore_.text;
    record_.dispatch = options.statically.value_or(false) ? "static" : "virtual";
    record_.nodes = options.nodes;
    record_.pids = options.pids;
    record_.host = hosted_;
    record_.processors = static_cast<unsigned>(processors_.size());
}

Job::~Job()
{
    for (const int descriptor : {signals_, limit_timer_, tick_timer_, events_})
        if (descriptor >= 0)
            close(descriptor);
}

void Job::make_memory()
{
    const unsigned endpoints = static_cast<unsigned>(places_.size());
    budget_ = (options_.budget != 0 ? options_.budget : default_budget) + page_bytes - 1;
    budget_ -= budget_ % page_bytes;
    const std::size_t alignment = messaging::Blocks::max_alignment;
    system_bytes_ = messaging::system_bytes(endpoints, budget_, {PARLEY_SHARED_BASE, budget_});
    system_bytes_ = (system_bytes_ + alignment - 1) / alignment * alignment;
    area_ = std::make_unique<SharedFile>("parley-job", PARLEY_NATIVE_JOB_BASE,
                                         sizeof(parley_native_job) + endpoints * sizeof(parley_native_place));
    trace_ = std::make_unique<TraceArea>(options_.watched() ? endpoints : 0,
                                         options_.trace.empty() ? 0 : options_.trace_records);
    const std::size_t known_bytes = PARLEY_REGION_HEADER_BYTES + system_bytes_ + budget_;
    arena_ = std::make_unique<SharedFile>("parley-arena", PARLEY_SHARED_BASE, known_bytes + trace_->bytes());
    trace_->lie_at(arena_->memory() + known_bytes);
    waits_ = std::make_unique<WaitWatch>(places_, layout_.here, *arena_, names_);
    Requests::Machinery& machinery = *this;
    requests_ =
        std::make_unique<Requests>(places_, reinterpret_cast<parley_native_job*>(area_->memory())->places,
                                   options_.command.front(), record_, machinery);
    departures_ = std::make_unique<Departures>(*area_, *arena_, *library_);
    auto& job = *reinterpret_cast<parley_native_job*>(area_->memory());
    job.version = PARLEY_NATIVE_VERSION;
    job.endpoints = endpoints;
    job.bytes = area_->bytes();
    job.arena_bytes = arena_->bytes();
    job.one_domain = messaging::traits_of(design_.design).one_domain ? 1 : 0;
    job.spins = semaphore_.spins ? 1 : 0;
    job.delay = semaphore_.delay;
    job.widest_move = parley_widest_move();
    for (const Place& place : places_)
        crowd_.processes += places_.is_here(place) ? 1 : 0;
    for (const Place& place : places_)
        describe(place, job.places[place.endpoint].start);
    if (job.one_domain != 0)
        domain_ = std::make_unique<Domain>(job, *library_);
}

void Job::describe(const Place& place, parley_start& start) const
{
    start.version = PARLEY_START_VERSION;
    start.node = place.node;
    start.nodes = static_cast<int>(options_.nodes);
    start.pid = places_.roster().pid_of(place.endpoint);
    start.location = PARLEY_IN_USER;
    start.capabilities = messaging::capabilities_of(design_.design);
    start.shares_processor = is_crowded() ? 1 : 0;
    start.pause = start.shares_processor;
    start.endpoint = place.endpoint;
    start.endpoints = static_cast<unsigned>(places_.size());
    start.shared_base = PARLEY_SHARED_BASE;
    start.shared_bytes = arena_->bytes() - trace_->bytes();
    start.library_table = reinterpret_cast<unsigned long>(library_);
    start.system_bytes = system_bytes_;
    start.clock_hertz = clock_hertz_;
    start.clock_start = clock_start_;
    start.processors = static_cast<int>(processors_.size());
    start.host = hosted_ ? 1 : 0;
    start.machines = layout_.machines;
    start.machine = layout_.here;
    if (options_.watched())
        trace_->describe(start);
    design_.text.copy(start.design, sizeof start.design - 1);
    semaphore_.text.copy(start.semaphore, sizeof start.semaphore - 1);
}

void Job::watch(int descriptor, Source source, unsigned endpoint) const
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = std::uint64_t{static_cast<std::uint32_t>(source)} << 32 | endpoint;
    checked(epoll_ctl(events_, EPOLL_CTL_ADD, descriptor, &event), "to watch a rank");
}

const Record& Job::run()
{
    const auto began = std::chrono::steady_clock::now();
    if (machines_ != nullptr)
        join_machines();
    if (options_.gang) {
        turns_ = std::make_unique<Turns>(own_processors(), options_.slice_milliseconds);
        watch(turns_->descriptor(), Source::turn);
    } else
        start_all();
    if (machines_ != nullptr && is_first() && !has_programs())
        finish_machines();
    while (alive_ > 0 || has_ranks_to_come())
        attend_events();
    record_.turns = turns_ ? turns_->begun() : 0;
    turns_.reset(); // others' turns come before all that is still to be written
    while (output_.waits())
        attend_events();
    if (options_.watched() && is_first())
        put_traces_together();
    const sigset_t signals = wanted_signals();
    sigprocmask(SIG_UNBLOCK, &signals, nullptr); // from here on each ends nxrun
    collect_unreceived();
    record_.end = verdict_.how();
    record_.sentence = verdict_.sentence();
    record_.clock_hertz = clock_hertz_;
    record_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return record_;
}

// What has come to ranks that had ended is counted, too: nobody is left who could send.
void Job::collect_unreceived()
{
    for (const Place& place : places_) {
        if (place.role == Role::helper)
            continue;
        const auto elsewhere_left = unreceived_elsewhere_.find(place.endpoint);
        const bool is_known_here = elsewhere_left == unreceived_elsewhere_.end();
        const messaging::Unreceived& left =
            is_known_here ? waits_->unreceived(place.endpoint) : elsewhere_left->second;
        if (!left.empty())
            record_.unreceived.push_back(
                {place.node, roster().pid_of(place.endpoint), places_.name_of(place), left});
    }
}

void Job::attend_events()
{
    epoll_event events[64];
    const int count = epoll_wait(events_, events, std::size(events), -1);
    for (int i = 0; i < count; ++i)
        attend(static_cast<Source>(events[i].data.u64 >> 32), static_cast<unsigned>(events[i].data.u64));
}

// By the clock of this machine, the first.
void Job::put_traces_together()
{
    all_traces_.emplace(*trace_, clock_hertz_, clock_start_);
    for (unsigned machine = 1; machine < layout_.machines; ++machine)
        all_traces_->add(gathering_ ? gathering_->take(machine) : std::vector<std::byte>{},
                         machines_->clock(machine));
    record_.times = all_traces_->times();
}

void Job::attend(Source source, unsigned endpoint)
{
    switch (source) {
    case Source::signal: return take_signals();
    case Source::limit: {
        std::uint64_t times = 0;
        (void)!::read(limit_timer_, &times, sizeof times);
        output_.give_up();
        return end_with_reports(JobEnd::limit, "The job has reached its limit of " +
                                                   std::to_string(static_cast<long>(options_.limit_seconds)) +
                                                   " s.");
    }
    case Source::tick: return look_around();
    case Source::request: return serve(places_[endpoint]);
    case Source::output: return output_.attend();
    case Source::turn: return take_turn();
    case Source::machines: return hear_machines();
    }
}

// ---- turns ----

// Ranks that are pinned run where they are pinned to, all others may run anywhere.
std::vector<int> Job::own_processors() const
{
    std::vector<int> own = processors_;
    if (options_.pinned && places_.size() < own.size())
        own.resize(places_.size());
    return own;
}

void Job::take_turn()
{
    switch (turns_->attend()) {
    case Turns::Change::none: return;
    case Turns::Change::go: return begin_turn();
    case Turns::Change::halt: halt(); return turns_->halted();
    }
}

void Job::begin_turn()
{
    halted_ = false;
    if (!begun_)
        return start_all();
    if (domain_)
        domain_->resume();
    for (const Place& place : places_)
        if (place.process > 0)
            continue_group(place.process);
}

void Job::halt()
{
    halted_ = true;
    for (Place& place : places_)
        if (place.process > 0)
            stop_rank(place);
}

// Ctrl-Z: all stop until the shell has nxrun go on. Whether the turn is over then, is heard before ranks are.
void Job::pause()
{
    const bool ran = begun_ && !halted_;
    if (ran)
        halt();
    control_.suspend();
    if (turns_)
        take_turn();
    if (ran && (!turns_ || turns_->runs()))
        begin_turn();
}

// Not before it ends with nxrun: else one that is stopped could be left behind.
void Job::stop_rank(Place& place)
{
    pollfd told{place.socket, POLLIN, 0};
    while (!place.begun && (told.revents & POLLHUP) == 0) {
        poll(&told, 1, -1);
        serve(place);
    }
    stop(place.process);
}

// ---- ranks ----

void Job::start_all()
{
    begun_ = true;
    for (Place& place : places_) {
        const bool waits_for_host = place.role != Role::helper && hosted_ && place.role != Role::host;
        if (waits_for_host || place.process != 0 || !is_first())
            continue;
        place.command = options_.command;
        {
            const LockGuard guard(roster().lock());
            roster().begin(place.endpoint);
        }
        if (!start(place))
            return forget(place);
    }
}

// One of which the roster says that it runs could not be started.
void Job::forget(const Place& place)
{
    const LockGuard guard(roster().lock());
    roster().ended(place.endpoint, 128);
}

bool Job::has_programs()
{
    const LockGuard guard(roster().lock());
    return roster().running() != 0;
}

// False: it cannot be, and the job ends.
bool Job::start(Place& place)
{
    if (ending_)
        return false;
    if (!places_.is_here(place)) {
        start_elsewhere(place);
        return true;
    }
    int sockets[2], output[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) < 0 || (options_.tagged && pipe(output) < 0)) {
        end(JobEnd::failed, std::string("There are not enough descriptors for so many ranks (") +
                                std::strerror(errno) + "): raise ulimit -n.");
        return false;
    }
    std::cout.flush();
    departures_->expect_none(place);
    trace_->begun(place.endpoint);
    for (const int own : {sockets[0], output[0]})
        if (own >= 0)
            fcntl(own, F_SETFD, FD_CLOEXEC);
    const std::expected<pid_t, std::string> child = begin_process(place, sockets[1], output[1]);
    close(sockets[1]);
    if (output[1] >= 0)
        close(output[1]);
    place.socket = sockets[0];
    place.output = output[0];
    if (!child) {
        close(place.socket);
        end(JobEnd::failed, child.error());
        return false;
    }
    watch(place.socket, Source::request, place.endpoint);
    if (place.output >= 0)
        output_.begin(place);
    place.process = *child;
    lead_group(place.process);
    place.begun = false;
    place.fault.clear();
    ++alive_;
    if (halted_)
        stop_rank(place);
    return true;
}

// Errors: a sentence.
std::expected<pid_t, std::string> Job::begin_process(const Place& place, int socket, int output)
{
    if (domain_) {
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        const int input = has_input(place) ? STDIN_FILENO : nothing;
        const auto command = place.role == Role::helper ? std::vector<std::string>{} : place.command;
        const auto child =
            domain_->start({place.endpoint, processor_of(place), command, socket, input,
                            output >= 0 ? output : STDOUT_FILENO, output >= 0 ? output : STDERR_FILENO});
        close(nothing);
        return child;
    }
    const pid_t self = getpid();
    const pid_t child = fork();
    if (child == 0)
        become(place, self, socket, output);
    if (child < 0)
        return std::unexpected(no_more_processes(errno));
    return child;
}

bool Job::has_input(const Place& place) const
{
    return hosted_ ? place.role == Role::host : place.endpoint == 0;
}

int Job::processor_of(const Place& place) const
{
    return options_.pinned && !is_crowded() ? processors_[crowd_.before + places_.number_here(place)] : -1;
}

// In the child, which has only this thread: it is not Job's any more.
void Job::become(const Place& place, pid_t nxrun, int socket, int output)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != nxrun) // it ended before the line above
        _exit(1);
    lead_group(getpid());
    parley_native_request told{};
    told.method = PARLEY_NATIVE_BEGUN;
    (void)send(socket, &told, offsetof(parley_native_request, payload), MSG_NOSIGNAL);
    auto& job = *reinterpret_cast<parley_native_job*>(area_->memory());
    __atomic_store_n(&job.places[place.endpoint].process, getpid(), __ATOMIC_RELEASE);
    const sigset_t signals = wanted_signals();
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
    // Interrupted before it has handlers, a rank takes no notice.
    std::signal(PARLEY_NATIVE_INTERRUPT, SIG_IGN);
    if (const int processor = processor_of(place); processor >= 0)
        pin_to(processor);
    if (place.role == Role::helper)
        enter_helper(library_->deliver, job.places[place.endpoint].start);
    if (!has_input(place)) {
        const int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
    if (output >= 0) {
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        close(output);
    }
    const std::string where = std::to_string(PARLEY_NATIVE_VERSION) + ":" +
                              std::to_string(area_->descriptor()) + ":" +
                              std::to_string(arena_->descriptor()) + ":" + std::to_string(library_file_) +
                              ":" + std::to_string(socket) + ":" + std::to_string(place.endpoint);
    setenv(PARLEY_NATIVE_VARIABLE, where.c_str(), 1);
    std::vector<char*> words;
    for (const std::string& word : place.command)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words.front(), words.data());
    const std::string line =
        "nxrun: " + printable(place.command.front()) + ": " + std::strerror(errno) + "\n";
    (void)!::write(STDERR_FILENO, line.data(), line.size());
    _exit(127);
}

void Job::take_signals()
{
    signalfd_siginfo info;
    bool asked_to_end = false, asked_to_stop = false;
    while (read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        asked_to_stop = asked_to_stop || info.ssi_signo == SIGTSTP;
        asked_to_end = asked_to_end || (info.ssi_signo != SIGCHLD && info.ssi_signo != SIGTSTP);
    }
    if (asked_to_end)
        interrupt();
    else if (asked_to_stop)
        pause();
    collect_ended();
    const JobControl::Wish wish = control_.attend();
    if (wish.pause)
        pause();
    if (!wish.refused.empty())
        end(JobEnd::failed, "The job failed: " + wish.refused + ".");
}

void Job::interrupt()
{
    output_.give_up();
    end(JobEnd::interrupted, "Interrupted; all ranks have been ended.");
}

void Job::collect_ended()
{
    int status = 0;
    rusage used{};
    for (pid_t process = 0; (process = wait4(-1, &status, WNOHANG, &used)) > 0;)
        for (Place& place : places_)
            if (place.process == process) {
                trace_->ended(place.endpoint, used, clock_hertz_);
                if (control_.ended(place, status))
                    interrupt();
                ended(place, status);
            }
}

void Job::ended(Place& place, int status)
{
    if (place.output >= 0)
        output_.end(place);
    if (place.socket >= 0) {
        serve(place); // what it has reported before its end
        close(place.socket);
    }
    place.socket = -1;
    place.process = 0;
    place.asked.reset();
    --alive_;
    auto& job = *reinterpret_cast<parley_native_job*>(area_->memory());
    __atomic_store_n(&job.places[place.endpoint].process, 0, __ATOMIC_RELEASE);
    if (machines_ != nullptr && place.role == Role::helper)
        return network_ended();
    const std::optional<std::string> lost = departures_->ended(place, status);
    if (is_first())
        return account(place, status, lost);
    {
        const LockGuard guard(roster().lock());
        roster().ended(place.endpoint, exit_status_of(status));
    }
    if (lost)
        end(JobEnd::failed, "The job failed: " + places_.name_of(place) + " " + *lost + ".");
    tell_unreceived();
    machines_->send(0, {Packet::Kind::ended, place.endpoint, {status}, place.fault}, place.endpoint);
}

// What the end of a rank means for the job.
void Job::account(Place& place, int status, const std::optional<std::string>& lost)
{
    const bool exited = WIFEXITED(status);
    const bool by_own_job = roster().removed(place.endpoint);
    const bool removed = by_own_job || ending_;
    const int exit_status = exit_status_of(status);
    bool is_last = false;
    {
        const LockGuard guard(roster().lock());
        is_last = roster().ended(place.endpoint, exit_status);
    }
    const std::string did = !place.fault.empty() ? place.fault
                            : exited             ? "exited with status " + std::to_string(exit_status)
                                                 : "was ended by " + name_of_signal(status);
    if (place.role != Role::helper) {
        const std::string reason = by_own_job                      ? "ended by its own job"
                                   : ending_                       ? "ended with its job"
                                   : exited && place.fault.empty() ? ""
                                                                   : did;
        record_.processes.push_back(
            {place.node, roster().pid_of(place.endpoint), removed ? 0 : exit_status, reason});
    }
    if (!removed && exit_status != 0)
        verdict_.rank_failed(places_.name_of(place) + " " + did);
    if (lost)
        end(JobEnd::failed, "The job failed: " + places_.name_of(place) + " " + *lost + ".");
    else if (!removed && !exited)
        end(JobEnd::failed, "");
    requests_->note_end(place);
    if (machines_ != nullptr) {
        if (!has_programs())
            finish_machines();
        return;
    }
    // Helpers that have not seen the end themselves.
    if (is_last && hosted_)
        for (const Place& other : places_)
            if (other.process > 0) {
                const LockGuard guard(roster().lock());
                if (roster().dismiss(other.endpoint))
                    ::kill(other.process, SIGKILL);
            }
}

// ---- requests ----

void Job::serve(Place& place)
{
    parley_native_request request;
    for (;;) {
        const ssize_t got = recv(place.socket, &request, sizeof request, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            epoll_ctl(events_, EPOLL_CTL_DEL, place.socket, nullptr);
        if (got < static_cast<ssize_t>(offsetof(parley_native_request, payload)))
            return;
        // A rank is a program like any: what it says of lengths is not believed.
        request.bytes = static_cast<unsigned long>(got) - offsetof(parley_native_request, payload);
        if (request.method == PARLEY_NATIVE_BEGUN)
            place.begun = true;
        else if (request.method == PARLEY_NATIVE_FAULT)
            place.fault = fault_told(request, names_); // its program lies on this machine
        else if (is_first())
            requests_->take(place, request);
        else
            forward(place, request, static_cast<std::size_t>(got));
    }
}

void Job::answer(Place& place, unsigned number, long value, unsigned long sender)
{
    if (!places_.is_here(place))
        return machines_->send(
            place.machine,
            {Packet::Kind::answer, place.endpoint, {number, value, static_cast<std::int64_t>(sender)}});
    const parley_native_answer answer{number, 0, value, sender};
    // One that has ended needs none.
    (void)send(place.socket, &answer, sizeof answer, MSG_NOSIGNAL);
}

void Job::look_around()
{
    std::uint64_t ticks = 0;
    (void)!::read(tick_timer_, &ticks, sizeof ticks);
    if (turns_)
        turns_->look_after_keeper();
    for (Place& place : places_)
        if (place.departure)
            if (const std::optional<std::string> lost = departures_->look_after(place); lost)
                end(JobEnd::failed, "The job failed: " + places_.name_of(place) + " " + *lost + ".");
    look_for_deadlock();
}

void Job::look_for_deadlock()
{
    if (machines_ != nullptr)
        return look_at_machines();
    if (!ending_ && waits_->nobody_can_go_on())
        end_with_reports(JobEnd::deadlock, deadlocked);
}

void Job::end(JobEnd how, const std::string& sentence, const std::string& report)
{
    if (ending_)
        return;
    ending_ = true;
    if (is_first()) {
        verdict_.end(how, sentence, report);
    } else {
        machines_->send(0, {Packet::Kind::failed, 0, {static_cast<std::int64_t>(how)}, sentence});
    }
    if (machines_ != nullptr && is_first())
        machines_->send_to_all({Packet::Kind::end});
    // The network is needed until all machines have heard of it.
    for (const Place& place : places_)
        if (place.process > 0 && (machines_ == nullptr || place.role != Role::helper))
            end_group(place.process);
    if (machines_ != nullptr && is_first() && !has_programs())
        finish_machines();
}

void Job::kill_rank(Place& place, bool successor_receives)
{
    if (place.process > 0)
        departures_->ask(place, successor_receives);
    else if (place.process == elsewhere)
        machines_->send(place.machine, {Packet::Kind::kill, place.endpoint, {successor_receives ? 1 : 0}});
}

} // namespace parley::native
