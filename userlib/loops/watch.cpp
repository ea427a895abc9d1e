// SPDX-License-Identifier: MIT
#include "userlib/loops/watch.hpp"

#include "processor_number.hpp"
#include "userlib/loops/activity_sums.hpp"
#include "userlib/loops/line.hpp"
#include "userlib/loops/surroundings/clusters.hpp"

#include <array>
#include <new>

namespace parley::loops {

namespace {

constexpr unsigned first_activity = static_cast<unsigned>(ThreadActivity::serial);
constexpr unsigned activities = static_cast<unsigned>(ThreadActivity::work_wait) - first_activity + 1;
constexpr unsigned parts = static_cast<unsigned>(LoopPart::xdoall_within) + 1;

using Sums = ActivitySums<first_activity, activities, parts>;

// What the monitor keeps of a thread. Where the thread's home has a memory of its own, it lies there, so that
// to write down what it does a thread looks at no memory that others use. What a note needs stands first.
struct alignas(line_bytes) WatchedThread final : NotingThread {
    explicit WatchedThread(unsigned room) : NotingThread(room) { }

    LatestNotes& notes() { return notes_; }

    // While somebody takes the thread's notes over, nobody else changes these.
    Sums sums;
    parley_trace_record record{}; // as each is, but for what the note says
    TraceBuffer* buffer = nullptr;
    std::uint64_t capacity = 0;
    bool is_full = false;   // the buffer, as this thread knows
    std::uint64_t lost = 0; // records since
    WatchedThread* next = nullptr;
};

template <class Use>
void for_each_thread(std::atomic<WatchedThread*>& first, Use use)
{
    for (WatchedThread* thread = first.load(std::memory_order_acquire); thread != nullptr;
         thread = thread->next)
        use(*thread);
}

TraceBuffer* buffer = nullptr;
std::uint64_t capacity = 0;
std::uint16_t process = 0;
std::atomic<WatchedThread*> all_threads{nullptr};
std::atomic<std::uint16_t> count{0};
std::atomic<std::uint64_t> counted_from{0}; // what was done before is in no sum
thread_local WatchedThread* self __attribute__((tls_model("initial-exec"))) = nullptr;

std::uint64_t cycles() { return __builtin_ia32_rdtsc(); }

parley_trace_record record_of(const WatchedThread& thread, TraceEvent event, std::uint64_t time,
                              std::uint64_t length, std::uint32_t type)
{
    parley_trace_record record = thread.record;
    record.time = time;
    record.length = length;
    record.event = static_cast<std::uint8_t>(event);
    record.type = type;
    return record;
}

// A thread without a memory of its own hands each note over at once, so that the trace has it whatever
// becomes of the program.
WatchedThread* new_thread(int home)
{
    const bool has_memory = home != no_home && machine_clusters().have_memory;
    void* const place = take_memory(home, sizeof(WatchedThread));
    if (place == nullptr)
        return nullptr;
    auto* const thread = new (place) WatchedThread(has_memory ? LatestNotes::most : 1);
    thread->buffer = buffer;
    thread->capacity = capacity;
    thread->record.process = process;
    thread->record.processor = processor_number();
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

// To draw is a step on one word for all threads: nobody takes it in vain twice.
void keep(WatchedThread& thread, std::span<const Note> notes)
{
    thread.sums.count_from(counted_from.load(std::memory_order_relaxed));
    for (const Note& note : notes)
        thread.sums.add(note);
    if (thread.is_full) {
        thread.lost += notes.size();
        return;
    }
    std::uint64_t place = thread.buffer->drawn.fetch_add(notes.size(), std::memory_order_relaxed);
    for (const Note& note : notes)
        thread.buffer->keep(
            place++, thread.capacity,
            record_of(thread, static_cast<TraceEvent>(note.event()), note.time, note.count(), note.part()));
    thread.is_full = place >= thread.capacity;
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
    const auto note = [&] {
        for (unsigned at = 0; at < notes; ++at)
            priced->note(ThreadActivity::iterations);
    };
    note(); // its lines are near then
    const std::uint64_t began = cycles();
    note();
    const std::uint64_t now = cycles();
    keep_at_the_end(record_of(*priced, TraceEvent::note_price_, now, now - began, notes));
}

} // namespace

void NotingThread::call(unsigned outer, unsigned inner)
{
    static_cast<WatchedThread&>(*this).record.message = outer | inner << 16;
}

// Where many are handed over together, that is no time of the program's; where each is, it is in a note's
// price.
void NotingThread::hand_over()
{
    auto& thread = static_cast<WatchedThread&>(*this);
    notes_.hand_over([&](std::span<const Note> notes) {
        thread.record.processor = processor_number();
        keep(thread, notes);
        if (notes.size() > 1)
            thread.sums.resume(cycles());
    });
}

void Watch::begin(TraceBuffer& given, std::size_t bytes, unsigned endpoint)
{
    buffer = &given;
    capacity = trace_capacity(bytes);
    process = static_cast<std::uint16_t>(endpoint);
    if (NotingThread* const first = this_thread(0))
        first->note(ThreadActivity::serial);
}

NotingThread* Watch::this_thread(int home)
{
    return buffer == nullptr || self != nullptr ? self : begin_thread(home);
}

void Watch::begin_again() { counted_from.store(cycles(), std::memory_order_relaxed); }

// Other threads may still run, and wait for work at best: what they do has lasted until now.
void Watch::end()
{
    static bool ended = false;
    if (buffer == nullptr || ended)
        return;
    ended = true;
    const std::uint64_t now = cycles();
    for_each_thread(all_threads, [&](WatchedThread& thread) {
        thread.notes().end([&](std::span<const Note> notes) {
            keep(thread, notes);
            thread.sums.end(now);
        });
        buffer->drawn.fetch_add(thread.lost, std::memory_order_relaxed);
    });
    tell_price();
    for_each_thread(all_threads, [&](const WatchedThread& thread) {
        thread.sums.each([&](unsigned part, unsigned activity, const Sums::Sum& sum) {
            const std::uint32_t what = part << 8 | activity;
            if (sum.spent != 0)
                keep_at_the_end(record_of(thread, TraceEvent::spent_, now, sum.spent, what));
            if (sum.begun != 0)
                keep_at_the_end(record_of(thread, TraceEvent::noted_, now, sum.begun, what));
        });
    });
}

} // namespace parley::loops
