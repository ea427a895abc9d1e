// SPDX-License-Identifier: MIT
#include "native/nxrun/network_connection.hpp"

#include "interface/start_info.h"
#include "messaging/transport/network/nearby.hpp"
#include "native/interface/library_port.h"
#include "native/interface/native_job.h"
#include "native/network/clock_rounds.hpp"
#include "native/network/network_link.hpp"
#include "native/nxrun/helper_process.hpp"
#include "native/nxrun/installation.hpp"
#include "native/nxrun/machine.hpp"
#include "native/nxrun/processes.hpp"
#include "native/nxrun/version.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace parley::native {

namespace {

constexpr std::size_t socket_bytes = std::size_t{4} << 20;

const parley_network_adapter* load_adapter(const std::string& mpi)
{
    const std::string file = installed_file("lib/parley/network-" + mpi + ".so");
    if (access(file.c_str(), R_OK) != 0)
        throw BadRequest{"There is no adapter to this MPI, " + file + ": install its compiler (lib" + mpi +
                         "-dev) and build again (make native), or take another mpirun."};
    void* const object = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL); // MPIs load more, which wants this
    if (object == nullptr)
        throw BadRequest{std::string("The adapter to this MPI cannot be loaded: ") + dlerror() + "."};
    const auto* const adapter =
        static_cast<const parley_network_adapter*>(dlsym(object, PARLEY_ADAPTER_SYMBOL));
    if (adapter == nullptr || adapter->version != PARLEY_ADAPTER_VERSION)
        throw BadRequest{"The adapter " + file + " is of another version than nxrun: build both again."};
    return adapter;
}

} // namespace

// What a machine tells all others of itself. It has what all have, but for the computer and the processes.
struct NetworkConnection::Hello {
    char computer[256];
    char version[64];
    char asked_for[512];
    char objection[512];
    unsigned nodes;
    unsigned processes;
};

// What the helper tells nxrun when it has met the others: a crowd, or a sentence.
struct NetworkConnection::Met {
    Crowd crowd;
    char sentence[512];
};

NetworkConnection::NetworkConnection(const World& world, const NxrunOptions& options,
                                     const std::string& design, const std::string& objection)
    : world_(world), adapter_(load_adapter(world.mpi)), objection_(objection), nodes_(options.nodes),
      watched_(options.watched()),
      ranks_meet_(messaging::Layout{options.nodes, options.pids, options.hosted}.machines_meet())
{
    asked_for_ = design + ", " + std::to_string(options.pids) + " processes a node, " +
                 (options.hosted ? "a host, " : "no host, ") + "a budget of " +
                 std::to_string(options.budget >> 10) + " KiB";
    if (!options.trace.empty())
        asked_for_ += ", a trace of " + std::to_string(options.trace_records) + " records a process";
    if (options.profiled)
        asked_for_ += ", a profile";
}

NetworkConnection::~NetworkConnection()
{
    for (const int descriptor : {socket_, helpers_end_})
        if (descriptor >= 0)
            close(descriptor);
    if (!clocks_.empty())
        munmap(clocks_.data(), clocks_.size_bytes());
}

void NetworkConnection::open()
{
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0)
        throw BadRequest{std::string("Linux refuses a socket: ") + std::strerror(errno) + "."};
    socket_ = sockets[0];
    helpers_end_ = sockets[1];
    for (const int one : sockets)
        setsockopt(one, SOL_SOCKET, SO_SNDBUF, &socket_bytes, sizeof(int));
    if (!watched_)
        return;
    void* const memory = mmap(nullptr, world_.machines * sizeof(ClockReadings), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw BadRequest{std::string("Linux refuses memory: ") + std::strerror(errno) + "."};
    clocks_ = {static_cast<ClockReadings*>(memory), world_.machines};
}

std::string NetworkConnection::complaint(const Hello* all) const
{
    for (unsigned machine = 0; machine < world_.machines; ++machine)
        if (all[machine].objection[0] != '\0')
            return all[machine].objection;
    for (unsigned machine = 1; machine < world_.machines; ++machine) {
        const Hello& first = all[0];
        const Hello& other = all[machine];
        const std::string names = " on machine 0 (" + std::string(first.computer) + ") and machine " +
                                  std::to_string(machine) + " (" + other.computer + "): ";
        if (std::strcmp(first.version, other.version) != 0)
            return "nxrun is of different versions" + names + first.version + " and " + other.version +
                   ". Install the same on both.";
        if (first.nodes != other.nodes)
            return "nxrun was asked for different numbers of nodes" + names + std::to_string(first.nodes) +
                   " and " + std::to_string(other.nodes) + ". Give both the same -n.";
        if (std::strcmp(first.asked_for, other.asked_for) != 0)
            return "nxrun was asked for different jobs" + names + first.asked_for + "; and " +
                   other.asked_for + ". Give both the same options.";
    }
    return {};
}

namespace {

// The job has one helper on each machine.
Spread spread_of(const parley_native_job& job, const World& world)
{
    const parley_start& start = job.places[0].start;
    const auto nodes = static_cast<unsigned>(start.nodes);
    const unsigned host = start.host != 0 ? 1 : 0;
    return {nodes, (job.endpoints - 1 - host) / nodes, host != 0, world.machines, world.here};
}

// What the Transport is told of a machine.
unsigned long setting_of(const Spread& spread)
{
    const unsigned first = spread.first_node(spread.here);
    const messaging::Nearby nearby{first, spread.first_node(spread.here + 1) - first, spread.here == 0};
    return nearby.word();
}

} // namespace

