// SPDX-License-Identifier: MIT
// A process that sleeps until an Active Message comes, or looks at words of its queues, in every order of its
// steps and its senders'.
#include "testing/catch.hpp"
#include "testing/explored/active_messages.hpp"
#include "testing/explored/job.hpp"
#include "testing/selection.hpp"

#include "platform.hpp"

#include <cstdint>
#include <string>

using namespace parley;
using testing::CallingProcess;
using testing::ExploredJob;
using testing::TakenMessages;

namespace {

// The number of a request, that of a reply, and both.
constexpr std::uint64_t request = 2, reply = 1;
constexpr unsigned both = 1u << request | 1u << reply;

// Puts one in the queues of node 0.
ExploredJob::Program sends(std::uint64_t number)
{
    return [=](CallingProcess& peer) {
        const long way = testing::find_active(peer, static_cast<long>(number % testing::active_types), 0);
        if (way > 0)
            peer.expect(testing::send_active(peer, way, number) == 0, "an Active Message is sent");
    };
}

explorer::Play waited_for(std::string_view design)
{
    return ExploredJob::play({.design = design,
                              .programs = {[](CallingProcess& peer) {
                                               const parley_calls& calls = peer.calls();
                                               TakenMessages taken;
                                               while (!taken.has(both)) {
                                                   peer.expect(calls.await_active(calls.self, 0, 0, 0) == 0,
                                                               "a wait for Active Messages ends");
                                                   peer.expect(taken.take(peer), "a wait has found one");
                                               }
                                           },
                                           sends(request), sends(reply)},
                              .buffer_pages = testing::pages_with_active_queues});
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
                          for (TakenMessages taken; !taken.has(both);)
                              if ((shows_nothing(0) && shows_nothing(1)) || !taken.take(peer))
                                  platform::pause();
                      },
                      sends(request), sends(reply)},
         .buffer_pages = testing::pages_with_active_queues});
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
