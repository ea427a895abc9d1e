// SPDX-License-Identifier: MIT
// A step that a handshake does not have ends whoever takes it, in checked builds.
#include "messaging/transfer/nx2/handshake.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"

using namespace parley;
using namespace parley::messaging;

namespace {

bool is_fatal_move(nx2::HandshakeState from, nx2::HandshakeState to)
{
    return testing::is_fatal([&] { State<nx2::HandshakeState>(from).move(to, std::memory_order_relaxed); });
}

} // namespace

TEST_CASE("a rendezvous that has been refused or is over takes no further step")
{
    using enum nx2::HandshakeState;
    for (const auto over : {buffered, refused})
        for (const auto next : {requested, queued, cleared, buffered, refused})
            CHECK(is_fatal_move(over, next));
    CHECK(is_fatal_move(queued, queued));
    CHECK_FALSE(is_fatal_move(requested, queued));
    CHECK_FALSE(is_fatal_move(queued, cleared));
}
