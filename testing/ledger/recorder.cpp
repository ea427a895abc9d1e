// SPDX-License-Identifier: MIT
#include "testing/ledger/recorder.hpp"

#include <atomic>
#include <cstring>

namespace parley::testing {

namespace {

AccessRecorder* current = nullptr;

void note(const volatile void* place, std::size_t bytes, bool writes)
{
    if (current != nullptr)
        current->note(reinterpret_cast<std::uintptr_t>(place), bytes, writes);
}

} // namespace

AccessRecorder::AccessRecorder(Caches& caches, std::uintptr_t first, std::uintptr_t last)
    : caches_(caches), first_(first), last_(last)
{
    current = this;
}

AccessRecorder::~AccessRecorder() { current = nullptr; }

void AccessRecorder::note(std::uintptr_t address, std::size_t bytes, bool writes)
{
    if (address < first_ || address >= last_)
        return;
    ++seen_;
    caches_.access(processor_, address, bytes, writes);
}

} // namespace parley::testing

using parley::testing::note;

// The names and parameters are the compiler's.
extern "C" {

void __tsan_init() { }
void __tsan_func_entry(void*) { }
void __tsan_func_exit() { }
void __tsan_vptr_update(void** place, void*) { note(place, sizeof *place, true); }
void __tsan_vptr_read(void** place) { note(place, sizeof *place, false); }
void __tsan_read_range(void* place, unsigned long bytes) { note(place, bytes, false); }
void __tsan_write_range(void* place, unsigned long bytes) { note(place, bytes, true); }
void __tsan_atomic_thread_fence(int) { std::atomic_thread_fence(std::memory_order_seq_cst); }
void __tsan_atomic_signal_fence(int) { }

#define RECORDED(bytes)                                                           \
    void __tsan_read##bytes(void* place) { note(place, bytes, false); }           \
    void __tsan_write##bytes(void* place) { note(place, bytes, true); }           \
    void __tsan_unaligned_read##bytes(void* place) { note(place, bytes, false); } \
    void __tsan_unaligned_write##bytes(void* place) { note(place, bytes, true); }

RECORDED(1)
RECORDED(2)
RECORDED(4)
RECORDED(8)
RECORDED(16)

#define RECORDED_CHANGE(bits, type, name, builtin)                           \
    type __tsan_atomic##bits##_##name(volatile type* place, type value, int) \
    {                                                                        \
        note(place, sizeof(type), true);                                     \
        return builtin(place, value, __ATOMIC_SEQ_CST);                      \
    }

#define RECORDED_EXCHANGE(bits, type, name)                                                              \
    bool __tsan_atomic##bits##_compare_exchange_##name(volatile type* place, type* expected, type value, \
                                                       int, int)                                         \
    {                                                                                                    \
        note(place, sizeof(type), true); /* the line is claimed, whatever it holds */                    \
        return __atomic_compare_exchange_n(place, expected, value, false, __ATOMIC_SEQ_CST,              \
                                           __ATOMIC_SEQ_CST);                                            \
    }

#define RECORDED_ATOMIC(bits, type)                                         \
    type __tsan_atomic##bits##_load(const volatile type* place, int)        \
    {                                                                       \
        note(place, sizeof(type), false);                                   \
        return __atomic_load_n(place, __ATOMIC_SEQ_CST);                    \
    }                                                                       \
    void __tsan_atomic##bits##_store(volatile type* place, type value, int) \
    {                                                                       \
        note(place, sizeof(type), true);                                    \
        __atomic_store_n(place, value, __ATOMIC_SEQ_CST);                   \
    }                                                                       \
    RECORDED_CHANGE(bits, type, exchange, __atomic_exchange_n)              \
    RECORDED_CHANGE(bits, type, fetch_add, __atomic_fetch_add)              \
    RECORDED_CHANGE(bits, type, fetch_sub, __atomic_fetch_sub)              \
    RECORDED_CHANGE(bits, type, fetch_and, __atomic_fetch_and)              \
    RECORDED_CHANGE(bits, type, fetch_or, __atomic_fetch_or)                \
    RECORDED_CHANGE(bits, type, fetch_xor, __atomic_fetch_xor)              \
    RECORDED_EXCHANGE(bits, type, strong)                                   \
    RECORDED_EXCHANGE(bits, type, weak)

RECORDED_ATOMIC(8, std::uint8_t)
RECORDED_ATOMIC(16, std::uint16_t)
RECORDED_ATOMIC(32, std::uint32_t)
RECORDED_ATOMIC(64, std::uint64_t)

void* parley_recorded_copy(void* to, const void* from, std::size_t bytes)
{
    note(from, bytes, false);
    note(to, bytes, true);
    return std::memcpy(to, from, bytes);
}
}