std::optional<Connection::Joined> NetworkConnection::join(unsigned endpoint, const SharedJobMemory& memory,
                                                          const ProcessorShare& processors,
                                                          const parley_library& library)
{
    open();
    const unsigned long setting = setting_of(spread_of(memory.job(), world_));
    for (unsigned each = 0; each < memory.job().endpoints; ++each) {
        memory.place(each).start.setting = setting;
        memory.place(each).start.machines_meet = ranks_meet_ ? 1 : 0;
    }
    const pid_t nxrun = getpid();
    const pid_t helper = fork();
    if (helper < 0)
        throw BadRequest{no_more_processes(errno)};
    if (helper == 0) {
        end_with(nxrun, SIGKILL);
        become_network(endpoint, memory, processors, library);
    }
    close(helpers_end_);
    helpers_end_ = -1;
    try {
        return Joined{helper, await_met()};
    } catch (const BadRequest&) {
        waitpid(helper, nullptr, 0); // it leaves the network first
        throw;
    }
}

// nxrun's signals stay blocked: the network is needed until every machine has been told of the end.
void NetworkConnection::become_network(unsigned endpoint, const SharedJobMemory& memory,
                                       ProcessorShare processors, const parley_library& library)
{
    const parley_native_departure& code = parley_native_port_of(&library)->departure;
    static SignalledDeparture departure(code.code_start, code.code_end);
    const int nothing = ::open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    close(socket_);
    socket_ = -1;
    processors.share(meet(processors.processes()));
    memory.share_processors(processors.sharers());
    static std::optional<NetworkLink> link;
    link.emplace(*adapter_, spread_of(memory.job(), world_), helpers_end_, memory.job().traffic, clocks_,
                 processors.are_crowded(), departure);
    static parley_start start; // the network's address is this process's alone
    start = memory.place(endpoint).start;
    start.equipment = reinterpret_cast<unsigned long>(static_cast<messaging::Equipment*>(&*link));
    enter_helper(library.deliver, start);
}

NetworkConnection::Hello NetworkConnection::own_hello(unsigned processes) const
{
    Hello own{};
    gethostname(own.computer, sizeof own.computer - 1);
    (std::string(version) + "." + std::to_string(PARLEY_NATIVE_VERSION) + "." +
     std::to_string(PARLEY_START_VERSION))
        .copy(own.version, sizeof own.version - 1);
    asked_for_.copy(own.asked_for, sizeof own.asked_for - 1);
    objection_.copy(own.objection, sizeof own.objection - 1);
    own.nodes = nodes_;
    own.processes = processes;
    return own;
}

// Enters the network and compares what the machines tell of themselves; nxrun is told, too. Where they do not
// fit together the helper ends here.
Crowd NetworkConnection::meet(unsigned processes)
{
    unsigned machine = 0, machines = 0;
    adapter_->begin(&machine, &machines);
    Met met{};
    const Hello own = own_hello(processes);
    std::string sentence;
    std::vector<Hello> all(machines);
    if (machine != world_.here || machines != world_.machines)
        sentence = "mpirun and its MPI number the machines differently: start nxrun by the mpirun that "
                   "belongs to " +
                   world_.mpi + ".";
    else {
        adapter_->gather(&own, all.data(), sizeof own);
        sentence = complaint(all.data());
    }
    for (unsigned other = 0; other < machines; ++other) {
        if (std::strcmp(all[other].computer, own.computer) != 0)
            continue;
        met.crowd.processes += all[other].processes;
        met.crowd.before += other < machine ? all[other].processes : 0;
    }
    sentence.copy(met.sentence, sizeof met.sentence - 1);
    if (watched_ && sentence.empty())
        ClockRounds(*adapter_, world_.here, world_.machines).read(clocks_, &ClockReadings::begin);
    (void)::send(helpers_end_, &met, sizeof met, MSG_NOSIGNAL);
    if (!sentence.empty()) {
        adapter_->end();
        _exit(0);
    }
    return met.crowd;
}

Crowd NetworkConnection::await_met()
{
    Met met{};
    ssize_t got = 0;
    do
        got = recv(socket_, &met, sizeof met, 0);
    while (got < 0 && errno == EINTR);
    if (got != static_cast<ssize_t>(sizeof met))
        throw BadRequest{"The machines of this job cannot be joined: MPI has ended (its words are above)."};
    if (met.sentence[0] != '\0')
        throw BadRequest{world_.here == 0 ? met.sentence : ""};
    return met.crowd;
}

void NetworkConnection::send(unsigned machine, const Packet& packet, std::uint32_t after)
{
    const PacketHead head{{machine, after}, packet.kind, packet.endpoint, packet.words};
    const std::size_t text = std::min(packet.text.size(), longest_text);
    std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
    bytes.append(packet.text, 0, text);
    while (::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) { }
}

void NetworkConnection::finish()
{
    const ControlHead head{ControlHead::over, ControlHead::none};
    (void)::send(socket_, &head, sizeof head, MSG_NOSIGNAL);
}

std::optional<Packet> NetworkConnection::receive(unsigned& machine)
{
    static char bytes[longest_control];
    const ssize_t got = recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
    PacketHead head;
    if (got < static_cast<ssize_t>(sizeof head))
        return {};
    std::memcpy(&head, bytes, sizeof head);
    machine = head.control.machine;
    return Packet{head.kind, head.endpoint, head.words,
                  std::string(bytes + sizeof head, static_cast<std::size_t>(got) - sizeof head)};
}

} // namespace parley::native
