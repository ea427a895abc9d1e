// SPDX-License-Identifier: MIT
#include "tools/machine_model/counts_by_interval.hpp"

#include <utility>

namespace parley::machine_model {

namespace {

using Counts = CountsByInterval::Counts;

Counts between(const Counts& before, const MemoryCounts& so_far)
{
    return {so_far.read_misses - before.read_misses, so_far.write_misses - before.write_misses,
            so_far.fetch_misses - before.fetch_misses, so_far.bus_transfers - before.bus_transfers,
            so_far.bus_waiting - before.bus_waiting};
}

} // namespace

Counts& Counts::operator+=(const Counts& other)
{
    read_misses += other.read_misses;
    write_misses += other.write_misses;
    fetch_misses += other.fetch_misses;
    bus_transfers += other.bus_transfers;
    bus_waiting += other.bus_waiting;
    return *this;
}

CountsByInterval::CountsByInterval(unsigned processors, Picoseconds length, std::size_t most)
    : length_{length}, most_{most}, processors_(processors)
{
    for (Processor& processor : processors_)
        begin(processor, 0);
}

void CountsByInterval::begin(Processor& processor, std::uint64_t number)
{
    processor.present = number;
    processor.end = (number + 1) * length_;
}

void CountsByInterval::add(Processor& processor, const Interval& interval)
{
    if (!processor.kept.empty() && processor.kept.back().number == interval.number)
        processor.kept.back().counts += interval.counts;
    else
        processor.kept.push_back(interval);
}

void CountsByInterval::double_length()
{
    length_ *= 2;
    for (Processor& processor : processors_) {
        for (const Interval& one : std::exchange(processor.kept, {}))
            add(processor, {one.number / 2, one.counts});
        begin(processor, processor.present / 2);
    }
}

void CountsByInterval::end(unsigned processor, Picoseconds now, const MemoryCounts& so_far)
{
    Processor& own = processors_[processor];
    if (const Counts counts = between(own.before, so_far); counts != Counts{}) {
        add(own, {own.present, counts});
        own.before += counts;
    }
    while (own.kept.size() > most_)
        double_length();
    begin(own, now / length_);
}

} // namespace parley::machine_model
