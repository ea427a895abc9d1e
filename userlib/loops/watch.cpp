// SPDX-License-Identifier: MIT
#include "userlib/loops/watch.hpp"

#include "processor_number.hpp"
#include "userlib/loops/latest_records.hpp"
#include "userlib/loops/line.hpp"
#include "userlib/loops/surroundings/clusters.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace parley::loops {

namespace {

constexpr unsigned first_activity = static_cast<unsigned>(Activity::serial);
constexpr unsigned activities = static_cast<unsigned>(Activity::work_wait) - first_activity + 1;
constexpr unsigned parts = static_cast<unsigned>(LoopPart::xdoall_within) + 1;
constexpr unsigned places = activities * parts; // an activity of a kind of loop

struct Sum {
    std::atomic<std::uint64_t> spent{0}; // cycles
    std::atomic<std::uint64_t> begun{0}; // how often
};
struct Told {
    std::uint64_t spent = 0, begun = 0;
};

// What a note needs of it stands first, and is its thread's; whoever ends the program reads what is counted.
// It lies in the memory of the thread's cluster, and the latest records with it where that is a memory of its
// own: to write down what it does, a thread then looks at no memory that others use.
struct alignas(line_bytes) WatchedThread {
    std::atomic<Sum*> sum{nullptr}; // of what it does; null: it has done nothing yet
    std::atomic<std::uint64_t> since{0};
    Sum* sums_of_part = &sums[0];    // of the kind of loop that it notes from now on
    LatestRecords* latest = nullptr; // null: each record goes to the buffer at once
    parley_trace_record record{};    // as the next is, but for some words
    TraceBuffer* buffer = nullptr;
    std::uint64_t capacity = 0;
    bool is_full = false;               // the buffer, as this thread knows
    std::atomic<std::uint64_t> lost{0}; // records since
    WatchedThread* next = nullptr;
    std::array<Sum, places> sums{};
    std::array<Told, places> before{}; // what of them does not count: main's

