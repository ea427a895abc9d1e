// SPDX-License-Identifier: MIT
// Devices and teams. There is no device but the one that the program runs on, so `target` runs there, as an
// initial thread of its own, and what is to be mapped is where it was. Teams are run one after the other.
// Nobody waits for `depend`: the tasks with that which were made before are done (tasks.cpp).
#include "userlib/loops/openmp/entries.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <span>
#include <strings.h>

using namespace parley::loops;

namespace {

// gcc's numbers: of what is mapped, whose alignment stands behind 8 bits as a power of 2; of devices; and of
// what follows in a list of arguments.
constexpr unsigned firstprivate_kind = 12, kind_mask = 0xff, alignment_shift = 8;
constexpr int device_of_settings = -1, this_device = -2, initial_device = 0;
constexpr std::intptr_t argument_mask = 0xff00, thread_limit_argument = 0x200, argument_is_next = 0x80;
constexpr int argument_shift = 16;

void need_device(int device)
{
    if (device == device_of_settings)
        device = this_thread().settings().device;
    if (device == this_device || device == initial_device)
        return;
    const char* const said = std::getenv("OMP_TARGET_OFFLOAD");
    if (said != nullptr && strcasecmp(said, "mandatory") == 0)
        give_up("OMP_TARGET_OFFLOAD=mandatory: there is no device but the one that the program runs on");
}

void limit_threads(std::uint64_t most)
{
    if (most != 0)
        this_thread().own_settings().most_threads =
            static_cast<unsigned>(std::min<std::uint64_t>(most, most_threads));
}

struct TargetRegion {
    void (*body)(void*);
    void** addresses;
    std::span<const std::size_t> sizes;
    const unsigned short* kinds;
    void* const* arguments; // null: none; else the last is null
};

// Each that is `firstprivate` is copied, and the body finds the copy in its place; an argument that Fortran's
// caller has left out has no address.
void* copied_privates(const TargetRegion& region)
{
    const auto each = [&](auto use) {
        std::size_t behind = 0;
        for (std::size_t at = 0; at < region.sizes.size(); ++at)
            if (region.addresses[at] != nullptr && (region.kinds[at] & kind_mask) == firstprivate_kind) {
                const std::size_t alignment = std::size_t{1} << (region.kinds[at] >> alignment_shift);
                behind = divided_up(behind, alignment) * alignment;
                use(at, behind, alignment);
                behind += region.sizes[at];
            }
        return behind;
    };
    std::size_t most = sizeof(void*);
    const std::size_t bytes =
        each([&](std::size_t, std::size_t, std::size_t alignment) { most = std::max(most, alignment); });
    if (bytes == 0)
        return nullptr;
    void* const memory = std::aligned_alloc(most, divided_up(bytes, most) * most);
    if (memory == nullptr)
        give_up("there is no memory for what is firstprivate in a target region");
    each([&](std::size_t at, std::size_t begin, std::size_t) {
        std::byte* const copy = static_cast<std::byte*>(memory) + begin;
        std::memcpy(copy, region.addresses[at], region.sizes[at]);
        region.addresses[at] = copy;
    });
    return memory;
}

void run_region(void* given)
{
    const TargetRegion& region = *static_cast<const TargetRegion*>(given);
    for (void* const* at = region.arguments; at != nullptr && *at != nullptr; ++at) {
        const auto id = reinterpret_cast<std::intptr_t>(*at);
        const bool is_next = (id & argument_is_next) != 0;
        if ((id & argument_mask) == thread_limit_argument)
            limit_threads(static_cast<std::uint64_t>(is_next ? reinterpret_cast<std::intptr_t>(at[1])
                                                             : id >> argument_shift));
        at += is_next;
    }
    region.body(region.addresses);
}

void run_region_apart(const TargetRegion& given)
{
    TargetRegion region = given;
    void* const copies = copied_privates(region);
    run_apart(&run_region, &region);
    std::free(copies);
}

// Copies boxes of `dimensions` dimensions, of which the last lies one behind the other.
void copy_box(std::byte* to, const std::byte* from, std::size_t element, int dimensions,
              const std::size_t* volume, const std::size_t* to_offsets, const std::size_t* from_offsets,
              const std::size_t* to_sizes, const std::size_t* from_sizes)
{
    std::size_t to_step = element, from_step = element;
    for (int at = 1; at < dimensions; ++at) {
        to_step *= to_sizes[at];
        from_step *= from_sizes[at];
    }
    to += to_offsets[0] * to_step;
    from += from_offsets[0] * from_step;
    if (dimensions == 1) {
        std::memcpy(to, from, volume[0] * element);
        return;
    }
    for (std::size_t row = 0; row < volume[0]; ++row)
        copy_box(to + row * to_step, from + row * from_step, element, dimensions - 1, volume + 1,
                 to_offsets + 1, from_offsets + 1, to_sizes + 1, from_sizes + 1);
}

} // namespace

