// SPDX-License-Identifier: MIT
// What ranks ask of nxrun: rows for the record, and the calls of host programs, whose contracts are in
// interface/calls.def. What programs there are is the roster's to say; what becomes of it in processes and
// memory, nxrun's machinery does.
#pragma once

#include "native/interface/native_job.h"
#include "native/nxrun/packet.hpp"
#include "native/nxrun/places.hpp"
#include "native/nxrun/record.hpp"

#include <string>

namespace parley::native {

class Requests {
public:
    class Machinery {
    public:
        // The program that the roster says runs there begins. False: it cannot, and the job ends.
        virtual bool start(Place& place) = 0;
        // The rank that runs there is to end.
        virtual void kill_rank(Place& place, bool successor_receives) = 0;
        virtual void answer(Place& place, unsigned number, long value, unsigned long sender) = 0;
        // All machines change their message systems, and then the request is answered; `ends`: the rank is
        // to end instead.
        virtual void tell_then_answer(Place& place, Packet change, unsigned number, long value,
                                      bool ends) = 0;

    protected:
        ~Machinery() = default;
    };

    // `starts`: what the programs of the places will be told. `host_program`: its folder has the others.
    Requests(Places& places, parley_native_place* starts, std::string host_program, Record& record,
             Machinery& machinery)
        : places_(places), starts_(starts), host_program_(std::move(host_program)), record_(record),
          machinery_(machinery)
    {
    }

    void take(Place& place, const parley_native_request& request);
    // The rank there has ended: what it has placed and not started goes, and whoever waits may go on.
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
    Result<void> begin_waiting(Place& place, const Asked& asked, const jobs::Wait& wait);
    void look_after_waits();
    void settle(Place& place);
    void give_back(unsigned owner);

    Places& places_;
    parley_native_place* const starts_;
    const std::string host_program_;
    Record& record_;
    Machinery& machinery_;
};

} // namespace parley::native
