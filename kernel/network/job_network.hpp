// SPDX-License-Identifier: MIT
// This machine's part in one job that runs on several: which of its processes live here, and the protocol by
// which the helpers of the machines move messages over their links (machines.hpp).
//
//   eager      a message that fits into one packet, whole
//   announce   a longer one: its envelope. Its bytes stay with the sender's machine
//   go         the receiving machine has memory for the bytes
//   bytes      a piece of them; or gone: they never will come
//   posted     the message is in its receiver's mailbox
//   delivered  it has been received; where somebody counts that
//   over       no program of the job runs there any more, and all that they sent was posted
//   pid        a program there has another pid: noted, when this machine knows it
//   kill       a program is to end; told to all machines, whichever it lives on
//   end        a program has ended there
//   look       the first machine asks whether anybody there can go on (jobs/deadlock_search.hpp)
//   looked     what the helper there has found, when it had nothing to do
//
// Each sender has a stream to each machine, in which at most `window` messages are not posted yet; so a
// message that finds no memory holds up those of its own sender, and of others only long ones, which a
// machine lets in one at a time. Packets that answer are no queue: each is owed by what it is about until the
// link has taken it, so memory is bounded by what is made at the beginning.
#pragma once

#include "jobs/deadlock_search.hpp"
#include "jobs/spread.hpp"
#include "kernel/memory/window.hpp"
#include "kernel/network/machines.hpp"
#include "kernel/network/program_notices.hpp"
#include "messaging/message/message_list.hpp"
#include "messaging/transport/network/budget_wish.hpp"
#include "messaging/transport/network/gateway.hpp"

#include <array>
#include <atomic>
#include <span>

namespace parley::kernel {

class Job;

class JobNetwork final : public messaging::Network, public Machines::Listener {
public:
    static constexpr unsigned window = 4;

    // Makes it in the job's window. `layout`: of its nodes and pids; it has no host. Errors: no_memory.
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
    using Message = messaging::Message;
    using Envelope = messaging::Envelope;

    enum class Kind : std::uint32_t {
        eager,
        announce,
        go,
        bytes,
        gone,
        posted,
        delivered,
        over,
        pid,
        noted,
        kill,
        end,
        look,
        looked
    };

    struct Packet {
        PacketOfJob of_job;
        Kind kind;
        std::uint32_t source = 0;      // endpoint
        std::uint32_t destination = 0; // endpoint
        std::uint32_t stamp = 0;       // the message's, to whoever watches
        std::uint32_t awaited = 0;     // 1: its delivery is told
        std::uint32_t offset = 0;      // of a piece
        std::uint64_t contents = 0;    // the envelope's words
        std::uint64_t sender = 0;
        std::uint64_t message = 0; // as the sending machine knows it
        std::uint64_t arrival = 0; // as the receiving machine does
    };
    // Looks themselves are not.
    static bool is_counted(Kind kind) { return kind != Kind::look && kind != Kind::looked; }
    static constexpr std::size_t most_bytes = longest_packet - sizeof(Packet);

    // What one endpoint of this machine sends to one other machine.
    struct Stream {
        messaging::MessageList waiting;
        unsigned in_flight = 0;
    };

    // A message from another machine that has not been answered for yet.
    enum class Stage : std::uint8_t { none, whole, announced, granted, coming, gone, put };
    struct Arrival {
        Packet packet;
        std::byte bytes[most_bytes]; // of an eager one
        Arrival* next = nullptr;     // in the order in which they came
        unsigned machine = 0;
        Stage stage = Stage::none;
        std::size_t length() const { return packet.contents >> 32; }
    };
    // A long message of ours that another machine has let in.
    struct Granted {
        Message* message = nullptr; // null: none
        std::uint64_t arrival = 0;
        bool is_taken = false; // its bytes are in outgoing_bytes_
        bool is_gone = false;
        std::size_t sent = 0; // bytes
    };
    struct Awaited {
        messaging::Completion* completion = nullptr; // null: none
        unsigned machine = 0;
        std::uint64_t message = 0;
    };

    // How a program of another machine has ended, which has not been said here yet: what it had sent before
    // comes first, unless its own job has ended it.
    struct EndElsewhere {
        bool has_come = false;
        bool was_killed = false;
        int status = 0;
    };

