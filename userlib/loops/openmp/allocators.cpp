// SPDX-License-Identifier: MIT
// Memory by OpenMP's allocators. There is one kind of memory, so an allocator decides how it is aligned, how
// much of it there is, and what happens when there is no more.
#include "userlib/loops/openmp/entries.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>

using namespace parley::loops;

namespace {

using Handle = std::uintptr_t;

// The compiler's numbers (omp.h): of allocators, of kinds of memory, of what an allocator is told, and of the
// values of that.
constexpr Handle none = 0, default_allocator = 1, last_predefined = 8;
constexpr Handle high_bandwidth_space = 3, last_space = 4;
enum Key : int {
    sync_hint = 1,
    alignment_key,
    access_key,
    pool_size,
    fallback,
    fallback_data,
    pinned,
    partition
};
constexpr Handle is_true = 1, standard = ~Handle{0};
constexpr Handle fall_to_default = 11, fall_to_null = 12, fall_to_end = 13, fall_to_other = 14;

struct Trait {
    Key key;
    Handle value;
};

struct Allocator {
    std::size_t alignment = sizeof(void*), pool = ~std::size_t{0};
    Handle fallback = fall_to_default, other = none;
    parley::Atomic<std::size_t> used{0};
};

// Stands right before the memory that the program gets.
struct BlockHead {
    void* whole;
    std::size_t bytes, taken; // what was asked for, and what the pool gave for it
    Handle allocator;
};

// Null: a predefined one, which has no limits.
Allocator* own(Handle handle)
{
    return handle <= last_predefined ? nullptr : reinterpret_cast<Allocator*>(handle);
}

BlockHead& head_of(void* memory) { return static_cast<BlockHead*>(memory)[-1]; }

// Takes so many bytes from the pool and puts others back, at once. False: there are not so many left.
bool take(Allocator* allocator, std::size_t bytes, std::size_t back)
{
    if (allocator == nullptr || allocator->pool == ~std::size_t{0})
        return true;
    std::size_t used = allocator->used.load(std::memory_order_relaxed);
    do {
        if (bytes > allocator->pool - (used - back))
            return false;
    } while (!allocator->used.compare_exchange_strong(used, used - back + bytes, std::memory_order_relaxed,
                                                      std::memory_order_relaxed));
    return true;
}

// In the place of memory for which the pool gave `back` bytes. Null: there is none, or not in its pool.
void* allocated_by(Handle handle, std::size_t alignment, std::size_t bytes, std::size_t back = 0)
{
    Allocator* const allocator = own(handle);
    if (allocator != nullptr)
        alignment = std::max(alignment, allocator->alignment);
    alignment = std::max(alignment, alignof(BlockHead));
    std::size_t all = 0;
    if (__builtin_add_overflow(bytes, sizeof(BlockHead) + alignment, &all) || !take(allocator, all, back))
        return nullptr;
    void* const whole = std::malloc(all);
    if (whole == nullptr) {
        take(allocator, back, all);
        return nullptr;
    }
    const auto behind = reinterpret_cast<std::uintptr_t>(whole) + sizeof(BlockHead);
    void* const memory = reinterpret_cast<void*>((behind + alignment - 1) / alignment * alignment);
    head_of(memory) = {whole, bytes, all, handle};
    return memory;
}

void* allocated(std::size_t alignment, std::size_t bytes, Handle handle)
{
    if (bytes == 0)
        return nullptr;
    if (handle == none)
        handle = this_thread().settings().allocator;
    for (;;) {
        if (void* const memory = allocated_by(handle, alignment, bytes); memory != nullptr)
            return memory;
        const Allocator* const allocator = own(handle);
        const Handle next = allocator == nullptr ? Handle{fall_to_null} : allocator->fallback;
        if (next == fall_to_end)
            give_up("there is no memory left for an allocator whose fallback is to end the program");
        if (next != fall_to_default && next != fall_to_other)
            return nullptr;
        handle = next == fall_to_default ? default_allocator : allocator->other;
    }
}

void* cleared(void* memory, std::size_t bytes)
{
    if (memory != nullptr)
        std::memset(memory, 0, bytes);
    return memory;
}

void free_memory(void* memory)
{
    if (memory == nullptr)
        return;
    const BlockHead head = head_of(memory);
    take(own(head.allocator), 0, head.taken);
    std::free(head.whole);
}

// False: there is no such allocator here.
bool told(Allocator& allocator, const Trait& trait)
{
    if (trait.value == standard)
        return true;
    switch (trait.key) {
    case alignment_key:
        allocator.alignment = std::max<std::size_t>(trait.value, sizeof(void*));
        return std::has_single_bit(trait.value);
    case pool_size: allocator.pool = trait.value; return true;
    case fallback:
        allocator.fallback = trait.value;
        return trait.value >= fall_to_default && trait.value <= fall_to_other;
    case fallback_data: allocator.other = trait.value; return true;
    case pinned: return trait.value != is_true;
    case sync_hint:
    case access_key:
    case partition: return true;
    }
    return false;
}

Handle made_allocator(Handle space, std::span<const Trait> traits)
{
    Allocator allocator;
    if (space > last_space || space == high_bandwidth_space)
        return none;
    for (const Trait& trait : traits)
        if (!told(allocator, trait))
            return none;
    if (allocator.fallback == fall_to_other && allocator.other == none)
        return none;
    void* const place = std::malloc(sizeof(Allocator));
    if (place == nullptr)
        return none;
    auto* const made = new (place) Allocator;
    made->alignment = allocator.alignment;
    made->pool = allocator.pool;
    made->fallback = allocator.fallback;
    made->other = allocator.other;
    return reinterpret_cast<Handle>(made);
}

} // namespace

