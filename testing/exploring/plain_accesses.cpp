// SPDX-License-Identifier: MIT
// Answers the calls that -fsanitize=thread puts into the sources that are explored, in place of the
// sanitizer's library: plain accesses are told to the exploration, and atomic operations that are no
// Atomic's become operations on its words. The names, and what they are called with, are the compiler's.
#include "testing/exploring/plain_accesses.hpp"

#include "testing/explorer.hpp"
#include "testing/exploring/play_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace parley::explorer {

bool watching = false;
bool setting_up = false;

namespace {

// Where the call returns to is behind the access.
inline void note(const void* returns_to, const void* at, std::size_t bytes, AccessKind access)
{
    if (watching)
        note_plain(static_cast<const char*>(returns_to) - 1, at, bytes, access);
}

constexpr word::Order order_of(int compilers) { return static_cast<word::Order>(compilers); }

template <class T>
T load(const volatile T* at, int order)
{
    return static_cast<T>(word::load(const_cast<const T*>(at), sizeof(T), order_of(order)));
}

template <class T>
void store(volatile T* at, T value, int order)
{
    word::store(const_cast<T*>(at), sizeof(T), value, order_of(order));
}

template <class T>
T update(volatile T* at, word::Change change, T with, int order)
{
    return static_cast<T>(word::update(const_cast<T*>(at), sizeof(T), change, with, order_of(order)));
}

template <class T>
bool compare_exchange(volatile T* at, T* expected, T wanted, int success, int failure, bool may_fail)
{
    word::Bits found = *expected;
    const bool done = word::compare_exchange(const_cast<T*>(at), sizeof(T), found, wanted, order_of(success),
                                             order_of(failure), may_fail);
    *expected = static_cast<T>(found);
    return done;
}

// 0: the usual alignment.
void* of_system(std::size_t bytes, std::size_t alignment)
{
    return alignment == 0 ? std::malloc(bytes == 0 ? 1 : bytes)
                          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* allocate(std::size_t bytes, std::size_t alignment)
{
    constexpr std::size_t usual_alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    void* const place = setting_up ? PlayMemory::get().allocate(bytes, std::max(alignment, usual_alignment))
                                   : of_system(bytes, alignment);
    if (place == nullptr)
        throw std::bad_alloc();
    if (watching || setting_up)
        note_allocated(place, bytes);
    return place;
}

// Every use of what is freed must come before this.
void release(const void* returns_to, void* place)
{
    if (place == nullptr)
        return;
    PlayMemory& of_play = PlayMemory::get();
    const bool is_of_play = of_play.holds(place);
    note(returns_to, place, is_of_play ? of_play.bytes_of(place) : malloc_usable_size(place),
         AccessKind::write);
    if (watching || setting_up)
        note_freed(place);
    if (is_of_play)
        of_play.free(place);
    else
        std::free(place);
}

} // namespace

} // namespace parley::explorer

using namespace parley::explorer;

void* operator new(std::size_t bytes) { return allocate(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment)
{
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* place) noexcept { release(__builtin_return_address(0), place); }
void operator delete(void* place, std::size_t) noexcept { release(__builtin_return_address(0), place); }
void operator delete(void* place, std::align_val_t) noexcept { release(__builtin_return_address(0), place); }
void operator delete(void* place, std::size_t, std::align_val_t) noexcept
{
    release(__builtin_return_address(0), place);
}

extern "C" {

void __tsan_init() { }
void __tsan_func_entry(void*) { }
void __tsan_func_exit() { }

#define PLAIN(name, bytes, access) \
    void __tsan_##name(void* at) { note(__builtin_return_address(0), at, bytes, access); }
#define PLAIN_OF(bytes)                                     \
    PLAIN(read##bytes, bytes, AccessKind::read)             \
    PLAIN(write##bytes, bytes, AccessKind::write)           \
    PLAIN(unaligned_read##bytes, bytes, AccessKind::read)   \
    PLAIN(unaligned_write##bytes, bytes, AccessKind::write) \
    PLAIN(volatile_read##bytes, bytes, AccessKind::read)    \
    PLAIN(volatile_write##bytes, bytes, AccessKind::write)

PLAIN_OF(1)
PLAIN_OF(2)
PLAIN_OF(4)
PLAIN_OF(8)
PLAIN_OF(16)

void __tsan_read_range(void* at, std::size_t bytes)
{
    note(__builtin_return_address(0), at, bytes, AccessKind::read);
}
void __tsan_write_range(void* at, std::size_t bytes)
{
    note(__builtin_return_address(0), at, bytes, AccessKind::write);
}
void __tsan_vptr_read(void** at) { note(__builtin_return_address(0), at, sizeof *at, AccessKind::read); }
// A constructor sets it, and a destructor, to what it is already.
void __tsan_vptr_update(void** at, void* value)
{
    if (*at != value)
        note(__builtin_return_address(0), at, sizeof *at, AccessKind::write);
}

#define ATOMIC_OF(bits)                                                                                      \
    std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* at, int order)        \
    {                                                                                                        \
        return load(at, order);                                                                              \
    }                                                                                                        \
    void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* at, std::uint##bits##_t value, int order) \
    {                                                                                                        \
        store(at, value, order);                                                                             \
    }                                                                                                        \
    UPDATE(bits, exchange, with)                                                                             \
    UPDATE(bits, fetch_add, before + with)                                                                   \
    UPDATE(bits, fetch_sub, before - with)                                                                   \
    UPDATE(bits, fetch_and, before& with)                                                                    \
    UPDATE(bits, fetch_or, before | with)                                                                    \
    UPDATE(bits, fetch_xor, before ^ with)                                                                   \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile std::uint##bits##_t* at,                      \
                                                      std::uint##bits##_t* expected,                         \
                                                      std::uint##bits##_t wanted, int success, int failure)  \
    {                                                                                                        \
        return compare_exchange(at, expected, wanted, success, failure, false);                              \
    }                                                                                                        \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile std::uint##bits##_t* at,                        \
                                                    std::uint##bits##_t* expected,                           \
                                                    std::uint##bits##_t wanted, int success, int failure)    \
    {                                                                                                        \
        return compare_exchange(at, expected, wanted, success, failure, true);                               \
    }
#define UPDATE(bits, name, after)                                                                        \
    std::uint##bits##_t __tsan_atomic##bits##_##name(volatile std::uint##bits##_t* at,                   \
                                                     std::uint##bits##_t with, int order)                \
    {                                                                                                    \
        return update(                                                                                   \
            at, []([[maybe_unused]] word::Bits before, word::Bits with) { return after; }, with, order); \
    }

ATOMIC_OF(8)
ATOMIC_OF(16)
ATOMIC_OF(32)
ATOMIC_OF(64)

void __tsan_atomic_thread_fence(int order) { fence(order_of(order)); }
void __tsan_atomic_signal_fence(int) { } // between a party and itself

} // extern "C"
