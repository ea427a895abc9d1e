// SPDX-License-Identifier: MIT
#include "native/nxrun/machines.hpp"

#include "interface/start_info.h"
#include "native/interface/native_job.h"
#include "native/network/clock_rounds.hpp"
#include "native/network/link.hpp"
#include "native/nxrun/installation.hpp"
#include "native/nxrun/options.hpp"
#include "native/nxrun/version.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace parley::native {

namespace {

constexpr std::size_t socket_bytes = std::size_t{4} << 20;

std::optional<World> world_of(const char* size, const char* rank, const char* mpi)
{
    const char* const machines = std::getenv(size);
    const char* const here = std::getenv(rank);
    if (machines == nullptr || here == nullptr)
        return {};
    const World world{static_cast<unsigned>(std::strtoul(machines, nullptr, 10)),
                      static_cast<unsigned>(std::strtoul(here, nullptr, 10)), mpi};
    if (world.machines < 2 || world.here >= world.machines)
        return {};
    return world;
}

// What the helper says to nxrun when it has joined: a crowd, or a sentence.
struct Joined {
    Machines::Crowd crowd;
    char sentence[512];
};

struct PacketHead {
    ControlHead control;
    Packet::Kind kind;
    std::uint32_t endpoint;
    std::array<std::int64_t, 4> words;
};

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

// All machines have the same, but for these.
struct Machines::Hello {
    char computer[256];
    char version[64];
    char saying[512];
    char objection[512];
    unsigned nodes;
    unsigned processes;
};

std::optional<World> find_world()
{
    if (std::optional<World> world = world_of("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "openmpi"))
        return world;
    return world_of("PMI_SIZE", "PMI_RANK", "mpich");
}

Machines::Machines(const World& world, const Options& options, const std::string& design,
                   const std::string& objection)
    : world_(world), adapter_(load_adapter(world.mpi)), objection_(objection), nodes_(options.nodes),
      watched_(options.watched())
{
    saying_ = design + ", " + std::to_string(options.pids) + " processes a node, " +
              (options.hosted ? "a host, " : "no host, ") + "a budget of " +
              std::to_string(options.budget >> 10) + " KiB";
    if (!options.trace.empty())
        saying_ += ", a trace of " + std::to_string(options.trace_records) + " records a process";
    if (options.profiled)
        saying_ += ", a profile";
}

Machines::~Machines()
{
    for (const int descriptor : {socket_, helpers_end_})
        if (descriptor >= 0)
            close(descriptor);
    if (!clocks_.empty())
        munmap(clocks_.data(), clocks_.size_bytes());
}

void Machines::open()
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
    void* const memory = mmap(nullptr, count() * sizeof(ClockReadings), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw BadRequest{std::string("Linux refuses memory: ") + std::strerror(errno) + "."};
    clocks_ = {static_cast<ClockReadings*>(memory), count()};
}

void Machines::keep_own_end()
{
    close(helpers_end_);
    helpers_end_ = -1;
}

std::string Machines::complaint(const Hello* all) const
{
    for (unsigned machine = 0; machine < count(); ++machine)
        if (all[machine].objection[0] != '\0')
            return all[machine].objection;
    for (unsigned machine = 1; machine < count(); ++machine) {
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
        if (std::strcmp(first.saying, other.saying) != 0)
            return "nxrun was asked for different jobs" + names + first.saying + "; and " + other.saying +
                   ". Give both the same options.";
    }
    return {};
}

Machines::Crowd Machines::join(unsigned processes, parley_native_traffic& traffic, unsigned usable_processors,
                               parley_start& start)
{
    close(socket_);
    socket_ = -1;
    unsigned machine = 0, machines = 0;
    adapter_->begin(&machine, &machines);
    Joined joined{};
    Hello own{};
    gethostname(own.computer, sizeof own.computer - 1);
    (std::string(version) + "." + std::to_string(PARLEY_NATIVE_VERSION) + "." +
     std::to_string(PARLEY_START_VERSION))
        .copy(own.version, sizeof own.version - 1);
    saying_.copy(own.saying, sizeof own.saying - 1);
    objection_.copy(own.objection, sizeof own.objection - 1);
    own.nodes = nodes_;
    own.processes = processes;
    std::string sentence;
    std::vector<Hello> all(machines);
    if (machine != here() || machines != count())
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
        joined.crowd.processes += all[other].processes;
        joined.crowd.before += other < machine ? all[other].processes : 0;
    }
    sentence.copy(joined.sentence, sizeof joined.sentence - 1);
    if (watched_ && sentence.empty())
        ClockRounds(*adapter_, here(), count()).read(clocks_, &ClockReadings::begin);
    (void)::send(helpers_end_, &joined, sizeof joined, MSG_NOSIGNAL);
    if (!sentence.empty()) {
        adapter_->end();
        _exit(0);
    }
    static std::optional<Link> link;
    link.emplace(*adapter_, here(), count(), helpers_end_, traffic, clocks_,
                 joined.crowd.processes > usable_processors);
    start.network = reinterpret_cast<unsigned long>(static_cast<messaging::Network*>(&*link));
    return joined.crowd;
}

Machines::Crowd Machines::await_joined()
{
    Joined joined{};
    ssize_t got = 0;
    do
        got = recv(socket_, &joined, sizeof joined, 0);
    while (got < 0 && errno == EINTR);
    if (got != static_cast<ssize_t>(sizeof joined))
        throw BadRequest{"The machines of this job cannot be joined: MPI has ended (its words are above)."};
    if (joined.sentence[0] != '\0')
        throw BadRequest{is_first() ? joined.sentence : ""};
    return joined.crowd;
}

const std::size_t Machines::longest_text = longest_control - sizeof(PacketHead);

void Machines::send(unsigned machine, const Packet& packet, std::uint32_t after)
{
    const PacketHead head{{machine, after}, packet.kind, packet.endpoint, packet.words};
    const std::size_t text = std::min(packet.text.size(), longest_text);
    std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
    bytes.append(packet.text, 0, text);
    while (::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) { }
}

void Machines::send_to_all(const Packet& packet)
{
    for (unsigned machine = 0; machine < count(); ++machine)
        if (machine != here())
            send(machine, packet);
}

void Machines::finish()
{
    const ControlHead head{ControlHead::over, ControlHead::none};
    (void)::send(socket_, &head, sizeof head, MSG_NOSIGNAL);
}

std::optional<Packet> Machines::receive(unsigned& machine)
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
