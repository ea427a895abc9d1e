// SPDX-License-Identifier: MIT
// Answers what ranks ask of nxrun: rows for the record, and the calls of host programs, whose contracts are
// in interface/calls.def. The roster says what programs there are; the machinery starts and stops their
// processes and changes the message system.
// Invariant: a place has `asked` exactly while the roster says that its program waits for others.
#pragma once

#include "native/interface/native_job.h"
#include "native/nxrun/packet.hpp"
#include "native/nxrun/places.hpp"
#include "native/nxrun/record.hpp"

#include <string>
#include <utility>

namespace parley::native {

class RankRequests {
public:
    class Machinery {
    public:
        // Starts the program of that place, of which the roster says that it runs. False: it cannot be
        // started, and the job ends.
        virtual bool start(Place& place) = 0;
        // Has the rank that runs there end.
        virtual void kill_rank(Place& place, bool successor_receives) = 0;
        virtual void answer(Place& place, unsigned number, long value, unsigned long sender) = 0;
        // Has all machines change their message systems, and then answers the request, or has undo() answer
        // it; `ends`: the rank is to end instead.
        virtual void tell_then_answer(Place& place, Packet change, unsigned number, long value,
                                      bool ends) = 0;

    protected:
        ~Machinery() = default;
    };

    // `starts`: the start information of each place. The folder of `host_program` has the other programs.
    RankRequests(Places& places, parley_native_place* starts, std::string host_program, Record& record,
                 Machinery& machinery)
        : places_(places), starts_(starts), host_program_(std::move(host_program)), record_(record),
          machinery_(machinery)
    {
    }

    void take(Place& place, const parley_native_request& request);
    // A machine could not make the change of the message system that the request stands for: takes back what
    // the roster says of it, and answers the request with the error.
    void undo(Place& place, unsigned number, const Packet& change, Error error);
    // The rank there has ended: takes back what it has placed and not started, and answers those that have
    // waited for its end.
    void note_end(const Place& place);

private:
    class Commands;

    jobs::Roster& roster() { return places_.roster(); }
    void answer(Place& place, unsigned number, long value, unsigned long sender = 0)
    {
        machinery_.answer(place, number, value, sender);
    }
    void refuse(Place& place, unsigned number, Error error)
    {
        answer(place, number, -static_cast<long>(error));
    }
    void add_row(const Place& place, const parley_native_request& request);
    void load(Place& place, const parley_native_request& request);
    void start(jobs::Selection whom);
    Result<void> set_pid(Place& place, const parley_native_request& request);
    Result<void> kill(Place& place, const parley_native_request& request);
    void withdraw(Place& place, unsigned number);
    Result<void> begin_waiting(Place& place, const Asked& asked, const jobs::WaitForEnds& wait);
    void look_after_waits();
    void answer_wait(Place& place);
    void give_back(unsigned owner);

    Places& places_;
    parley_native_place* const starts_;
    const std::string host_program_;
    Record& record_;
    Machinery& machinery_;
};

} // namespace parley::native
