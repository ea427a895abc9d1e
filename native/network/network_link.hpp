// SPDX-License-Identifier: MIT
// The protocol between the machines of a job. Each has one helper, the only process that knows the network;
// it receives what its machine's processes send to other machines, and sends there what has crossed.
//
//   eager      a message of up to eager_bytes, whole
//   announce   a longer one: its envelope. Its bytes stay with the sender's machine
//   go         the receiving machine has memory for the bytes
//   bytes      they follow on a channel of their own; or gone: they never will
//   posted     the message is in its receiver's mailbox
//   delivered  it has been received; where somebody counts that
//   goodbye    the job is over for the sending machine; nothing follows it, for nxrun asks for nothing more.
//              It carries how many meetings the machine has begun to gather (machine_gathering.hpp)
//
// Messages that follow each other and are alike but for their destinations, as those of a broadcast, cross
// together: one frame with their bytes once, and a Copy for each. Above and below that is one message; it is
// posted when all copies are.
//
// Each sender has a stream to each machine, in which at most `window` messages are not posted yet; so a
// message that finds no memory holds up those of its own sender, as it would within a machine, and no others.
// What a machine holds of others' messages is bounded: window * eager_bytes a sender, and of longer ones as
// much as its own messages may have (what was granted by go). A message that has not been let in stays in its
// sender's machine and its budget.
#pragma once

