// SPDX-License-Identifier: MIT
#include "platform.hpp"

#include "arch/hosted/hosted.hpp"

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace parley {

namespace {

// Sleepers by address, as a kernel's wait queues. A bucket's mutex makes "still the expected value, so sleep"
// one step.
struct Bucket {
    std::mutex mutex;
    std::condition_variable changed;
    std::uint64_t wakes = 0;
};

std::array<Bucket, 64> buckets;

Bucket& bucket_of(const void* address)
{
    return buckets[reinterpret_cast<std::uintptr_t>(address) / 64 % buckets.size()];
}

thread_local hosted::ProcessThread* current = nullptr;
std::atomic<std::uintptr_t> forbidden_start{0};
std::atomic<std::size_t> forbidden_bytes{0};
std::atomic<long> pages_left{-1};

bool is_allowed(UserAddress address, std::size_t bytes)
{
    const std::uintptr_t start = forbidden_start.load();
    return address.value + bytes <= start || address.value >= start + forbidden_bytes.load();
}

bool must_end() { return current != nullptr && current->is_killed(); }

void step()
{
    if (current != nullptr)
        current->step();
}

} // namespace

namespace platform {

void pause() { asm volatile("pause"); }

bool SpinWait::once()
{
    if (++turns_ % 16 == 0)
        std::this_thread::yield();
    else
        pause();
    step();
    return !must_end();
}

bool block(std::atomic<std::uint32_t>& word, std::uint32_t expected)
{
    step();
    Bucket& bucket = bucket_of(&word);
    std::unique_lock lock(bucket.mutex);
    const std::uint64_t seen = bucket.wakes;
    bucket.changed.wait(lock, [&] { return bucket.wakes != seen || word.load() != expected || must_end(); });
    return !must_end();
}

unsigned wake(std::atomic<std::uint32_t>& word, unsigned count)
{
    Bucket& bucket = bucket_of(&word);
    {
        const std::lock_guard lock(bucket.mutex);
        ++bucket.wakes;
    }
    // sleepers of other words look again and sleep on: spurious returns are allowed
    bucket.changed.notify_all();
    return count;
}

bool suspend(std::atomic<std::uint32_t>& word, std::uint32_t expected)
{
    hosted::WordSleep* const how = current == nullptr ? nullptr : current->word_sleep();
    return how == nullptr ? block(word, expected) : how->suspend(word, expected);
}

unsigned resume(std::atomic<std::uint32_t>& word, unsigned count)
{
    hosted::WordSleep* const how = current == nullptr ? nullptr : current->word_sleep();
    return how == nullptr ? wake(word, count) : how->resume(word, count);
}

std::uint64_t cycles() { return __builtin_ia32_rdtsc(); }
std::uint64_t nanoseconds()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

Result<void> copy_in(std::byte* to, UserAddress from, std::size_t bytes)
{
    if (!is_allowed(from, bytes))
        return std::unexpected(Error::bad_buffer);
    copy_bytes(to, reinterpret_cast<const std::byte*>(from.value), bytes);
    return {};
}

Result<void> copy_out(UserAddress to, const std::byte* from, std::size_t bytes)
{
    if (!is_allowed(to, bytes))
        return std::unexpected(Error::bad_buffer);
    copy_bytes(reinterpret_cast<std::byte*>(to.value), from, bytes);
    return {};
}

Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes)
{
    if (!is_allowed(from, bytes))
        return std::unexpected(Error::bad_buffer);
    return copy_out(to, reinterpret_cast<const std::byte*>(from.value), bytes);
}

void copy(std::byte* to, const std::byte* from, std::size_t bytes) { copy_bytes(to, from, bytes); }

Result<void> populate(std::byte*, std::size_t bytes)
{
    const long pages = static_cast<long>((bytes + page_bytes - 1) / page_bytes);
    long left = pages_left.load();
    if (left < 0)
        return {};
    do
        if (left < pages)
            return std::unexpected(Error::no_memory);
    while (!pages_left.compare_exchange_weak(left, left - pages));
    return {};
}

} // namespace platform

namespace hosted {

ProcessThread::ProcessThread() { current = this; }

ProcessThread::~ProcessThread()
{
    if (current == this)
        current = nullptr;
}

void ProcessThread::kill()
{
    killed_.store(true, std::memory_order_release);
    for (Bucket& bucket : buckets) {
        const std::lock_guard lock(bucket.mutex);
        ++bucket.wakes;
        bucket.changed.notify_all();
    }
}

ProcessThread* current_process() { return current; }

void forbid(const void* start, std::size_t bytes)
{
    forbidden_start = reinterpret_cast<std::uintptr_t>(start);
    forbidden_bytes = bytes;
}

void limit_population(long pages) { pages_left = pages; }

} // namespace hosted

} // namespace parley
