// SPDX-License-Identifier: MIT
// Every lock under which places in a queue are claimed, in every order of steps: as many senders as the lock
// is made for, so that what belongs to one of them is soon another's.
#include "messaging/port/lock_claim.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/mapped_memory.hpp"

#include "messaging/leaves.hpp"

#include <memory>
#include <string>

using namespace parley;
using namespace parley::messaging;
using namespace parley::testing;

namespace {

template <class P>
concept ClaimsUnderLock = requires { typename P::Claim::Lock; };

constexpr unsigned senders = 2;

template <class Lock>
class Scene {
public:
    void hold(unsigned caller)
    {
        lock_.acquire(caller);
        ++held_; // plain: the explorer tells uses that nothing orders
        lock_.release(caller);
    }
    bool is_made() const { return heap_is_ready_ && lock_.is_made(); }
    unsigned held() const { return held_; }

private:
    static constexpr std::size_t bytes = 64 << 10;

    MappedMemory memory_{bytes}, table_{BuddyHeap::table_bytes(bytes)};
    BuddyHeap heap_{memory_.start(), bytes, table_.start()};
    bool heap_is_ready_ = heap_.start().has_value(); // before the lock takes memory from it
    Lock lock_{PortParts{senders, heap_}};
    unsigned held_ = 0;
};

template <class Lock>
explorer::Play two_senders()
{
    auto scene = std::make_shared<Scene<Lock>>();
    explorer::Play play;
    play.parties.push_back([=] { scene->hold(0), scene->hold(0); });
    play.parties.push_back([=] { scene->hold(1), scene->hold(1); });
    play.check = [=]() -> std::string { return scene->held() == 4 ? "" : "two held the lock at once"; };
    return play;
}

} // namespace

TEST_CASE("each lock of claims lets in one at a time in any order of steps")
{
    unsigned locks = 0;
    PortLeaves::for_each([&]<class P>() {
        if constexpr (ClaimsUnderLock<P>) {
            INFO(std::string(P::name));
            using Lock = typename P::Claim::Lock;
            REQUIRE(Scene<Lock>().is_made());
            CHECK(explorer::explore({.preemptions = 2}, [] { return two_senders<Lock>(); }).failure == "");
            ++locks;
        }
    });
    CHECK(locks != 0);
}
