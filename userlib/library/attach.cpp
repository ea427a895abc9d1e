// SPDX-License-Identifier: MIT
#include "userlib/library/attach.hpp"

#include "base/address.hpp"
#include "messaging/composition.hpp"
#include "messaging/memory/blocks.hpp"

#include <platform.hpp> // of the port that is built, which need not be the one in this folder

namespace parley::library {

namespace {

constexpr std::uint32_t number(RegionState state) { return static_cast<std::uint32_t>(state); }

std::string_view design_of(const parley_start& start)
{
    std::size_t length = 0;
    while (length < sizeof start.design && start.design[length] != '\0')
        ++length;
    return {start.design, length};
}

Result<messaging::MessageSystem*> construct(const parley_start& start)
{
    messaging::SystemOptions options{.design = {}, .nodes = static_cast<unsigned>(start.nodes)};
    if (!messaging::parse_design(design_of(start), options.design).empty())
        return std::unexpected(Error::bad_argument);
    const unsigned helpers = messaging::helpers_of(options.design);
    options.host = start.host != 0;
    options.setting = start.setting;
    const unsigned others = helpers + (options.host ? 1 : 0);
    if (options.nodes == 0 || start.endpoints <= others)
        return std::unexpected(Error::bad_argument);
    options.pids = (start.endpoints - others) / options.nodes;
    if (start.endpoints > PARLEY_MAX_PROCESSES)
        return std::unexpected(Error::bad_argument);
    const std::uintptr_t system = start.shared_base + PARLEY_REGION_HEADER_BYTES;
    const std::size_t before_blocks = PARLEY_REGION_HEADER_BYTES + start.system_bytes;
    options.blocks = {.base = start.shared_base + before_blocks, .bytes = start.shared_bytes - before_blocks};
    return messaging::create(reinterpret_cast<std::byte*>(system), start.system_bytes, options);
}

void set_up(const parley_start& start)
{
    RegionHeader& shared = region();
    const Result<messaging::MessageSystem*> system = construct(start);
    if (system) {
        shared.system = *system;
        for (unsigned endpoint = 0; endpoint < start.endpoints; ++endpoint)
            shared.processes[endpoint] = {*system, endpoint, false, false};
    }
    // Pairs with the load in attach().
    shared.state.store(number(system ? RegionState::ready : RegionState::failed), std::memory_order_release);
    platform::wake(shared.state, ~0u);
}

} // namespace

parley_process* attach(const parley_start& start)
{
    RegionHeader& shared = region();
    shared.words.pause.store(start.pause != 0, std::memory_order_relaxed);
    shared.words.shares_processor.store(static_cast<std::uint32_t>(start.shares_processor),
                                        std::memory_order_relaxed);
    shared.words.process_proxy.store(start.process_proxy, std::memory_order_relaxed);
    shared.words.clock_hertz.store(start.clock_hertz, std::memory_order_relaxed);
    shared.words.trace_bytes.store(start.trace_bytes, std::memory_order_relaxed);
    shared.words.trace_base.store(start.trace_base, std::memory_order_relaxed);
    std::uint32_t expected = number(RegionState::untouched);
    if (shared.state.compare_exchange_strong(expected, number(RegionState::in_the_making),
                                             std::memory_order_acquire))
        set_up(start);
    std::uint32_t state = shared.state.load(std::memory_order_acquire);
    for (; state == number(RegionState::in_the_making); state = shared.state.load(std::memory_order_acquire))
        platform::block(shared.state, state);
    if (state != number(RegionState::ready) || start.endpoint >= start.endpoints)
        return nullptr;
    parley_process& self = shared.processes[start.endpoint];
    self.entered = true;
    return &self;
}

Result<void> reopen(unsigned endpoint, std::int32_t pid)
{
    parley_process& place = region().processes[endpoint];
    messaging::MessageSystem& system = *place.system;
    TRY_VOID(system.set_pid(endpoint, pid));
    const bool was_killed = place.entered && system.records()[endpoint].is_live();
    if (was_killed && place.successor_receives)
        system.reset(endpoint, messaging::Waiting::kept);
    else if (was_killed)
        system.close(endpoint, messaging::EndpointState::killed);
    system.open(endpoint);
    place.entered = place.successor_receives = false;
    return {};
}

void leave(unsigned endpoint, messaging::Waiting messages)
{
    RegionHeader& shared = region();
    parley_process& place = shared.processes[endpoint];
    if (shared.state.load(std::memory_order_acquire) != number(RegionState::ready) || !place.entered ||
        !shared.system->records()[endpoint].is_live())
        return;
    if (messages == messaging::Waiting::kept)
        shared.system->reset(endpoint, messages);
    else
        shared.system->close(endpoint, messaging::EndpointState::killed);
    place.entered = false;
}

void reset(unsigned caller, const ProcessSelection& chosen, messaging::Waiting messages)
{
    RegionHeader& shared = region();
    const std::span<const messaging::WaitRecord> records = shared.system->records();
    for (unsigned endpoint = 0; endpoint < records.size(); ++endpoint) {
        const messaging::WaitRecord& record = records[endpoint];
        const bool meant = record.node < chosen.nodes && (chosen.node == -1 || record.node == chosen.node) &&
                           (chosen.pid == -1 || record.pid == chosen.pid);
        if (!meant || endpoint == caller || !record.is_live())
            continue;
        shared.processes[endpoint].successor_receives = messages == messaging::Waiting::kept;
        if (!shared.processes[endpoint].entered && messages == messaging::Waiting::dropped)
            shared.system->reset(endpoint, messages);
    }
}

} // namespace parley::library
