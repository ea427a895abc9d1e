// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/machine_model/plugin/report.hpp"

#include "tools/machine_model/plugin/instrumentation.hpp"

#include <fstream>

namespace parley::machine_model {

void write_report(BackEnd& back_end, const std::string& path)
{
    std::ofstream out{path};
    out << "back_end=" << back_end.name() << "\nswitches=" << back_end.switches() << '\n';
    for (unsigned processor = 0; processor < back_end.processors(); ++processor) {
        if (!back_end.is_modelled(processor))
            continue;
        const unsigned number = back_end.number_in_machine(processor);
        const MemoryCounts& counts = back_end.machine().memory().counts(number);
        out << "processor=" << number << " clock=" << back_end.clock(processor) << " reads=" << counts.reads
            << " read_misses=" << counts.read_misses << " writes=" << counts.writes
            << " write_misses=" << counts.write_misses << " fetches=" << counts.fetches
            << " fetch_misses=" << counts.fetch_misses << " invalidations=" << counts.invalidations
            << " from_caches=" << counts.from_caches << " write_backs=" << counts.write_backs
            << " bus_transfers=" << counts.bus_transfers << " bus_waiting=" << counts.bus_waiting
            << " memory_time=" << counts.time << " wide_time=" << wide_time_of(processor)
            << " asleep=" << back_end.asleep(processor) << " copying=" << copying_of(processor);
        if (const auto jumps = jumps_of(processor)) {
            const OverlapCounts& overlap = back_end.machine().out_of_order()->counts(number);
            out << " forwarded=" << overlap.forwarded << " asked_ahead=" << overlap.asked_ahead
                << " for_window=" << overlap.for_window << " for_stores=" << overlap.for_stores
                << " for_drains=" << overlap.for_drains << " for_copies=" << overlap.for_copies
                << " jumps=" << jumps->jumps << " wrong_jumps=" << jumps->wrong
                << " for_jumps=" << jumps->time;
        }
        const auto instructions = instructions_of(processor);
        for (unsigned kind = 0; kind < instruction_classes; ++kind)
            out << ' ' << instruction_class_names[kind] << '=' << instructions[kind];
        out << '\n';
    }
    out << "end\n"; // a disk that is full cuts off the last lines first
}

void write_intervals(BackEnd& back_end, CountsByInterval& intervals, const std::string& path)
{
    const auto each = [&](const auto& function) {
        for (unsigned processor = 0; processor < back_end.processors(); ++processor)
            if (back_end.is_modelled(processor))
                function(processor, back_end.number_in_machine(processor));
    };
    // Before any is written: an end may make all of them longer.
    each([&](unsigned processor, unsigned number) {
        intervals.end(number, back_end.clock(processor), back_end.machine().memory().counts(number));
    });
    std::ofstream out{path};
    out << "length=" << intervals.length() << '\n';
    each([&](unsigned processor, unsigned number) {
        out << "processor=" << number << " clock=" << back_end.clock(processor) << '\n';
        for (const CountsByInterval::Interval& one : intervals.intervals(number))
            out << one.number << ' ' << one.counts.read_misses << ' ' << one.counts.write_misses << ' '
                << one.counts.fetch_misses << ' ' << one.counts.bus_transfers << ' ' << one.counts.bus_waiting
                << '\n';
    });
    out << "end\n";
}

} // namespace parley::machine_model
