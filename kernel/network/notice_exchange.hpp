// SPDX-License-Identifier: MIT
// What the machines of a job tell each other of its programs: pids, kills and ends (program_notices.hpp).
// What a program has sent comes before its end, unless its own job has ended it; and what a machine sends
// comes after a pid that it has told, once the others know that. The job's helper calls this.
#pragma once

#include "kernel/network/incoming_messages.hpp"
#include "kernel/network/outgoing_messages.hpp"
#include "kernel/network/program_notices.hpp"

namespace parley::kernel {

// The job's programs, as its part on another machine tells of them.
class ProgramsElsewhere {
public:
    virtual void has_pid(unsigned endpoint, int pid) = 0;
    virtual void was_killed(unsigned endpoint, bool successor_receives) = 0;
    virtual void has_left(unsigned endpoint, int status) = 0;

protected:
    ~ProgramsElsewhere() = default;
};

class NoticeExchange {
public:
    // How a program of another machine has ended, which has not been said here yet. Only NoticeExchange uses
    // what is in it.
    struct End {
        bool has_come = false;
        bool was_killed = false;
        int status = 0;
    };

    // `ends`: one for each endpoint.
    NoticeExchange(ProgramNotices& notices, JobLinks& links, OutgoingMessages& outgoing,
                   const IncomingMessages& incoming, ProgramsElsewhere& programs, std::span<End> ends)
        : notices_(notices), links_(links), outgoing_(outgoing), incoming_(incoming), programs_(programs),
          ends_(ends)
    {
    }

    // Another machine tells something.
    void take(unsigned machine, const JobPacket& packet)
    {
        const int value = static_cast<int>(packet.contents);
        switch (packet.kind) {
        case PacketKind::pid:
            programs_.has_pid(packet.source, value);
            ++to_note_[machine];
            return;
        case PacketKind::noted: --told_; return;
        case PacketKind::kill: return programs_.was_killed(packet.source, value != 0);
        case PacketKind::end:
            ends_[packet.source] = {.has_come = true, .was_killed = packet.awaited != 0, .status = value};
            ++ends_left_;
            return;
        default: return;
        }
    }

    // Says which programs have ended elsewhere, as far as all that they sent has come to rest. This and the
    // two that follow answer whether there was anything to do.
    bool take_ends()
    {
        bool moved = false;
        for (unsigned endpoint = 0; ends_left_ != 0 && endpoint < ends_.size(); ++endpoint) {
            End& end = ends_[endpoint];
            if (!end.has_come || (!end.was_killed && incoming_.are_of(endpoint)))
                continue;
            end.has_come = false;
            --ends_left_;
            programs_.has_left(endpoint, end.status);
            moved = true;
        }
        return moved;
    }
    // Tells the others what they have not been told.
    bool send()
    {
        return notices_.send(
            [this](unsigned machine, const ProgramNotices::Notice& notice) { return send(machine, notice); });
    }
    // Tells the others that this machine knows the pids that they have told.
    bool send_noted()
    {
        bool moved = false;
        for (unsigned machine = 0; machine < links_.machines(); ++machine)
            for (unsigned& left = to_note_[machine]; left != 0; --left, moved = true)
                if (!links_.send(machine, {.kind = PacketKind::noted}))
                    break;
        return moved;
    }

    // False: the others have been told pids that not all of them have noted, so nothing else is sent.
    bool may_send() const { return told_ == 0; }

private:
    bool send(unsigned machine, const ProgramNotices::Notice& notice)
    {
        using What = ProgramNotices::What;
        const bool is_end = notice.what == What::end;
        if (is_end && !notice.was_killed && outgoing_.has_waiting(notice.endpoint, machine))
            return false;
        const PacketKind kind = is_end                      ? PacketKind::end
                                : notice.what == What::kill ? PacketKind::kill
                                                            : PacketKind::pid;
        if (!links_.send(machine, {.kind = kind,
                                   .source = notice.endpoint,
                                   .awaited = notice.was_killed ? 1u : 0u,
                                   .contents = static_cast<std::uint32_t>(notice.value)}))
            return false;
        told_ += notice.what == What::pid ? 1 : 0;
        return true;
    }

    ProgramNotices& notices_;
    JobLinks& links_;
    OutgoingMessages& outgoing_;
    const IncomingMessages& incoming_;
    ProgramsElsewhere& programs_;
    const std::span<End> ends_;
    unsigned ends_left_ = 0; // that have come and were not taken
    unsigned told_ = 0;      // pids that other machines have not noted
    std::array<unsigned, MachineTable::most> to_note_{};
};

} // namespace parley::kernel
