// SPDX-License-Identifier: MIT
// This machine among those of its job, as nxrun sees them: one nxrun a machine, each started by mpirun, and a
// helper process each, which has the network (native/network) and passes nxruns' packets on. The first
// machine's nxrun keeps the job, as it does where there is only one; the others start, end and watch their
// own ranks, and do what it says.
#pragma once

#include "messaging/layout.hpp"
#include "native/network/clock_reading.hpp"
#include "native/network/control.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

struct parley_network_adapter;
struct parley_native_traffic;
struct parley_start;

namespace parley::native {

struct Options;

// What mpirun says to those it starts.
struct World {
    unsigned machines;
    unsigned here;
    std::string mpi; // "mpich" or "openmpi"
};

// Nothing: this nxrun was started by itself, or alone.
std::optional<World> find_world();

// What nxruns say to each other. `endpoint`: whose place it is about.
struct Packet {
    enum class Kind : std::uint32_t {
        // The first machine's nxrun, to others.
        start,   // its program: words: pid; text: the words of the command, each with a zero behind it
        kill,    // its program ends
        place,   // another program will begin there. words: pid, token
        set_pid, // words: pid, token
        reset,   // the programs of some places have been killed. words: node, pid, keep, token
        answer,  // to its request. words: number, value, sender
        look,    // how quiet it is. words: wave
        tell,    // what its ranks wait for
        collect, // what its ranks have written down, which have all ended. words: from which byte on
        end,     // all its ranks end
        over,    // the job is over everywhere
        // The others' answers, and what happens there.
        request, // text: the parley_native_request
        ended,   // its program. words: status, as of waitpid
        failed,  // the job must end. words: JobEnd; text: sentence
        quiet,   // words: wave, Quiet's
        told,    // text: one line a rank
        written, // words: from which byte on, of how many; text: these
        left,    // what its program has left; text: the bytes of a messaging::Unreceived
        done,    // what had a token. words: token
    };
    Kind kind;
    std::uint32_t endpoint = 0;
    std::array<std::int64_t, 4> words{};
    std::string text{};
};

class Machines {
public:
    // Throws BadRequest, when there is no adapter for that MPI. `world`: more than one machine. `objection`:
    // why this one cannot begin, which all hear of when they have joined; or empty.
    Machines(const World& world, const Options& options, const std::string& design,
             const std::string& objection);
    ~Machines();
    Machines(const Machines&) = delete;
    Machines& operator=(const Machines&) = delete;

    unsigned count() const { return world_.machines; }
    unsigned here() const { return world_.here; }
    bool is_first() const { return world_.here == 0; }
    int socket() const { return socket_; } // to the helper

    // Before the helper is forked, and in both processes afterwards. The helper's end is the other socket.
    void open();
    void keep_own_end();

    // In the helper: enters the network and finds out what the machines say of themselves; nxrun hears it,
    // and if they do not fit together everything ends here. Returns when all do. `ranks`: of this machine;
    // `traffic` lies in memory that nxrun sees. The network is what the start then names.
    struct Crowd {
        unsigned processes; // on this computer, those of other machines of the job on it included
        unsigned before;    // of these, those of machines with a lower number
    };
    Crowd join(unsigned processes, parley_native_traffic& traffic, unsigned usable_processors,
               parley_start& start);
    // In nxrun: what came of that. Throws BadRequest with the sentence, which only the first machine shows.
    Crowd await_joined();

    // What was read of a machine's clock beside the first one's; on the first, when the helper has ended.
    const ClockReadings& clock(unsigned machine) const { return clocks_[machine]; }

    // How long the text of a packet may be; what is longer is cut off.
    static const std::size_t longest_text;
    // To another machine's nxrun; first those messages must have crossed which the process of the endpoint
    // `after` has sent.
    void send(unsigned machine, const Packet& packet, std::uint32_t after = ControlHead::none);
    void send_to_all(const Packet& packet);
    // The helper ends, when it has passed on what it was given before.
    void finish();
    // The next packet, if one has come.
    std::optional<Packet> receive(unsigned& machine);

private:
    struct Hello;
    std::string complaint(const Hello* all) const;

    const World world_;
    const parley_network_adapter* adapter_ = nullptr;
    int socket_ = -1;
    int helpers_end_ = -1;
    std::span<ClockReadings> clocks_; // of all machines, in memory that the helper sees; none: nobody watches
    const std::string objection_;
    std::string saying_; // what must be the same everywhere
    const unsigned nodes_;
    const bool watched_;
};

} // namespace parley::native
