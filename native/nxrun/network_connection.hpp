// SPDX-License-Identifier: MIT
// The connection to other machines by way of a helper process, the only one on its machine that has the
// network (native/network): each machine has one nxrun, which mpirun has started, and one helper, which
// passes nxruns' packets on.
#pragma once

#include "native/nxrun/connection.hpp"
#include "native/nxrun/world.hpp"

#include <span>
#include <string>

struct parley_network_adapter;

namespace parley::native {

class NetworkConnection final : public Connection {
public:
    // `objection`: why this machine cannot begin, which all are told when they have joined; or empty. Throws
    // BadRequest, when there is no adapter for that MPI.
    NetworkConnection(const World& world, const NxrunOptions& options, const std::string& design,
                      const std::string& objection);
    ~NetworkConnection();
    NetworkConnection(const NetworkConnection&) = delete;
    NetworkConnection& operator=(const NetworkConnection&) = delete;

    // Only the first machine's nxrun has the sentence of a BadRequest.
    std::optional<Joined> join(unsigned endpoint, const SharedJobMemory& memory,
                               const ProcessorShare& processors, const parley_library& library) override;
    int descriptor() const override { return socket_; }
    std::optional<Packet> receive(unsigned& machine) override;
    ClockReadings clock(unsigned machine) const override { return clocks_[machine]; }

    void send(unsigned machine, const Packet& packet, std::uint32_t after) override;
    // The helper ends, when it has passed on what it was given before.
    void finish() override;

private:
    struct Hello;
    struct Met;

    void open();
    std::string complaint(const Hello* all) const;
    Crowd await_met();
    // Called in the helper's process.
    [[noreturn]] void become_network(unsigned endpoint, const SharedJobMemory& memory,
                                     ProcessorShare processors, const parley_library& library);
    Crowd meet(unsigned processes);
    Hello own_hello(unsigned processes) const;

    const World world_;
    const parley_network_adapter* adapter_ = nullptr;
    int socket_ = -1;                 // to the helper
    int helpers_end_ = -1;            // of the socket
    std::span<ClockReadings> clocks_; // of all machines, in memory that the helper sees; none: nobody watches
    const std::string objection_;
    std::string asked_for_; // what must be the same everywhere
    const unsigned nodes_;
    const bool watched_;
    const bool ranks_meet_; // with those of other machines
};

} // namespace parley::native
