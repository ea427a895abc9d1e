// SPDX-License-Identifier: MIT
#include "native/nxrun/job_trace.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parley::native {

JobTrace::JobTrace(const TraceArea& area, unsigned long clock_hertz, unsigned long clock_start)
    : clock_hertz_(clock_hertz), clock_start_(clock_start)
{
    parts_.emplace_back(area, clock_hertz);
    processors_ = parts_.front().processors();
}

void JobTrace::add(std::vector<std::byte> packed, const ClockReadings& readings)
{
    const unsigned machine = machines_++;
    std::optional<TracePart> part;
    if (readings.begin.is_taken())
        part = TracePart::unpacked(std::move(packed));
    if (!part) {
        missing_.push_back(machine);
        return;
    }
    const MachineClock clock(readings,
                             static_cast<double>(clock_hertz_) / static_cast<double>(part->clock_hertz()));
    const std::uint64_t doubt = clock.doubt_until(part->last_time());
    second_doubt_ = std::max(second_doubt_, std::min(doubt, doubt_));
    doubt_ = std::max(doubt_, doubt);
    part->convert(clock, processors_);
    processors_ += part->processors();
    parts_.push_back(std::move(*part));
}

std::vector<RankTime> JobTrace::times() const
{
    std::vector<RankTime> found;
    for (const TracePart& part : parts_)
        for (const TracePart::Source& source : part.sources())
            found.push_back(source.time);
    std::ranges::sort(found, {}, &RankTime::endpoint);
    return found;
}

// Between two machines of which neither is the first, both doubts count.
unsigned long JobTrace::doubt_nanoseconds() const
{
    const auto cycles = static_cast<double>(doubt_ + second_doubt_);
    return static_cast<unsigned long>(std::ceil(1e9 * cycles / static_cast<double>(clock_hertz_)));
}

std::optional<std::string> JobTrace::about_missing() const
{
    if (missing_.empty())
        return {};
    std::string names;
    for (std::size_t at = 0; at < missing_.size(); ++at)
        names += (at == 0 ? "" : at + 1 == missing_.size() ? " and " : ", ") + std::to_string(missing_[at]);
    return std::string("The records of machine") + (missing_.size() > 1 ? "s " : " ") + names +
           (missing_.size() > 1 ? " are missing, since these" : " are missing, since it") +
           " could not be asked for them any more.";
}

} // namespace parley::native
