// SPDX-License-Identifier: MIT
// This machine's part in one job that runs on several: which of its processes live here, and what its helper
// carries to the others and from them, over the links of the machines (machines.hpp).
#pragma once

#include "jobs/spread.hpp"
#include "kernel/network/counted_links.hpp"
#include "kernel/network/deadlock_looks.hpp"
#include "kernel/network/incoming_messages.hpp"
#include "kernel/network/machines.hpp"
#include "kernel/network/notice_exchange.hpp"
#include "kernel/network/outgoing_messages.hpp"
#include "kernel/network/room_in_window.hpp"

#include <atomic>
#include <optional>

namespace parley::kernel {

class Job;

class JobNetwork final : public messaging::Network, Machines::Listener, ProgramsElsewhere {
public:
    // Makes it in the job's window. `nodes`, `pids`: of the job, which has no host. Errors: no_memory.
    static Result<JobNetwork*> create(Window& window, Machines& machines, Job& job, unsigned nodes,
                                      unsigned pids);

    JobNetwork(Window& window, Machines& machines, Job& job, const jobs::Spread& spread)
        : window_(window), machines_(machines), job_(job), spread_(spread)
    {
    }
    JobNetwork(const JobNetwork&) = delete;

    // Which processes live here, as SystemOptions::setting says it.
    std::uint64_t setting() const;
    bool is_away(unsigned endpoint) const { return spread_.machine_of(endpoint) != machines_.here(); }
    // How many programs live here.
    unsigned programs_here() const;

    // The job's helper carries messages until the job is over on all machines, or it must end.
    void carry(messaging::Gateway& gateway) override;
    // A program of this machine has ended. Called once for each, by its process.
    void program_gone();
    // The other machines are to know that of a program. Called on any processor, interrupts off.
    void tell(const ProgramNotices::Notice& notice);
    // At each tick, given the time in nanoseconds: has it found out now and then whether nobody of the job
    // can ever go on, on any machine. Then the job ends.
    void look_after(std::uint64_t now);

private:
    // What the helper works with.
    struct Parts {
        Parts(JobNetwork& network, messaging::Gateway& gateway);

        messaging::Gateway& gateway;
        CountedLinks links;
        RoomInWindow room_out, room_in;
        OutgoingMessages outgoing;
        IncomingMessages incoming;
        NoticeExchange notices;
        DeadlockLooks looks;
        std::array<bool, MachineTable::most> has_told_over{}, is_over{};
        bool has_failed = false;
    };

    void look() override;
    void has_pid(unsigned endpoint, int pid) override;
    void was_killed(unsigned endpoint, bool successor_receives) override;
    void has_left(unsigned endpoint, int status) override;

    bool turn();
    bool hear_of_ends();
    bool receive_packets();
    void receive(unsigned machine, const JobPacket& packet, std::span<const std::byte> bytes);
    bool send_over();
    bool is_over_everywhere() const;
    bool begin_looks();
    bool look_for_deadlock(std::uint32_t seen);
    void fail(std::string_view sentence);

    Window& window_; // the job's
    Machines& machines_;
    Job& job_;
    const jobs::Spread spread_;
    std::span<OutgoingMessages::Stream> streams_;
    IncomingMessages::Memory arriving_;
    std::span<NoticeExchange::End> ends_; // by endpoint
    ProgramNotices* notices_ = nullptr;
    std::atomic<bool> may_be_stuck_{false};
    std::uint64_t looked_last_ = 0;     // in nanoseconds; of look_after() alone
    std::atomic<unsigned> programs_{0}; // of this machine, that have not ended
    std::optional<Parts> parts_;        // while the helper carries messages
};

} // namespace parley::kernel
