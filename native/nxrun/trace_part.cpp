// SPDX-License-Identifier: MIT
#include "native/nxrun/trace_part.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace parley::native {

namespace {

// The bytes: a Head, the records of what nxrun saw, and of each process a PackedSource and its records. All
// machines of a job have the same nxrun, so nothing says which layout this is.
struct Head {
    std::uint64_t clock_hertz;
    std::uint64_t processors;
    std::uint64_t seen;
    std::uint64_t sources;
};

struct PackedSource {
    std::uint64_t endpoint, life, running, calls, inside, waiting;
    std::uint64_t lost;
    std::uint64_t records;
};

template <class T>
void append(std::vector<std::byte>& bytes, std::span<const T> more)
{
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % alignof(parley_trace_record) == 0);
    const std::span<const std::byte> raw = std::as_bytes(more);
    bytes.insert(bytes.end(), raw.begin(), raw.end());
}

// Takes things off the front of bytes; after one that was not whole there are none.
class Unpacking {
public:
    explicit Unpacking(std::span<std::byte> bytes) : left_(bytes) { }

    template <class T>
    std::span<T> take(std::uint64_t count)
    {
        if (count > left_.size() / sizeof(T)) {
            is_whole_ = false;
            return {};
        }
        const std::span<T> found(reinterpret_cast<T*>(left_.data()), count);
        left_ = left_.subspan(found.size_bytes());
        return found;
    }
    template <class T>
    T one()
    {
        const std::span<T> found = take<T>(1);
        return found.empty() ? T{} : found.front();
    }
    bool is_whole() const { return is_whole_; }
    bool is_over() const { return left_.empty(); }

private:
    std::span<std::byte> left_;
    bool is_whole_ = true;
};

void convert_record(parley_trace_record& record, const MachineClock& clock, unsigned processor)
{
    record.time = clock.to_first(record.time);
    if (record.processor != PARLEY_TRACE_NOWHERE)
        record.processor = static_cast<unsigned char>(
            std::min<unsigned>(record.processor + processor, PARLEY_TRACE_NOWHERE));
}

} // namespace

TracePart::TracePart(const TraceArea& area, unsigned long clock_hertz)
    : clock_hertz_(clock_hertz), processors_(static_cast<unsigned>(sysconf(_SC_NPROCESSORS_CONF))),
      seen_(area.own_records())
{
    for (const RankTime& time : area.times())
        sources_.push_back({time, area.lost(time.endpoint), area.records(time.endpoint)});
}

std::vector<std::byte> TracePart::packed() const
{
    std::vector<std::byte> bytes;
    const Head head{clock_hertz_, processors_, seen_.size(), sources_.size()};
    append(bytes, std::span(&head, 1));
    append(bytes, seen());
    for (const Source& source : sources_) {
        const RankTime& time = source.time;
        const PackedSource packed{time.endpoint,   time.life,        time.running, time.use.calls,
                                  time.use.inside, time.use.waiting, source.lost,  source.records.size()};
        append(bytes, std::span(&packed, 1));
        append(bytes, std::span<const parley_trace_record>(source.records));
    }
    return bytes;
}

std::optional<TracePart> TracePart::unpacked(std::vector<std::byte> bytes)
{
    TracePart part;
    part.bytes_ = std::move(bytes);
    Unpacking from(part.bytes_);
    const auto head = from.one<Head>();
    part.clock_hertz_ = head.clock_hertz;
    part.processors_ = static_cast<unsigned>(head.processors);
    const std::span<parley_trace_record> seen = from.take<parley_trace_record>(head.seen);
    part.seen_.assign(seen.begin(), seen.end());
    for (std::uint64_t number = 0; number < head.sources && from.is_whole(); ++number) {
        const auto packed = from.one<PackedSource>();
        RankTime time{static_cast<unsigned>(packed.endpoint), packed.life, packed.running, {}};
        time.use.calls = packed.calls;
        time.use.inside = packed.inside;
        time.use.waiting = packed.waiting;
        part.sources_.push_back({time, packed.lost, from.take<parley_trace_record>(packed.records)});
    }
    if (!from.is_whole() || !from.is_over() || head.clock_hertz == 0)
        return {};
    return part;
}

void TracePart::convert(const MachineClock& clock, unsigned processor)
{
    for (parley_trace_record& record : seen_)
        convert_record(record, clock, processor);
    for (Source& source : sources_) {
        for (parley_trace_record& record : source.records)
            convert_record(record, clock, processor);
        RankTime& time = source.time;
        for (std::uint64_t* const duration : {&time.life, &time.running, &time.use.inside, &time.use.waiting})
            *duration = clock.duration_of(*duration);
    }
}

std::uint64_t TracePart::last_time() const
{
    // All that a process writes down comes before its end.
    std::uint64_t last = 0;
    for (const parley_trace_record& record : seen_)
        last = std::max(last, record.time);
    return last;
}

} // namespace parley::native
