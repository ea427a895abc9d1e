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
bool is_fatal_move(S from, S to)
{
    return testing::is_fatal([&] { State<S>(from).move(to, relaxed); });
}

} // namespace

TEST_CASE("a receive gets its message before it ends with it, and ends once")
{
    using enum ReceiveState;
    for (const ReceiveState from : {idle, posted, finished, failed})
        CHECK(is_fatal_move(from, finished));
    for (const ReceiveState from : {engaged, matched})
        CHECK_FALSE(is_fatal_move(from, finished));
    CHECK(is_fatal_move(posted, posted));
    CHECK(is_fatal_move(idle, matched));
    CHECK(is_fatal_move(finished, failed));
    CHECK(testing::is_fatal([] { Receive().finish(Envelope({0, 0}, 0)); }));
}

TEST_CASE("a request is ended once, and only a send is abandoned")
{
    testing::OwnRequests requests;
    Request& receive = **requests.begin(RequestState::receiving);
    receive.deliveries.expect(1);
    CHECK(testing::is_fatal([&] { requests.abandon(receive); }));
    CHECK_FALSE(testing::is_fatal([&] { requests.end(receive); }));
    CHECK(testing::is_fatal([&] {
        requests.end(receive);
        requests.end(receive);
    }));
}

TEST_CASE("a step that several may take happens once, and one that no machine has is fatal all the same")
{
    State<RequestState> state(RequestState::sending);
    CHECK(state.move_from(RequestState::sending, RequestState::free));
    CHECK_FALSE(state.move_from(RequestState::sending, RequestState::free));
    CHECK(state.is(RequestState::free));
    CHECK(testing::is_fatal([&] { state.move_from(RequestState::abandoned, RequestState::sending); }));
}

TEST_CASE("a request does not end while its receive is in a list")
{
    testing::OwnRequests requests;
    Request& request = **requests.begin(RequestState::receiving);
    request.receive.state.move(ReceiveState::posted, relaxed);
    ReceiveList<ReceiveState::posted> posted;
    posted.push_back(request.receive);
    CHECK(testing::is_fatal([&] { requests.end(request); }));
    posted.remove(request.receive);
    CHECK_FALSE(testing::is_fatal([&] { requests.end(request); }));
}
