// SPDX-License-Identifier: MIT
#include "native/nxrun/trace_area.hpp"

#include "native/nxrun/machine.hpp"

#include <algorithm>

namespace parley::native {

namespace {

std::uint64_t microseconds(const timeval& time)
{
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(time.tv_usec);
}

} // namespace

TraceArea::TraceArea(unsigned endpoints, std::size_t records_each)
    : bytes_each_((sizeof(TraceBuffer) + records_each * sizeof(parley_trace_record) + page_bytes - 1) /
                  page_bytes * page_bytes),
      endpoints_(endpoints)
{
}

void TraceArea::describe(parley_start& start) const
{
    start.trace_base = reinterpret_cast<std::uintptr_t>(memory_);
    start.trace_bytes = bytes_each_;
}

TraceBuffer& TraceArea::buffer(unsigned endpoint) const
{
    return *reinterpret_cast<TraceBuffer*>(memory_ + endpoint * bytes_each_);
}

void TraceArea::note(TraceEvent event, unsigned endpoint, std::uint64_t now)
{
    own_records_.push_back({
        .time = now,
        .length = 0,
        .message = 0,
        .type = 0,
        .job = 1,
        .process = static_cast<std::uint16_t>(endpoint),
        .peer = PARLEY_TRACE_NOBODY,
        .event = static_cast<std::uint8_t>(event),
        .processor = PARLEY_TRACE_NOWHERE,
    });
}

void TraceArea::begun(unsigned endpoint)
{
    if (endpoint >= endpoints_.size())
        return;
    endpoints_[endpoint].began = cycles();
    note(TraceEvent::switch_, endpoint, endpoints_[endpoint].began);
}

void TraceArea::ended(unsigned endpoint, const rusage& used, unsigned long clock_hertz)
{
    if (endpoint >= endpoints_.size() || endpoints_[endpoint].began == 0)
        return;
    const std::uint64_t now = cycles();
    Endpoint& at = endpoints_[endpoint];
    at.life += now - at.began;
    at.began = 0;
    const std::uint64_t ran = microseconds(used.ru_utime) + microseconds(used.ru_stime);
    at.running +=
        static_cast<std::uint64_t>(static_cast<double>(ran) * static_cast<double>(clock_hertz) / 1e6);
    buffer(endpoint).time_use.end(now);
    note(TraceEvent::ended_, endpoint, now);
}

std::vector<RankTime> TraceArea::times() const
{
    std::vector<RankTime> found;
    for (unsigned endpoint = 0; endpoint < endpoints_.size(); ++endpoint)
        if (const Endpoint& at = endpoints_[endpoint]; at.life != 0)
            found.push_back({endpoint, at.life, at.running, buffer(endpoint).time_use});
    return found;
}

std::span<parley_trace_record> TraceArea::records(unsigned endpoint) const
{
    TraceBuffer& at = buffer(endpoint);
    const std::uint64_t drawn = at.drawn.load(std::memory_order_relaxed);
    return {at.records(), std::min(drawn, trace_capacity(bytes_each_))};
}

std::uint64_t TraceArea::lost(unsigned endpoint) const
{
    return buffer(endpoint).drawn.load(std::memory_order_relaxed) - records(endpoint).size();
}

} // namespace parley::native