extern "C" {

void GOMP_target_ext(int device, void (*body)(void*), std::size_t mapped, void** addresses,
                     std::size_t* sizes, unsigned short* kinds, unsigned, void**, void** arguments)
{
    need_device(device);
    run_region_apart({body, addresses, {sizes, mapped}, kinds, arguments});
}
void GOMP_target(int device, void (*body)(void*), const void*, std::size_t, void** addresses, std::size_t*,
                 unsigned char*)
{
    need_device(device);
    run_region_apart({body, addresses, {}, nullptr, nullptr});
}

void GOMP_target_data_ext(int device, std::size_t, void**, std::size_t*, unsigned short*)
{
    need_device(device);
}
void GOMP_target_data(int device, const void*, std::size_t, void**, std::size_t*, unsigned char*)
{
    need_device(device);
}
void GOMP_target_end_data() { }
void GOMP_target_update_ext(int device, std::size_t, void**, std::size_t*, unsigned short*, unsigned, void**)
{
    need_device(device);
}
void GOMP_target_update(int device, const void*, std::size_t, void**, std::size_t*, unsigned char*)
{
    need_device(device);
}
void GOMP_target_enter_exit_data(int device, std::size_t, void**, std::size_t*, unsigned short*, unsigned,
                                 void**)
{
    need_device(device);
}

// Teams in a target region: called before each team, `first` before the first. False: there are no more.
bool GOMP_teams4(unsigned least, unsigned, unsigned limit, bool first)
{
    Member& self = this_thread();
    if (first) {
        limit_threads(limit);
        self.teams = std::max(least, 1u);
        self.team_number = 0;
        return true;
    }
    if (self.team_number + 1 < self.teams) {
        ++self.team_number;
        return true;
    }
    self.teams = 1;
    self.team_number = 0;
    return false;
}
void GOMP_teams(unsigned, unsigned limit) { limit_threads(limit); }

// Teams that are in no target region.
void GOMP_teams_reg(void (*body)(void*), void* data, unsigned teams, unsigned limit, unsigned)
{
    if (teams == 0)
        teams = static_cast<unsigned>(std::max(league_settings.teams, 1));
    if (limit == 0)
        limit = static_cast<unsigned>(league_settings.threads);
    Member& self = this_thread();
    Settings settings = self.settings();
    if (limit != 0)
        settings.most_threads = std::min(limit, most_threads);
    self.teams = teams;
    for (self.team_number = 0; self.team_number < teams; ++self.team_number)
        if (!self.run_at_once(body, data, false, &settings))
            give_up("there is no memory for a task");
    self.teams = 1;
    self.team_number = 0;
}

void* omp_target_alloc(std::size_t bytes, int) { return std::malloc(bytes); }
void omp_target_free(void* memory, int) { std::free(memory); }
int omp_target_is_present(const void*, int) { return 1; }
int omp_target_associate_ptr(const void*, const void*, std::size_t, std::size_t, int) { return EINVAL; }
int omp_target_disassociate_ptr(const void*, int) { return EINVAL; }

int omp_target_memcpy(void* to, const void* from, std::size_t bytes, std::size_t to_offset,
                      std::size_t from_offset, int, int)
{
    std::memcpy(static_cast<std::byte*>(to) + to_offset, static_cast<const std::byte*>(from) + from_offset,
                bytes);
    return 0;
}

// Without addresses it says how many dimensions there may be.
int omp_target_memcpy_rect(void* to, const void* from, std::size_t element, int dimensions,
                           const std::size_t* volume, const std::size_t* to_offsets,
                           const std::size_t* from_offsets, const std::size_t* to_sizes,
                           const std::size_t* from_sizes, int, int)
{
    if (to == nullptr && from == nullptr)
        return INT_MAX;
    if (to == nullptr || from == nullptr || element == 0 || dimensions < 1)
        return EINVAL;
    copy_box(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), element, dimensions, volume,
             to_offsets, from_offsets, to_sizes, from_sizes);
    return 0;
}

} // extern "C"
