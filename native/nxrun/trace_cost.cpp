// SPDX-License-Identifier: MIT
#include "native/nxrun/trace_cost.hpp"

#include "base/trace_buffer.hpp"
#include "native/nxrun/machine.hpp"

#include "processor_number.hpp"

#include <algorithm>
#include <array>
#include <sys/mman.h>

namespace parley::native {

namespace {

// Shared memory that nobody has touched, as long as a buffer of the kernel's.
class FreshBuffer {
public:
    FreshBuffer()
        : memory_(
              mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
    {
    }
    ~FreshBuffer()
    {
        if (memory_ != MAP_FAILED)
            munmap(memory_, bytes);
    }
    FreshBuffer(const FreshBuffer&) = delete;
    FreshBuffer& operator=(const FreshBuffer&) = delete;

    // In cycles, to fill it; 0: there is no memory.
    std::uint64_t fill() const
    {
        if (memory_ == MAP_FAILED)
            return 0;
        auto& buffer = *static_cast<TraceBuffer*>(memory_);
        const std::uint64_t began = cycles();
        for (std::uint64_t at = 0; at < capacity; ++at)
            buffer.keep(buffer.draw(), capacity,
                        {.time = cycles(),
                         .length = at,
                         .message = 0,
                         .type = 0,
                         .job = 0,
                         .process = 0,
                         .peer = PARLEY_TRACE_NOBODY,
                         .event = 0,
                         .processor = processor_number()});
        return cycles() - began;
    }

    static constexpr std::size_t bytes = PARLEY_TRACE_LIBRARY_BYTES;
    static constexpr std::uint64_t capacity = trace_capacity(bytes);

private:
    void* const memory_;
};

} // namespace

TraceCost measure_trace_cost(unsigned long clock_hertz)
{
    constexpr std::size_t batches = 5; // the median: a processor that was taken away in one does not count
    constexpr std::uint64_t calls = 4096;
    const auto picoseconds = [&](auto&& batch, std::uint64_t count) {
        std::array<std::uint64_t, batches> found{};
        for (std::uint64_t& one : found)
            one = batch();
        std::ranges::sort(found);
        return static_cast<std::uint64_t>(1e12 * static_cast<double>(found[batches / 2]) /
                                          static_cast<double>(count) / static_cast<double>(clock_hertz));
    };
    volatile std::uint64_t counted = 0;
    const auto watch_calls = [&] {
        TimeUse use;
        const std::uint64_t began = cycles();
        for (std::uint64_t i = 0; i < calls; ++i) {
            use.enter(cycles());
            use.leave(cycles());
        }
        counted = use.inside;
        return cycles() - began;
    };
    return {.record = picoseconds([] { return FreshBuffer().fill(); }, FreshBuffer::capacity),
            .call = picoseconds(watch_calls, calls)};
}

} // namespace parley::native
