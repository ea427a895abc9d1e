// SPDX-License-Identifier: MIT
// A process ends while it sends Active Messages, and one while another sends to it: killed at any step, or by
// itself. Whoever goes on is not held up, sleeps no longer than it must, and is answered what calls.def says;
// and no memory is left. None is cut off in a copy: a packet is libnx's own.
#include "testing/catch.hpp"
#include "testing/explored/active_messages.hpp"
#include "testing/explored/job.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace parley;
using testing::CallingProcess;
using testing::Ends;
using testing::ExploredJob;
using testing::TakenMessages;

namespace {

constexpr int owner = 0, first = 1; // of the queues, and who sends there first

// What a call of such a process may answer, whose owner's end it may meet: then nothing is sent any more.
bool has_met_an_end(long answer)
{
    return testing::is_answer(answer, Error::killed) || testing::is_answer(answer, Error::closed);
}

// By node and type: the ways to the owner's queues, which a sender has asked for before.
using Ways = std::array<std::array<long, testing::active_types>, 2>;
using OfSenders = std::shared_ptr<Ways>;

ExploredJob::Program finds(const OfSenders& ways)
{
    return [=](CallingProcess& peer) {
        for (long type = 0; type < testing::active_types; ++type)
            (*ways)[static_cast<std::size_t>(peer.node())][static_cast<std::size_t>(type)] =
                testing::find_active(peer, type, owner);
    };
}

ExploredJob::Program sends(const OfSenders& ways, std::vector<std::uint64_t> numbers)
{
    return [=](CallingProcess& peer) {
        bool has_ended = false;
        for (const std::uint64_t number : numbers) {
            const auto& own = (*ways)[static_cast<std::size_t>(peer.node())];
            const long sent = testing::send_active(peer, own[number % testing::active_types], number);
            peer.expect(has_met_an_end(sent) || (sent == 0 && !has_ended),
                        "an Active Message is sent, or meets an end, as then all do");
            has_ended = has_ended || sent != 0;
        }
    };
}

// Waits for these, and takes whatever comes, until the process must end.
void take_all(CallingProcess& peer, unsigned numbers)
{
    const parley_calls& calls = peer.calls();
    for (TakenMessages taken; !taken.has(numbers);) {
        const long waited = calls.await_active(calls.self, 0, 0, 0);
        peer.expect(waited == 0 || testing::is_answer(waited, Error::killed),
                    "a wait for Active Messages ends");
        if (waited != 0)
            return;
        while (taken.take(peer)) { }
    }
}

// The first is killed while it sends. What the owner sends to itself comes, wherever the other's place was
// drawn and not filled.
explorer::Play a_sender_is_killed(std::string_view design)
{
    const auto ways = std::make_shared<Ways>();
    return ExploredJob::play({.design = design,
                              .before = {finds(ways), finds(ways)},
                              .programs = {[=](CallingProcess& peer) {
                                               sends(ways, {4})(peer);
                                               take_all(peer, 1u << 4);
                                           },
                                           sends(ways, {2})},
                              .ends = Ends::by_themselves,
                              .victim = first,
                              .buffer_pages = testing::pages_with_active_queues});
}

// One sends these to the owner, who ends when it has taken what it waits for, or before, as the victim.
explorer::Play the_owner_ends(std::string_view design, unsigned awaited, std::vector<std::uint64_t> sent,
                              int victim)
{
    const auto ways = std::make_shared<Ways>();
    return ExploredJob::play(
        {.design = design,
         .before = {[](CallingProcess&) {}, finds(ways)},
         .programs = {[=](CallingProcess& peer) { take_all(peer, awaited); }, sends(ways, std::move(sent))},
         .ends = Ends::by_themselves,
         .victim = victim,
         .buffer_pages = testing::pages_with_active_queues});
}

explorer::Play the_owner_is_killed(std::string_view design)
{
    return the_owner_ends(design, 1u << 2 | 1u << 3, {2, 3}, owner);
}

explorer::Play the_owner_ends_by_itself(std::string_view design)
{
    return the_owner_ends(design, 1u << 2, {2, 3, 4}, ExploredJob::nobody);
}

std::string fault(explorer::Play (*make_play)(std::string_view))
{
    // Ports of each kind, those that carry a message and those that keep the address of its memory, under
    // waits that sleep and waits that look on.
    for (const char* const design :
         {"exp6,semaphore", "native,semaphore", "native,semaphore,port=fifo:16:2:0",
          "native,port=lock-free:16:2:0", "native,port=lanes"}) {
        const std::string found = explorer::explore({.preemptions = 1, .weak_executions = 200}, [=] {
                                      return make_play(design);
                                  }).failure;
        if (!found.empty())
            return std::string(design) + ": " + found;
    }
    return {};
}

} // namespace

TEST_CASE("a process is killed at any step while it sends Active Messages, and another's come")
{
    CHECK(fault(&a_sender_is_killed) == "");
}

TEST_CASE("a process is killed at any step while Active Messages are put into its queues")
{
    CHECK(fault(&the_owner_is_killed) == "");
}

TEST_CASE("a process ends by itself while Active Messages are put into its queues")
{
    CHECK(fault(&the_owner_ends_by_itself) == "");
}
