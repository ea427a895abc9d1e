// SPDX-License-Identifier: MIT
// A process that sleeps until an Active Message comes, or looks at words of its queues, in every order of its
// steps and its senders'.
#include "interface/active_messages.h"
#include "interface/message_calls.h"
#include "testing/catch.hpp"
#include "testing/explored/job.hpp"
#include "testing/selection.hpp"

#include "platform.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

using namespace parley;
using testing::CallingProcess;
using testing::ExploredJob;

namespace {

constexpr long request = 0, reply = 1, bytes = 24;
constexpr std::size_t pages = 128; // room for the queues
const unsigned long active = parley_address(0, PARLEY_CONTEXT_ACTIVE);
using Packet = std::array<std::uint64_t, PARLEY_ACTIVE_BYTES / sizeof(std::uint64_t)>;

// Puts one of that type in the queues of node 0; it is known by its first word.
ExploredJob::Program sends(long type, std::uint64_t number)
{
    return [=](CallingProcess& peer) {
        const parley_calls& calls = peer.calls();
        const Packet packet{number};
        const long way = calls.find_active(calls.self, type, 0, active);
        peer.expect(way > 0, "there is a way to another process");
        if (way <= 0)
            return;
        const long sent = calls.send_active(calls.self, static_cast<unsigned long>(way),
                                            static_cast<unsigned long>(type) | std::uint64_t{bytes} << 32,
                                            reinterpret_cast<std::uintptr_t>(packet.data()));
        peer.expect(sent == 0, "an Active Message is sent");
    };
}

// Which have come, as a set of bits.
class Arrived {
public:
    // False: none had come.
    bool take(CallingProcess& peer)
    {
        const parley_calls& calls = peer.calls();
        Packet room{};
        const parley_receive_status found = calls.take_active(calls.self, PARLEY_TAKES_AND_GOES_ON,
                                                              reinterpret_cast<std::uintptr_t>(room.data()));
        if (found.contents == -static_cast<long>(Error::would_block))
            return false;
        peer.expect(found.contents >= 0 && room[0] < 8 && (seen_ >> room[0] & 1) == 0,
                    "each Active Message is taken once, with its bytes");
        seen_ |= 1u << room[0];
        return true;
    }
    bool has(unsigned numbers) const { return seen_ == numbers; }

private:
    unsigned seen_ = 0;
};

explorer::Play waited_for(std::string_view design)
{
    return ExploredJob::play({.design = design,
                              .programs = {[](CallingProcess& peer) {
                                               const parley_calls& calls = peer.calls();
                                               Arrived arrived;
                                               while (!arrived.has(0b110)) {
                                                   peer.expect(calls.await_active(calls.self, 0, 0, 0) == 0,
                                                               "a wait for Active Messages ends");
                                                   peer.expect(arrived.take(peer), "a wait has found one");
                                               }
                                           },
                                           sends(request, 1), sends(reply, 2)},
                              .buffer_pages = pages});
}

explorer::Play watched_for(std::string_view design)
{
    return ExploredJob::play(
        {.design = design,
         .programs = {[](CallingProcess& peer) {
                          const parley_watched* const watched = peer.calls().watched;
                          peer.expect(watched != nullptr, "in user location a process sees what has come");
                          const auto shows_nothing = [&](int queue) {
                              const auto* const word =
                                  reinterpret_cast<const Atomic<std::uint64_t>*>(watched[queue].word);
                              return word->load(std::memory_order_acquire) < watched[queue].something;
                          };
                          for (Arrived arrived; !arrived.has(0b110);)
                              if ((shows_nothing(0) && shows_nothing(1)) || !arrived.take(peer))
                                  platform::pause();
                      },
                      sends(request, 1), sends(reply, 2)},
         .buffer_pages = pages});
}

std::string fault(unsigned preemptions, const std::function<explorer::Play()>& make_play)
{
    return explorer::explore({.preemptions = preemptions, .weak_executions = 200}, make_play).failure;
}

} // namespace

TEST_CASE("who waits for Active Messages is woken by each in any order of steps")
{
    for (const char* const design :
         {"native", "native,semaphore", "exp6,semaphore", "exp4,port=fifo", "native,semaphore,port=fifo",
          "native,semaphore,port=lock-free", "native,semaphore,port=ticket-claim"}) {
        INFO(design);
        CHECK(fault(1, [=] { return waited_for(design); }) == "");
    }
}

TEST_CASE("who waits for Active Messages is woken whatever older store is read")
{
    for (const char* const design : {"native,semaphore", "native,semaphore,port=fifo"}) {
        INFO(design);
        CHECK(explorer::explore({.preemptions = 1, .older = 3, .weak_executions = 0}, [=] {
                  return waited_for(design);
              }).failure == "");
    }
}

TEST_CASE("who looks at the words of its queues misses no Active Message in any order of steps")
{
    for (const char* const design :
         {"native", "native,port=circular", "native,port=fifo", "native,port=lock-free",
          "native,port=anderson", "native,port=locked", "native,port=reuse", "native,port=lanes"}) {
        INFO(design);
        CHECK(fault(1, [=] { return watched_for(design); }) == "");
    }
}
