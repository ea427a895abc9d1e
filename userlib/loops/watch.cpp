// SPDX-License-Identifier: MIT
#include "userlib/loops/watch.hpp"

#include "processor_number.hpp"
#include "userlib/loops/line.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace parley::loops {

namespace {

constexpr unsigned first_activity = static_cast<unsigned>(Activity::serial);
constexpr unsigned activities = static_cast<unsigned>(Activity::work_wait) - first_activity + 1;
constexpr unsigned parts = static_cast<unsigned>(LoopPart::xdoall_within) + 1;
using Sums = std::array<std::atomic<std::uint64_t>, activities * parts>;

// Its words but the first three are its thread's, and read by whoever ends the program.
struct alignas(line_bytes) WatchedThread {
    WatchedThread* next = nullptr;
    std::uint16_t number = 0;            // among the process's, in the order in which they came
    std::uint32_t numbers = 0;           // in its teams, as a record has them
    std::atomic<std::uint64_t> since{0}; // 0: it has done nothing yet
    std::atomic<Activity> activity{Activity::serial};
    std::atomic<LoopPart> part{LoopPart::other}; // of the activity
    LoopPart next_part = LoopPart::other;
    bool is_full = false;               // the buffer, as this thread knows
    std::atomic<std::uint64_t> lost{0}; // records since
    Sums spent{};
    std::array<std::uint64_t, activities * parts> before{}; // what of it does not count: main's

    unsigned place() const
    {
        return static_cast<unsigned>(part.load(std::memory_order_relaxed)) * activities +
               static_cast<unsigned>(activity.load(std::memory_order_relaxed)) - first_activity;
    }
    // What it has spent on that until then, with what it does now.
    std::uint64_t spent_on(unsigned at, std::uint64_t now) const
    {
        const std::uint64_t begun = since.load(std::memory_order_relaxed);
        const std::uint64_t sum = spent[at].load(std::memory_order_relaxed);
        return sum + (at == place() && begun != 0 && now > begun ? now - begun : 0);
    }
};

template <class Use>
void for_each_thread(std::atomic<WatchedThread*>& first, Use use)
{
    for (WatchedThread* thread = first.load(std::memory_order_acquire); thread != nullptr;
         thread = thread->next)
        use(*thread);
}

// A relaxed word that one thread writes and another may read.
void add(std::atomic<std::uint64_t>& word, std::uint64_t more)
{
    word.store(word.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

TraceBuffer* buffer = nullptr;
std::uint64_t capacity = 0;
std::uint16_t process = 0;
std::atomic<WatchedThread*> all_threads{nullptr};
std::atomic<std::uint16_t> count{0};
thread_local WatchedThread* self __attribute__((tls_model("initial-exec"))) = nullptr;

std::uint64_t cycles() { return __builtin_ia32_rdtsc(); }

parley_trace_record record_of(const WatchedThread& thread, TraceEvent event, std::uint64_t now,
                              std::uint64_t length, std::uint32_t type)
{
    return {.time = now,
            .length = length,
            .message = thread.numbers,
            .type = type,
            .job = 0,
            .process = process,
            .peer = thread.number,
            .event = static_cast<std::uint8_t>(event),
            .processor = processor_number()};
}

// Null: there is no memory, and nothing is told of this thread.
WatchedThread* own()
{
    if (self == nullptr) {
        void* const place = std::aligned_alloc(line_bytes, sizeof(WatchedThread));
        if (place == nullptr)
            return nullptr;
        self = new (place) WatchedThread;
        self->number = count.fetch_add(1, std::memory_order_relaxed);
        self->next = all_threads.load(std::memory_order_relaxed);
        while (!all_threads.compare_exchange_weak(self->next, self, std::memory_order_release,
                                                  std::memory_order_relaxed))
            ;
    }
    return self;
}

} // namespace

constinit bool Watch::on_ = false;

void Watch::begin(TraceBuffer& given, std::size_t bytes, unsigned endpoint)
{
    buffer = &given;
    capacity = trace_capacity(bytes);
    process = static_cast<std::uint16_t>(endpoint);
    on_ = true;
    note(Activity::serial);
}

void Watch::call_thread(unsigned outer, unsigned inner)
{
    if (WatchedThread* const thread = own())
        thread->numbers = outer | inner << 16;
}

void Watch::note(Activity activity, std::uint64_t count)
{
    WatchedThread* const thread = own();
    if (thread == nullptr)
        return;
    const std::uint64_t now = cycles();
    if (const std::uint64_t since = thread->since.load(std::memory_order_relaxed); since != 0)
        add(thread->spent[thread->place()], now - since);
    thread->activity.store(activity, std::memory_order_relaxed);
    thread->part.store(thread->next_part, std::memory_order_relaxed);
    thread->since.store(now, std::memory_order_relaxed);
    // To draw is a step on one word for all threads: nobody takes it in vain twice.
    if (thread->is_full)
        return add(thread->lost, 1);
    const std::uint64_t place = buffer->draw();
    thread->is_full = place >= capacity;
    buffer->keep(place, capacity,
                 record_of(*thread, static_cast<TraceEvent>(activity), now, count,
                           static_cast<std::uint32_t>(thread->next_part)));
}

void Watch::enter(LoopPart part)
{
    if (WatchedThread* const thread = own())
        thread->next_part = part;
}

LoopPart Watch::part()
{
    const WatchedThread* const thread = own();
    return thread == nullptr ? LoopPart::other : thread->next_part;
}

Activity Watch::activity()
{
    const WatchedThread* const thread = own();
    return thread == nullptr ? Activity::serial : thread->activity.load(std::memory_order_relaxed);
}

void Watch::begin_again()
{
    const std::uint64_t now = cycles();
    for_each_thread(all_threads, [&](WatchedThread& thread) {
        for (unsigned at = 0; at < activities * parts; ++at)
            thread.before[at] = thread.spent_on(at, now);
    });
}

// Other threads may still run, and wait for work at best: what they do has lasted until now.
void Watch::end()
{
    static bool ended = false;
    if (!on_ || ended)
        return;
    ended = true;
    const std::uint64_t now = cycles();
    for_each_thread(all_threads, [&](const WatchedThread& thread) {
        buffer->drawn.fetch_add(thread.lost.load(std::memory_order_relaxed), std::memory_order_relaxed);
    });
    for_each_thread(all_threads, [&](const WatchedThread& thread) {
        for (unsigned at = 0; at < activities * parts; ++at) {
            const std::uint64_t sum = thread.spent_on(at, now) - thread.before[at];
            if (sum == 0)
                continue;
            const std::uint64_t place = buffer->draw();
            // A buffer that is full keeps the sums in place of its last records.
            buffer->keep(place < capacity ? place : capacity - 1 - (place - capacity) % capacity, capacity,
                         record_of(thread, TraceEvent::spent_, now, sum,
                                   (at / activities) << 8 | (at % activities + first_activity)));
        }
    });
}

} // namespace parley::loops