extern "C" {

Handle omp_init_allocator(Handle space, int count, const Trait* traits)
{
    return made_allocator(space, {traits, static_cast<std::size_t>(std::max(count, 0))});
}
Handle omp_init_allocator_(const Handle* space, const std::int32_t* count, const Trait* traits)
{
    return omp_init_allocator(*space, *count, traits);
}
Handle omp_init_allocator_8_(const Handle* space, const std::int64_t* count, const Trait* traits)
{
    return omp_init_allocator(*space, static_cast<int>(*count), traits);
}
void omp_destroy_allocator(Handle handle) { std::free(own(handle)); }
void omp_destroy_allocator_(const Handle* handle) { omp_destroy_allocator(*handle); }

void omp_set_default_allocator(Handle handle)
{
    this_thread().own_settings().allocator = handle == none ? default_allocator : handle;
}
void omp_set_default_allocator_(const Handle* handle) { omp_set_default_allocator(*handle); }
Handle omp_get_default_allocator() { return this_thread().settings().allocator; }
Handle omp_get_default_allocator_() { return omp_get_default_allocator(); }

void* omp_aligned_alloc(std::size_t alignment, std::size_t bytes, Handle handle)
{
    return std::has_single_bit(alignment) ? allocated(alignment, bytes, handle) : nullptr;
}
void* omp_alloc(std::size_t bytes, Handle handle) { return allocated(1, bytes, handle); }
void* omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t each, Handle handle)
{
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, each, &bytes))
        return nullptr;
    return cleared(omp_aligned_alloc(alignment, bytes, handle), bytes);
}
void* omp_calloc(std::size_t count, std::size_t each, Handle handle)
{
    return omp_aligned_calloc(1, count, each, handle);
}
void omp_free(void* memory, Handle) { free_memory(memory); }

// Memory whose allocator is not named stays with the one that it is from.
void* omp_realloc(void* memory, std::size_t bytes, Handle handle, Handle)
{
    if (memory == nullptr)
        return omp_alloc(bytes, handle);
    const BlockHead head = head_of(memory);
    const bool stays = bytes != 0 && (handle == none || handle == head.allocator);
    void* made = stays ? allocated_by(head.allocator, 1, bytes, head.taken) : nullptr;
    if (made != nullptr) {
        std::memcpy(made, memory, std::min(bytes, head.bytes));
        std::free(head.whole);
        return made;
    }
    made = omp_alloc(bytes, handle == none ? head.allocator : handle);
    if (made == nullptr && bytes != 0)
        return nullptr;
    if (made != nullptr)
        std::memcpy(made, memory, std::min(bytes, head.bytes));
    free_memory(memory);
    return made;
}

// gcc calls these for what a construct's clause `allocate` names.
void* GOMP_alloc(std::size_t alignment, std::size_t bytes, Handle handle)
{
    void* const memory = omp_aligned_alloc(alignment, bytes, handle);
    if (memory == nullptr && bytes != 0)
        give_up("there is no memory for what a construct allocates (allocate)");
    return memory;
}
void GOMP_free(void* memory, Handle) { free_memory(memory); }

} // extern "C"
