// SPDX-License-Identifier: MIT
// The sign of life that whoever watches the machine waits for. It comes from the processor that keeps the
// time, at every step of the boot and then from its tick, so it stops when that processor's interrupts stay
// off.
#pragma once

#include "kernel/program/configuration.hpp"
#include "kernel/report/results_channel.hpp"

namespace parley::kernel {

class Heartbeat {
public:
    explicit Heartbeat(ResultsChannel& results) : results_(results) { }
    Heartbeat(const Heartbeat&) = delete;

    // Sends a sign of life. `now`: guest time; `overdue`: how long the slowest job has been ending; both in
    // nanoseconds.
    void beat(std::uint64_t now, std::uint64_t overdue);
    // Called at every tick by the processor that keeps the time: sends one when it is due.
    void tick(Clock clock, std::uint64_t now, std::uint64_t overdue);

private:
    ResultsChannel& results_;
    std::uint64_t next_ = 0;
};

} // namespace parley::kernel