#include "jobs/spread.hpp"
#include "messaging/transport/network/budget_wish.hpp"
#include "messaging/transport/network/gateway.hpp"
#include "native/interface/native_job.h"
#include "native/network/adapter.h"
#include "native/network/clock_reading.hpp"
#include "native/network/control.hpp"
#include "native/network/job_departure.hpp"
#include "native/network/machine_gathering.hpp"

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace parley::native {

using jobs::Spread;

class NetworkLink final : public messaging::Network {
public:
    static constexpr std::size_t eager_bytes = 8192;
    static constexpr unsigned window = 16;

    // `control`: the socket to nxrun. `clocks`: of all machines, to be read again when the job is over; none:
    // nobody watches. `patient`: others wait for this processor. `departure`: when ranks are ended by force.
    NetworkLink(const parley_network_adapter& wire, const Spread& spread, int control,
                parley_native_traffic& traffic, std::span<ClockReadings> clocks, bool patient,
                JobDeparture& departure)
        : wire_(wire), spread_(spread), control_(control), traffic_(traffic), clocks_(clocks),
          patient_(patient), departure_(departure), gathering_(wire, spread.machines, traffic)
    {
    }

    void carry(messaging::Gateway& gateway) override;

private:
    using Message = messaging::Message;
    using Bytes = std::unique_ptr<std::byte[]>;

    enum class Kind : std::uint32_t { eager, announce, go, bytes, gone, posted, delivered, control, goodbye };

    struct Frame {
        Kind kind;
        std::uint32_t source = 0;   // endpoint
        std::uint32_t copies = 0;   // how many of these are at the frame's end
        std::uint32_t awaited = 0;  // 1: each one's delivery is told
        std::uint64_t contents = 0; // the envelope's words
        std::uint64_t sender = 0;
        std::uint64_t message = 0; // of which the delivery is told, as the sending machine knows it; of a
                                   // goodbye, how many meetings
        std::uint64_t arrival = 0; // as the receiving machine does
    };
    struct Copy {
        std::uint32_t destination; // endpoint
        std::uint32_t stamp;       // the message's, to whoever watches
        std::uint64_t message;     // as the sending machine knows it
    };
    using Copies = std::vector<Copy>;

    // What one endpoint of this machine sends to one other machine.
    struct Stream {
        unsigned machine;
        std::deque<Message*> waiting{};
        unsigned in_flight = 0;
        bool is_listed = false; // in sending_
    };

    enum class Stage { announced, granted, coming, whole };

    // A message from another machine of which not all copies are in their mailboxes yet.
    struct Arrival {
        Frame frame;
        unsigned machine;
        Stage stage;
        Bytes bytes;
        Copies copies;
        std::size_t put = 0; // copies
        void* transfer = nullptr;
        std::size_t length() const { return frame.contents >> 32; }
    };
    struct Inbox {
        std::deque<std::unique_ptr<Arrival>> arrivals{};
        bool is_listed = false; // in receiving_
    };

    // A long message of ours that the other machine has let in.
    struct Granted {
        Copies copies;
        unsigned machine;
        std::uint64_t arrival;
        Bytes bytes{};
    };
    struct Awaited {
        messaging::Completion* completion;
        unsigned machine;
        std::uint64_t message;
    };
    struct Sent {
        void* transfer;
        Bytes bytes;
    };
    struct Packet {
        std::vector<std::byte> bytes; // with its ControlHead
    };

    void carry_messages();
    bool turn();
    void leave();
    bool turn_without_job();
    bool finish_receiving();
    void say_goodbye();
    bool may_leave() const;
    unsigned take_messages();
    bool send_streams();
    bool send_from(Stream& stream);
    bool send_eager(Stream& stream, const Copies& copies);
    bool send_bytes(Granted& granted);
    bool send_granted();
    bool send_deliveries();
    unsigned receive_frames();
    void receive(unsigned machine, Bytes bytes, std::size_t count);
    void keep(unsigned machine, const Frame& frame, Copies copies, Bytes bytes);
    bool put_arrivals();
    bool advance(Inbox& inbox);
    bool has_come(Arrival& arrival);
    bool put(Arrival& arrival);
    bool put_copy(const Arrival& arrival, const Copy& copy);
    bool collect_sent();
    bool gather();
    bool gather_without_job();
    bool read_control();
    bool forward_control();
    bool write_control();
    bool has_crossed(unsigned endpoint) const;
    bool rest(unsigned turns);
    void wake();

    unsigned machine_of(unsigned endpoint) const { return spread_.machine_of(endpoint); }
    Stream& stream(unsigned endpoint, unsigned machine)
    {
        return streams_.try_emplace({endpoint, machine}, Stream{machine}).first->second;
    }
    // Frames go by value.
    void send(unsigned machine, Frame frame, const Copies& copies = {});
    void send_buffer(unsigned machine, Bytes buffer, std::size_t count, bool counts = true);
    Frame frame_of(Kind kind, const Message& message) const;
    static Message& message_of(const Copy& copy) { return *reinterpret_cast<Message*>(copy.message); }
    // The messages at the head of those that wait there which cross together: one, or more.
    Copies alike(const Stream& stream) const;
    // Takes the bytes that these messages have in common to `buffer`; those whose delivery nobody counts are
    // over then. Errors: would_block, nothing has changed; closed, the bytes are gone, and all are over.
    Result<void> take(const Copies& copies, std::byte* buffer);

    const parley_network_adapter& wire_;
    const Spread spread_;
    const int control_;
    parley_native_traffic& traffic_;
    const std::span<ClockReadings> clocks_;
    const bool patient_;
    JobDeparture& departure_;
    messaging::Gateway* gateway_ = nullptr;
    messaging::Polling* polling_ = nullptr;
    // Made when the first message goes or comes: a job has many more endpoints and machines than pairs that
    // talk to each other.
    std::map<std::pair<unsigned, unsigned>, Stream> streams_; // by endpoint and machine
    std::map<unsigned, Inbox> inboxes_;                       // by endpoint that has sent
    std::vector<Stream*> sending_;                            // those with messages waiting
    unsigned unposted_ = 0;                                   // messages of all streams that are in flight
    std::vector<Inbox*> receiving_;                           // those with arrivals
    std::list<Granted> granted_out_;                          // in the order of the go's
    std::list<Awaited> awaited_;
    std::list<Sent> sent_;
    std::size_t granted_in_ = 0;             // bytes
    std::uint32_t looked_ = 0;               // the event's sequence when deliveries were looked for
    std::deque<Packet> outgoing_, incoming_; // control
    messaging::BudgetWish budget_wish_;
    MachineGathering gathering_;
    bool has_found_meeting_ = false; // to which this machine's ranks have come, and which it has not begun
    unsigned turns_ = 0;
    bool was_called_ = false;              // by nxrun, perhaps, while others ran or we slept
    bool has_job_ = true;                  // false: no lock of its memory is taken any more
    bool over_ = false;                    // nxrun has said so
    bool said_goodbye_ = false;            // to all other machines
    unsigned goodbyes_ = 0;                // other machines that have said theirs
    std::uint64_t gathered_by_others_ = 0; // the most meetings that one of these has begun
    bool is_resting_ = false;
    std::uint32_t rests_since_ = 0; // the event's sequence then
};

} // namespace parley::native
