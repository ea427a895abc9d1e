// SPDX-License-Identifier: MIT
// A step that a state machine does not have ends whoever takes it, in checked builds: these are.
#include "messaging/requests.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"
#include "testing/own_requests.hpp"

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr std::memory_order relaxed = std::memory_order_relaxed;

template <class S>
std::string tripped_by_move(S from, S to)
{
    return testing::tripped_by([&] { State<S>(from).move(to, relaxed); });
}

} // namespace

TEST_CASE("a receive gets its message before it ends with it, and ends once")
{
    using enum ReceiveState;
    const std::string no_such_move =
        "messaging/state.hpp: may_follow(now_.load(std::memory_order_relaxed), to)";
    for (const ReceiveState from : {idle, posted, finished, failed})
        CHECK(tripped_by_move(from, finished) == no_such_move);
    for (const ReceiveState from : {engaged, matched})
        CHECK(tripped_by_move(from, finished) == "");
    CHECK(tripped_by_move(posted, posted) == no_such_move);
    CHECK(tripped_by_move(idle, matched) == no_such_move);
    CHECK(tripped_by_move(finished, failed) == no_such_move);
    CHECK(testing::tripped_by([] { Receive().finish(Envelope({0, 0}, 0)); }) == no_such_move);
}

TEST_CASE("a request is ended once, and only a send is abandoned")
{
    const std::string no_such_move =
        "messaging/state.hpp: may_follow(now_.load(std::memory_order_relaxed), to)";
    testing::OwnRequests requests;
    Request& receive = **requests.begin(RequestState::receiving);
    receive.deliveries.expect(1);
    CHECK(testing::tripped_by([&] { requests.abandon(receive); }) == no_such_move);
    CHECK_FALSE(testing::is_fatal([&] { requests.end(receive); }));
    CHECK(testing::tripped_by([&] {
              requests.end(receive);
              requests.end(receive);
          }) == no_such_move);
}

TEST_CASE("a step that several may take happens once, and one that no machine has is fatal all the same")
{
    State<RequestState> state(RequestState::sending);
    CHECK(state.move_from(RequestState::sending, RequestState::free));
    CHECK_FALSE(state.move_from(RequestState::sending, RequestState::free));
    CHECK(state.is(RequestState::free));
    CHECK(testing::tripped_by([&] { state.move_from(RequestState::abandoned, RequestState::sending); }) ==
          "messaging/state.hpp: may_follow(from, to)");
}

TEST_CASE("a request does not end while its receive is in a list")
{
    testing::OwnRequests requests;
    Request& request = **requests.begin(RequestState::receiving);
    request.receive.state.move(ReceiveState::posted, relaxed);
    ReceiveList<ReceiveState::posted> posted;
    posted.push_back(request.receive);
    CHECK(testing::tripped_by([&] { requests.end(request); }) ==
          "messaging/receive.hpp: next == unlinked<Receive>()");
    posted.remove(request.receive);
    CHECK_FALSE(testing::is_fatal([&] { requests.end(request); }));
}