    // One for each machine, endpoint and so on; all made by create().
    Stream& stream(unsigned source, unsigned machine)
    {
        return streams_[source * machines_.count() + machine];
    }

    void look() override;
    bool turn();
    bool take_messages();
    bool receive_packets();
    void receive(unsigned machine, const Packet& packet, std::span<const std::byte> bytes);
    void keep(unsigned machine, const Packet& packet, std::span<const std::byte> bytes);
    void take_piece(const Packet& packet, std::span<const std::byte> bytes);
    bool send_streams();
    bool send_first(unsigned machine, Stream& from);
    bool is_not_there_yet(const Result<void>& taken);
    bool send_granted();
    bool send_pieces(unsigned machine, Granted& granted);
    bool advance_arrivals();
    bool try_arrivals(bool& moved);
    bool advance(Arrival& arrival);
    bool grant(Arrival& arrival);
    bool put(Arrival& arrival);
    bool send_deliveries();
    bool send_over();
    bool send_notices();
    bool send_notice(unsigned machine, const ProgramNotices::Notice& notice);
    bool send_noted();
    void take_notice(unsigned machine, const Packet& packet);
    bool take_ends();
    bool is_arriving_from(unsigned endpoint) const;
    bool is_over_everywhere() const;
    bool begin_looks();
    bool look_for_deadlock(std::uint32_t seen);
    void take_look(unsigned machine, std::span<const std::byte> words);
    bool hear_of_ends();
    void fail(std::string_view sentence);

    Packet packet_of(Kind kind, const Message& message) const;
    bool send(unsigned machine, const Packet& packet, std::span<const std::byte> bytes = {});
    Result<std::byte*> room(std::byte*& memory, std::size_t bytes);

    Window& window_; // the job's
    Machines& machines_;
    Job& job_;
    const jobs::Spread spread_;
    std::span<Stream> streams_;
    std::span<Arrival> arrivals_;
    std::span<Awaited> awaited_;
    std::span<EndElsewhere> ends_; // by endpoint
    unsigned ends_to_take_ = 0;
    ProgramNotices* notices_ = nullptr;
    // Pids that this machine has told and others have not noted: nothing that it sends may come before. And
    // pids that others have told, of which this machine has not said that it knows them.
    unsigned pids_told_ = 0;
    std::array<unsigned, MachineTable::most> pids_to_note_{};
    std::span<bool> held_up_; // by endpoint: an earlier message of that sender could not be put
    Arrival* first_arrival_ = nullptr;
    Arrival* last_arrival_ = nullptr;
    Arrival* long_arrival_ = nullptr; // that the bytes in incoming_bytes_ belong to
    Granted* long_sent_ = nullptr;    // that those in outgoing_bytes_ belong to
    std::array<Granted, MachineTable::most> granted_{};
    std::array<bool, MachineTable::most> has_told_over_{}, is_over_{};
    std::byte* incoming_bytes_ = nullptr;
    std::byte* outgoing_bytes_ = nullptr;
    unsigned waiting_ = 0;    // messages of this machine that have not left
    unsigned unfinished_ = 0; // that have left, and of which the other machine has something to tell
    messaging::BudgetWish budget_wish_;
    bool has_failed_ = false;
    // Deadlocks. What carries messages, or says what becomes of them, is counted.
    std::array<jobs::DeadlockSearch::Entry, MachineTable::most> looked_at_{};
    jobs::DeadlockSearch deadlock_search_{std::span(looked_at_).first(machines_.count())}; // machine 0 alone
    std::int64_t sent_ = 0, received_ = 0;                                                 // packets
    std::int64_t wanted_look_ = 0; // the number of the wave that asks for one; 0: none
    bool lacks_room_ = false;      // something has to wait for a link since the last turn began
    std::atomic<bool> may_be_stuck_{false};
    std::uint64_t looked_last_ = 0;     // in nanoseconds; of look_after() alone
    std::atomic<unsigned> programs_{0}; // of this machine, that have not ended
    messaging::Gateway* gateway_ = nullptr;
    std::byte packet_[longest_packet];
};

} // namespace parley::kernel
