// SPDX-License-Identifier: MIT
// A process ends while it sends Active Messages, and one while another sends to it: killed at any step, or by
// itself. Whoever goes on is not held up, sleeps no longer than it must, and is answered what calls.def says;
// and no memory is left. None is cut off in a copy: a packet is libnx's own.
#include "interface/active_messages.h"
#include "interface/message_calls.h"
#include "testing/catch.hpp"
#include "testing/explored/job.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace parley;
using testing::CallingProcess;
using testing::Ends;
using testing::ExploredJob;

namespace {

constexpr int owner = 0, first = 1; // of the queues, and who sends there first
constexpr long request = 0, reply = 1, bytes = 24;
constexpr std::size_t pages = 128; // room for the queues
const unsigned long active = parley_address(0, PARLEY_CONTEXT_ACTIVE);
using Packet = std::array<std::uint64_t, PARLEY_ACTIVE_BYTES / sizeof(std::uint64_t)>;

bool is(long answer, Error error) { return answer == -static_cast<long>(error); }

// What a call of such a process may answer, whose owner's end it may meet: then nothing is sent any more.
bool has_met_an_end(long answer) { return is(answer, Error::killed) || is(answer, Error::closed); }

// The ways to the owner's queues, which a sender has asked for before.
struct Ways {
    std::array<long, 2> to{};

    void find(CallingProcess& peer)
    {
        for (const long type : {request, reply}) {
            to[static_cast<std::size_t>(type)] =
                peer.calls().find_active(peer.calls().self, type, owner, active);
            peer.expect(to[static_cast<std::size_t>(type)] > 0, "there is a way to another process");
        }
    }
};
using OfAll = std::array<Ways, 2>; // by node
using OfSenders = std::shared_ptr<OfAll>;

ExploredJob::Program finds(const OfSenders& ways)
{
    return [=](CallingProcess& peer) { (*ways)[static_cast<std::size_t>(peer.node())].find(peer); };
}

// Sends these, which are known by their first word; all words of one are the same.
ExploredJob::Program sends(const OfSenders& ways, std::vector<std::uint64_t> numbers)
{
    return [=](CallingProcess& peer) {
        const parley_calls& calls = peer.calls();
        bool has_ended = false;
        for (const std::uint64_t number : numbers) {
            const std::uint64_t type = number % 2;
            const long way = (*ways)[static_cast<std::size_t>(peer.node())].to[type];
            Packet packet;
            packet.fill(number);
            const long sent = calls.send_active(calls.self, static_cast<unsigned long>(way),
                                                type | std::uint64_t{bytes} << 32,
                                                reinterpret_cast<std::uintptr_t>(packet.data()));
            peer.expect(has_met_an_end(sent) || (sent == 0 && !has_ended),
                        "an Active Message is sent, or meets an end, as then all do");
            has_ended = has_ended || sent != 0;
        }
    };
}

// Takes what has come, as a set of numbers.
class Arrived {
public:
    // False: there is none, or the process must end.
    bool take(CallingProcess& peer)
    {
        const parley_calls& calls = peer.calls();
        Packet room{};
        const parley_receive_status found = calls.take_active(calls.self, PARLEY_TAKES_AND_GOES_ON,
                                                              reinterpret_cast<std::uintptr_t>(room.data()));
        if (is(found.contents, Error::would_block) || is(found.contents, Error::killed))
            return false;
        const std::uint64_t number = room[0];
        peer.expect(found.contents >= 0 && number < 16 && (seen_ >> number & 1) == 0,
                    "each Active Message is taken once");
        peer.expect(room[1] == number && room[2] == number &&
                        static_cast<std::uint32_t>(found.contents) == (number & 1),
                    "an Active Message is whole");
        seen_ |= 1u << (number & 15);
        return true;
    }
    // Waits for these, and takes whatever comes. False: the process must end.
    bool take_all(CallingProcess& peer, unsigned numbers)
    {
        const parley_calls& calls = peer.calls();
        while ((seen_ & numbers) != numbers) {
            const long waited = calls.await_active(calls.self, 0, 0, 0);
            peer.expect(waited == 0 || is(waited, Error::killed), "a wait for Active Messages ends");
            if (waited != 0)
                return false;
            while (take(peer)) { }
        }
        return true;
    }

private:
    unsigned seen_ = 0;
};

void take_numbers(CallingProcess& peer, unsigned numbers)
{
    Arrived arrived;
    (void)arrived.take_all(peer, numbers);
}

// The first is killed while it sends. What the owner sends to itself comes, wherever the other's place was
// drawn and not filled.
explorer::Play a_sender_is_killed(std::string_view design)
{
    const auto ways = std::make_shared<OfAll>();
    return ExploredJob::play({.design = design,
                              .before = {finds(ways), finds(ways)},
                              .programs = {[=](CallingProcess& peer) {
                                               sends(ways, {4})(peer);
                                               take_numbers(peer, 1u << 4);
                                           },
                                           sends(ways, {2})},
                              .ends = Ends::by_themselves,
                              .victim = first,
                              .buffer_pages = pages});
}

// The owner is killed while it waits and takes, and one sends to it before and after that.
explorer::Play the_owner_is_killed(std::string_view design)
{
    const auto ways = std::make_shared<OfAll>();
    return ExploredJob::play(
        {.design = design,
         .before = {[](CallingProcess&) {}, finds(ways)},
         .programs = {[](CallingProcess& peer) { take_numbers(peer, 1u << 2 | 1u << 3); },
                      sends(ways, {2, 3})},
         .ends = Ends::by_themselves,
         .victim = owner,
         .buffer_pages = pages});
}

// The owner ends by itself when it has taken one, while others come.
explorer::Play the_owner_ends_by_itself(std::string_view design)
{
    const auto ways = std::make_shared<OfAll>();
    return ExploredJob::play(
        {.design = design,
         .before = {[](CallingProcess&) {}, finds(ways)},
         .programs = {[](CallingProcess& peer) { take_numbers(peer, 1u << 2); }, sends(ways, {2, 3, 4})},
         .ends = Ends::by_themselves,
         .buffer_pages = pages});
}

std::string fault(explorer::Play (*make_play)(std::string_view))
{
    // Of each kind of port, and of waits; those that carry nothing give messages memory.
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
