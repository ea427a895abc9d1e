// SPDX-License-Identifier: MIT
// What whoever watches the machine is told of the run: frames of results, signs of life, and what is counted
// for the frames that end a job or the run. Called on any processor.
#pragma once

#include "kernel/report/heartbeat.hpp"
#include "kernel/report/results_channel.hpp"

#include <atomic>
#include <cstdint>

namespace parley::kernel {

class RunRecord {
public:
    RunRecord() = default;
    RunRecord(const RunRecord&) = delete;

    ResultsChannel& results() { return results_; }
    Heartbeat& heartbeat() { return heartbeat_; }

    // Sends a result that a program reports, in a frame of its own.
    void add_row(ResultsChannel::Bytes origin, ResultsChannel::Bytes row)
    {
        results_.send(PARLEY_FRAME_ROW, {origin, row});
        rows_.fetch_add(1, std::memory_order_relaxed);
    }
    // How many rows were sent so far.
    unsigned rows() const { return rows_.load(std::memory_order_relaxed); }

    // A tick came `late` nanoseconds too late.
    void note_late_tick(std::uint64_t late)
    {
        std::uint64_t known = latest_tick_.load(std::memory_order_relaxed);
        while (late > known && !latest_tick_.compare_exchange_weak(known, late, std::memory_order_relaxed)) {
        }
    }
    // How many nanoseconds too late the most belated tick was since this was last asked.
    std::uint64_t take_latest_tick() { return latest_tick_.exchange(0, std::memory_order_relaxed); }

private:
    ResultsChannel results_;
    Heartbeat heartbeat_{results_};
    std::atomic<unsigned> rows_{0};
    std::atomic<std::uint64_t> latest_tick_{0};
};

} // namespace parley::kernel
