// SPDX-License-Identifier: MIT
#include "native/nxrun/shared_job_memory.hpp"

#include "messaging/composition.hpp"
#include "messaging/memory/blocks.hpp"
#include "native/interface/widest_move.h"

#include <algorithm>
#include <sched.h>

namespace parley::native {

namespace {

constexpr std::size_t default_budget = std::size_t{64} << 20;

std::size_t bytes_of_places(std::size_t places)
{
    return round_up(sizeof(parley_native_job) + places * sizeof(parley_native_place), page_bytes);
}

} // namespace

SharedJobMemory::Parts SharedJobMemory::parts_of(const NxrunOptions& options, std::size_t endpoints)
{
    std::size_t budget = (options.budget != 0 ? options.budget : default_budget) + page_bytes - 1;
    budget -= budget % page_bytes;
    constexpr std::size_t alignment = messaging::Blocks::max_alignment;
    const std::size_t system =
        messaging::system_bytes(static_cast<unsigned>(endpoints), budget, {PARLEY_SHARED_BASE, budget});
    return {(system + alignment - 1) / alignment * alignment, budget};
}

SharedJobMemory::SharedJobMemory(const NxrunOptions& options, const DesignChoice& design,
                                 RankSemaphores& semaphores, const Places& places,
                                 const ProcessorShare& processors, const JobClock& clock,
                                 const parley_library& library)
    : parts_(parts_of(options, places.endpoints())),
      trace_(options.watched() ? places.endpoints() : 0, options.trace.empty() ? 0 : options.trace_records),
      area_("parley-job", PARLEY_NATIVE_JOB_BASE, bytes_of_places(places.size()) + semaphores.bytes()),
      arena_("parley-arena", PARLEY_SHARED_BASE, parts_.all() + trace_.bytes())
{
    trace_.lie_at(arena_.memory() + parts_.all());
    parley_native_job& shared = job();
    shared.version = PARLEY_NATIVE_VERSION;
    shared.endpoints = places.endpoints();
    shared.bytes = area_.bytes();
    shared.arena_bytes = arena_.bytes();
    shared.one_domain = messaging::traits_of(design.design).one_domain ? 1 : 0;
    shared.semaphores = semaphores.make(area_.memory() + bytes_of_places(places.size()), clock.hertz);
    sched_getaffinity(0, sizeof shared.processors, reinterpret_cast<cpu_set_t*>(shared.processors));
    shared.widest_move = std::min(parley_widest_move(), options.widest_move);
    for (const Place& place : places) {
        parley_start& start = shared.places[place.endpoint].start;
        start.version = PARLEY_START_VERSION;
        start.node = place.node;
        start.nodes = static_cast<int>(options.nodes);
        start.pid = places.roster().pid_of(place.endpoint);
        start.location = PARLEY_IN_USER;
        start.capabilities = messaging::capabilities_of(design.design);
        start.endpoint = place.endpoint;
        start.endpoints = shared.endpoints;
        start.shared_base = PARLEY_SHARED_BASE;
        start.shared_bytes = parts_.all();
        start.library_table = reinterpret_cast<unsigned long>(&library);
        start.system_bytes = parts_.system;
        start.clock_hertz = clock.hertz;
        start.clock_start = clock.start;
        start.processors = static_cast<int>(processors.count());
        start.host = options.hosted ? 1 : 0;
        if (options.watched())
            trace_.describe(start);
        design.text.copy(start.design, sizeof start.design - 1);
        semaphores.text().copy(start.semaphore, sizeof start.semaphore - 1);
    }
    share_processors(processors.sharers());
}

std::string SharedJobMemory::trace_variable(unsigned endpoint, pid_t nxrun) const
{
    const parley_start& start = place(endpoint).start;
    if (start.trace_base == 0)
        return {};
    const std::uintptr_t offset = start.trace_base - PARLEY_SHARED_BASE + endpoint * start.trace_bytes;
    return "/proc/" + std::to_string(nxrun) + "/fd/" + std::to_string(arena_.descriptor()) + ":" +
           std::to_string(offset) + ":" + std::to_string(start.trace_bytes) + ":" + std::to_string(endpoint);
}

void SharedJobMemory::share_processors(unsigned sharers) const
{
    for (unsigned endpoint = 0; endpoint < job().endpoints; ++endpoint) {
        parley_start& start = place(endpoint).start;
        start.shares_processor = static_cast<int>(sharers);
        start.pause = sharers != 0 ? 1 : 0;
    }
}

} // namespace parley::native
