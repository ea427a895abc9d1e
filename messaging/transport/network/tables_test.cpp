// SPDX-License-Identifier: MIT
// What the message system of one machine keeps of a job on sixteen.
#include "messaging/composition.hpp"
#include "messaging/transport/network/network.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"
#include "testing/mapped_memory.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <sys/mman.h>

using namespace parley;
using namespace parley::messaging;

namespace {

// The largest job, and the first machine's part of it.
constexpr unsigned machines = 16;
constexpr Layout layout{.nodes = PARLEY_MAX_NODES - 1, .pids = 4};
constexpr Nearby nearby{.first_node = 0, .nodes = PARLEY_MAX_NODES / machines, .host = false};

struct Part {
    explicit Part(std::string_view text)
    {
        Design design;
        REQUIRE(parse_design(text, design).empty());
        const Result<MessageSystem*> made = create(memory.start(), memory.bytes(),
                                                   {.design = design,
                                                    .nodes = layout.nodes,
                                                    .pids = layout.pids,
                                                    .blocks = blocks,
                                                    .setting = nearby.word()});
        REQUIRE(made);
        system = *made;
    }
    // Memory that nobody has touched is only asked for.
    std::size_t touched_bytes() const
    {
        std::vector<unsigned char> pages(memory.bytes() / page_bytes);
        REQUIRE(mincore(memory.start(), memory.bytes(), pages.data()) == 0);
        return page_bytes *
               static_cast<std::size_t>(std::ranges::count_if(pages, [](auto page) { return page & 1; }));
    }

    static constexpr SharedRange blocks{.base = 0, .bytes = 64 << 10};
    const testing::MappedMemory memory{
        system_bytes(layout.programs() + NetworkTransport::helpers, 64 << 20, blocks)};
    MessageSystem* system = nullptr;
};

} // namespace

TEST_CASE("where a job is on sixteen machines, its tables take little for each process")
{
    for (const std::string_view design : {"native,transport=network", "exp4,transport=network"}) {
        INFO(std::string(design));
        CHECK(Part(design).touched_bytes() / (nearby.nodes * layout.pids) <= 64 << 10);
    }
}

TEST_CASE("a process that is away ends and begins, and has neither calls nor a mailbox")
{
    Part part("exp4,transport=network");
    MessageSystem& system = *part.system;
    constexpr unsigned away = nearby.nodes;
    const WaitRecord& record = system.records()[away];
    CHECK((record.node == static_cast<int>(away) && record.pid == 0));
    CHECK(system.set_pid(away, 7));
    CHECK((record.node == static_cast<int>(away) && record.pid == 7));
    system.close(away, EndpointState::killed);
    CHECK_FALSE(record.is_live());
    const parley_calls calls = system.calls_of(0);
    CHECK(calls.send(calls.self, 1, 0, 0, away, 7) == -static_cast<long>(Error::closed));
    system.open(away);
    CHECK(record.is_live());
    CHECK(calls.send(calls.self, 1, 0, 0, away, 7) == 0);
    system.reset(away, Waiting::dropped);
    CHECK(record.is_live());
    CHECK(testing::tripped_by([&] { system.calls_of(away); }) ==
          "messaging/job_messages.hpp: !is_away(index)");
}