    // What it has spent on that until then, with what it does now.
    Told told(unsigned at, std::uint64_t now) const
    {
        const std::uint64_t began = since.load(std::memory_order_relaxed);
        const bool does_it = &sums[at] == sum.load(std::memory_order_relaxed) && now > began;
        return {sums[at].spent.load(std::memory_order_relaxed) + (does_it ? now - began : 0),
                sums[at].begun.load(std::memory_order_relaxed)};
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

// The last words of the thread's record; the others are the next's already.
void complete(parley_trace_record& record, TraceEvent event, std::uint64_t now, std::uint64_t length)
{
    record.time = now;
    record.length = length;
    record.event = static_cast<std::uint8_t>(event);
}

parley_trace_record record_of(const WatchedThread& thread, TraceEvent event, std::uint64_t now,
                              std::uint64_t length, std::uint32_t type)
{
    parley_trace_record record = thread.record;
    complete(record, event, now, length);
    record.type = type;
    record.processor = processor_number();
    return record;
}

WatchedThread* new_thread(int home)
{
    void* const place = take_memory(home, sizeof(WatchedThread));
    if (place == nullptr)
        return nullptr;
    auto* const thread = new (place) WatchedThread;
    thread->buffer = buffer;
    thread->capacity = capacity;
    thread->record.process = process;
    thread->record.processor = processor_number();
    if (home == no_home || !machine_clusters().have_memory)
        return thread;
    // Zero where it has never been touched, and it is touched here rather than by what is watched.
    if (void* const latest = take_memory(home, sizeof(LatestRecords)))
        thread->latest = new (latest) LatestRecords{};
    return thread;
}

[[gnu::noinline]] WatchedThread* begin_thread(int home)
{
    WatchedThread* const thread = new_thread(home);
    if (thread == nullptr)
        return nullptr;
    thread->record.peer = count.fetch_add(1, std::memory_order_relaxed);
    thread->next = all_threads.load(std::memory_order_relaxed);
    while (!all_threads.compare_exchange_weak(thread->next, thread, std::memory_order_release,
                                              std::memory_order_relaxed))
        ;
    return self = thread;
}

// Null: there is no memory, and nothing is told of this thread. The main one's home is the first cluster.
WatchedThread* own(int home = 0) { return self != nullptr ? self : begin_thread(home); }

void keep(WatchedThread& thread, TraceEvent event, std::uint64_t now, std::uint64_t length)
{
    parley_trace_record& record = thread.latest->next();
    record = thread.record;
    complete(record, event, now, length);
    thread.latest->keep();
}

// To draw is a step on one word for all threads: nobody takes it in vain twice.
[[gnu::noinline]] void write_to_buffer(WatchedThread& thread, TraceEvent event, std::uint64_t now,
                                       std::uint64_t length)
{
    if (thread.is_full)
        return add(thread.lost, 1);
    if (thread.latest != nullptr) {
        thread.is_full = !thread.latest->make_room(*thread.buffer, thread.capacity);
        return thread.is_full ? add(thread.lost, 1) : keep(thread, event, now, length);
    }
    const std::uint64_t place = thread.buffer->draw();
    thread.is_full = place >= thread.capacity;
    thread.buffer->keep(place, thread.capacity, record_of(thread, event, now, length, thread.record.type));
}

// Whatever is seldom is another function's, which this ends with: so it keeps no registers.
void note_of(WatchedThread& thread, Activity activity, std::uint64_t count)
{
    const std::uint64_t now = cycles();
    if (Sum* const before = thread.sum.load(std::memory_order_relaxed); before != nullptr)
        add(before->spent, now - thread.since.load(std::memory_order_relaxed));
    Sum& sum = thread.sums_of_part[static_cast<unsigned>(activity) - first_activity];
    thread.sum.store(&sum, std::memory_order_relaxed);
    thread.since.store(now, std::memory_order_relaxed);
    add(sum.begun, 1);
    if (thread.latest == nullptr || !thread.latest->has_room()) [[unlikely]]
        return write_to_buffer(thread, static_cast<TraceEvent>(activity), now, count);
    keep(thread, static_cast<TraceEvent>(activity), now, count);
}

[[gnu::noinline]] void note_first(Activity activity, std::uint64_t count)
{
    if (WatchedThread* const thread = begin_thread(0))
        note_of(*thread, activity, count);
}

// A buffer that is full keeps these in place of its last records.
void keep_at_the_end(const parley_trace_record& record)
{
    const std::uint64_t place = buffer->draw();
    buffer->keep(place < capacity ? place : capacity - 1 - (place - capacity) % capacity, capacity, record);
}

// How many cycles so many notes take, of the calling thread, as another that is nobody's.
void tell_price()
{
    constexpr unsigned notes = 64;
    struct {
        TraceBuffer head{};
        std::array<parley_trace_record, 2 * notes> records;
    } scratch;
    WatchedThread* const priced = new_thread(0);
    if (priced == nullptr)
        return;
    priced->buffer = &scratch.head;
    priced->capacity = scratch.records.size();
    WatchedThread* const own = std::exchange(self, priced);
    const auto note = [] {
        for (unsigned at = 0; at < notes; ++at)
            Watch::note(Activity::iterations);
    };
    note(); // its lines are near then
    const std::uint64_t began = cycles();
    note();
    const std::uint64_t now = cycles();
    self = own;
    keep_at_the_end(record_of(*priced, TraceEvent::note_price_, now, now - began, notes));
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

void Watch::call_thread(unsigned outer, unsigned inner, int home)
{
    if (WatchedThread* const thread = own(home))
        thread->record.message = outer | inner << 16;
}

void Watch::note(Activity activity, std::uint64_t count)
{
    if (self == nullptr) [[unlikely]]
        return note_first(activity, count);
    note_of(*self, activity, count);
}

void Watch::enter(LoopPart part)
{
    WatchedThread* const thread = own();
    if (thread == nullptr)
        return;
    thread->record.type = static_cast<std::uint32_t>(part);
    thread->sums_of_part = &thread->sums[static_cast<unsigned>(part) * activities];
}

LoopPart Watch::part()
{
    const WatchedThread* const thread = own();
    return thread == nullptr ? LoopPart::other : static_cast<LoopPart>(thread->record.type);
}

Activity Watch::activity()
{
    const WatchedThread* const thread = own();
    const Sum* const sum = thread == nullptr ? nullptr : thread->sum.load(std::memory_order_relaxed);
    if (sum == nullptr)
        return Activity::serial;
    return static_cast<Activity>((sum - &thread->sums[0]) % activities + first_activity);
}

// The main thread was the first, so it comes last here: what this takes is none of its time from now on.
void Watch::begin_again()
{
    for_each_thread(all_threads, [](WatchedThread& thread) {
        const std::uint64_t now = cycles();
        for (unsigned at = 0; at < places; ++at)
            thread.before[at] = thread.told(at, now);
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
    for_each_thread(all_threads, [&](WatchedThread& thread) {
        if (thread.latest != nullptr)
            thread.latest->end(*buffer, capacity);
        buffer->drawn.fetch_add(thread.lost.load(std::memory_order_relaxed), std::memory_order_relaxed);
    });
    tell_price();
    for_each_thread(all_threads, [&](const WatchedThread& thread) {
        for (unsigned at = 0; at < places; ++at) {
            const Told told = thread.told(at, now);
            const std::uint32_t what = (at / activities) << 8 | (at % activities + first_activity);
            if (const std::uint64_t spent = told.spent - thread.before[at].spent; spent != 0)
                keep_at_the_end(record_of(thread, TraceEvent::spent_, now, spent, what));
            if (const std::uint64_t begun = told.begun - thread.before[at].begun; begun != 0)
                keep_at_the_end(record_of(thread, TraceEvent::noted_, now, begun, what));
        }
    });
}

} // namespace parley::loops
