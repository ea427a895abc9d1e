// SPDX-License-Identifier: MIT
// What a poll of Active Messages knows of what has come, where some come straight into the process's queues
// and some by NX.
#include "testing/catch.hpp"

#include <cstring>
#include <deque>

// The library's own headers are C; two of its words are others here.
#define _Static_assert static_assert
#define _Noreturn __attribute__((noreturn))
extern "C" {
#include "userlib/am/carrier.h"
}

#include <am.h>

namespace {

// What comes to the process: directly, which a word tells until the last has been taken, or by NX, with a
// number that grows.
struct Incoming {
    unsigned long put = 0, taken = 0; // directly
    parley_watched watched[2];        // as take_active leaves it
    unsigned arrivals = 0, by_nx = 0; // those that wait
    unsigned looks = 0;               // for what has come directly
    unsigned probes = 0;              // for what has come by NX

    void come_directly() { ++put; }
    void come_by_nx() { ++by_nx, ++arrivals; }
    unsigned long waiting() const { return put - taken; }
} incoming;
const unsigned long no_replies = 0;

constexpr long type = 0; // a request to endpoint 0

parley_receive_status found(bool is_one, unsigned long room = 0)
{
    nx_am_packet packet{};
    packet.handler = 1;
    const long length = nx_am_length(&packet);
    if (!is_one)
        return {-nx_error_would_block, 0};
    if (room != 0)
        std::memcpy(reinterpret_cast<void*>(room), &packet, static_cast<std::size_t>(length));
    return {type | length << 32, 0};
}

void open(unsigned long capabilities = NX_SEVERAL_MACHINES)
{
    incoming = {};
    incoming.watched[0] = {&incoming.put, 0}; // no look yet
    incoming.watched[1] = {&no_replies, 1};
    nx_process = {};
    nx_process.nodes = 2;
    static parley_start place{};
    place.nodes = 2;
    place.endpoints = 2;
    nx_process.start = &place;
    nx_process.capabilities = capabilities;
    nx_process.passing = nx_passes_copies;
    nx_process.calls.watched = incoming.watched;
    nx_process.calls.arrivals = &incoming.arrivals;
    nx_process.calls.take_active = [](void*, long, unsigned long room) {
        ++incoming.looks;
        const bool is_one = incoming.waiting() != 0;
        incoming.taken += is_one ? 1 : 0;
        incoming.watched[0].something = incoming.taken + 1;
        return found(is_one, room);
    };
    nx_process.calls.probe = [](void*, long, long, unsigned long, unsigned long) {
        ++incoming.probes;
        return found(incoming.by_nx != 0);
    };
    nx_process.calls.receive = [](void*, const parley_receive* call) {
        const bool is_one = incoming.by_nx != 0;
        incoming.by_nx -= is_one ? 1 : 0;
        return found(is_one, call->buffer);
    };
    nx_am_open();
}

// Receives for the only bundle. 1: it got one. 0: it looked and found none, or knows that there is none.
unsigned receive()
{
    constexpr unsigned all = (1u << nx_am_most_endpoints) - 1;
    nx_am_arrival arrival;
    for (const auto receives : {&nx_am_receive_near, &nx_am_receive_far})
        if (receives("AM_Poll", nx_am_types(all, 0), PARLEY_TAKES_ANY, 0, &arrival) == 1)
            return 1;
    return 0;
}

// Receives until a receive finds nothing; how many it got.
unsigned poll()
{
    unsigned got = 0;
    while (receive() == 1)
        ++got;
    return got;
}

} // namespace

TEST_CASE("a poll leaves nothing, whichever way messages come")
{
    open();
    CHECK(poll() == 0);
    // 0: by NX, 1: straight; in all orders of eight, some of which come before a poll and some one by one.
    for (unsigned ways = 0; ways < 256; ++ways)
        for (const unsigned at_once : {1u, 2u, 3u})
            for (unsigned come = 0, left = 0; come < 8; ++come) {
                (ways >> come & 1) != 0 ? incoming.come_directly() : incoming.come_by_nx();
                if (++left % at_once != 0 && come != 7)
                    continue;
                REQUIRE(poll() == left);
                REQUIRE(incoming.waiting() + incoming.by_nx == 0);
                left = 0;
            }
}

TEST_CASE("where packets come by NX as well, no call is made while nothing has come either way")
{
    open();
    CHECK(poll() == 0);
    const unsigned looks = incoming.looks, probes = incoming.probes;
    CHECK(looks != 0);
    CHECK(probes != 0);
    for (int i = 0; i < 3; ++i)
        CHECK(receive() == 0);
    CHECK(incoming.looks == looks);
    CHECK(incoming.probes == probes);
    incoming.come_by_nx();
    CHECK(receive() == 1);
    incoming.come_directly();
    CHECK(receive() == 1);
}

TEST_CASE("a look of one bundle settles nothing of what may have come by NX for another")
{
    open();
    poll();
    incoming.come_by_nx();
    incoming.by_nx = 0; // for it there is none
    nx_am_arrival arrival;
    CHECK(nx_am_receive_far("AM_Poll", nx_am_types(1, 0), PARLEY_TAKES_ANY, 0, &arrival) == 0);
    incoming.by_nx = 1;
    CHECK(poll() == 1);
}

TEST_CASE("a message that comes right after another was taken is seen, whichever way both come")
{
    open();
    poll();
    for (unsigned ways = 0; ways < 256; ++ways)
        for (unsigned come = 0; come < 8; ++come) {
            (ways >> come & 1) != 0 ? incoming.come_directly() : incoming.come_by_nx();
            REQUIRE(receive() == 1); // and no look more
        }
}

TEST_CASE(
    "what comes by NX is received once, at the latest when the number tells of it, and then the next one")
{
    open();
    poll();
    ++incoming.by_nx;
    incoming.come_directly(); // so that the poll looks
    const unsigned got = poll();
    ++incoming.arrivals; // now it is told
    REQUIRE(got + poll() == 2);
    incoming.come_by_nx();
    CHECK(poll() == 1);
}

TEST_CASE("where the process cannot see what has come, each receive makes the calls")
{
    open(0);
    nx_process.calls.watched = nullptr;
    nx_am_open();
    CHECK(poll() == 0);
    const unsigned looks = incoming.looks;
    CHECK(receive() == 0);
    CHECK(incoming.looks == looks + 1);
    CHECK_FALSE(nx_am_has_nothing());
    CHECK_FALSE(nx_am_has_no_reply());
}

namespace {

// A program with one endpoint, which is mapped to itself. To it all comes directly; or messages come by NX,
// too, and of its polls some may pass.
struct LoneEndpoint {
    eb_t bundle = nullptr;
    ep_t endpoint = nullptr;
    unsigned sent = 0;
    static inline unsigned handled = 0;

    explicit LoneEndpoint(unsigned long* passable = nullptr)
    {
        open(passable != nullptr ? NX_SEVERAL_MACHINES : 0);
        if (passable != nullptr) {
            nx_process.calls.arrivals = nullptr;
            nx_process.calls.passable = passable;
            nx_am_open();
        }
        handled = 0;
        nx_process.calls.self = this;
        nx_process.calls.find_active = [](void*, long type, long, unsigned long) { return 1 + type % 2; };
        nx_process.calls.send_active = [](void* self, unsigned long, unsigned long, unsigned long) {
            return ++static_cast<LoneEndpoint*>(self)->sent, 0l;
        };
        nx_process.calls.await_active = [](void*, long, unsigned long, unsigned long) { return 0l; };
        en_t name;
        AM_Init();
        AM_AllocateBundle(AM_SEQ, &bundle);
        AM_AllocateEndpoint(bundle, &endpoint, &name);
        AM_SetTag(endpoint, AM_ALL);
        AM_SetEventMask(bundle, AM_NOTEMPTY);
        AM_Map(endpoint, 0, name, 0);
        AM_SetHandler(endpoint, 1, +[](void*) { ++handled; });
        for (int poll = 0; poll < 2; ++poll)
            AM_Poll(bundle);
    }
    ~LoneEndpoint() { AM_Terminate(); }
};

} // namespace

TEST_CASE("a poll makes no call while nothing has come, and one for each packet")
{
    LoneEndpoint program;
    const unsigned looks = incoming.looks;
    for (int i = 0; i < 3; ++i)
        REQUIRE(AM_Poll(program.bundle) == AM_OK);
    CHECK(incoming.looks == looks);
    for (unsigned packet = 1; packet <= 3; ++packet) {
        incoming.come_directly();
        REQUIRE(AM_Poll(program.bundle) == AM_OK);
        REQUIRE(LoneEndpoint::handled == packet);
        CHECK(nx_am_has_nothing());
        CHECK(incoming.looks == looks + packet);
    }
}

TEST_CASE("a poll that may pass makes no call while nothing has come directly, and is counted")
{
    unsigned long passable = 3;
    LoneEndpoint program(&passable);
    passable = 3;
    const unsigned looks = incoming.looks, probes = incoming.probes;
    for (unsigned long left = 3; left-- > 0;) {
        REQUIRE(AM_Poll(program.bundle) == AM_OK);
        CHECK(passable == left);
    }
    CHECK(incoming.probes == probes);
    REQUIRE(AM_Poll(program.bundle) == AM_OK);
    CHECK(incoming.probes == probes + 1);
    CHECK(incoming.looks == looks);
    passable = 1;
    CHECK(AM_Request0(program.endpoint, 0, 1) == AM_OK);
    CHECK(passable == 0);
    CHECK(incoming.probes == probes + 1);
    CHECK(AM_Request0(program.endpoint, 0, 1) == AM_OK);
    CHECK(incoming.probes == probes + 2);
    CHECK(program.sent == 2);
}

TEST_CASE("a poll that takes what has come directly looks for what comes by NX, unless the next may pass")
{
    unsigned long passable = 1;
    LoneEndpoint program(&passable);
    for (const unsigned long left : {1ul, 0ul}) {
        passable = left;
        const unsigned probes = incoming.probes;
        incoming.come_directly();
        REQUIRE(AM_Poll(program.bundle) == AM_OK);
        CHECK(LoneEndpoint::handled == (left != 0 ? 1 : 2));
        CHECK(passable == left);
        CHECK(incoming.probes == probes + (left != 0 ? 0 : 1));
    }
}

TEST_CASE("the poll after a wait takes what the wait has found, and loses nothing else")
{
    LoneEndpoint program;
    for (const unsigned others : {0u, 1u, 5u}) {
        LoneEndpoint::handled = 0;
        incoming.come_directly();
        REQUIRE(AM_WaitSema(program.bundle) == AM_OK);
        REQUIRE(AM_Poll(program.bundle) == AM_OK);
        CHECK(LoneEndpoint::handled == 1);
        for (unsigned i = 0; i < others; ++i)
            incoming.come_directly();
        for (unsigned i = 0; i < 3; ++i)
            REQUIRE(AM_Poll(program.bundle) == AM_OK);
        CHECK(LoneEndpoint::handled == 1 + others);
        CHECK(nx_am_has_nothing());
    }
}

TEST_CASE("a packet behind one that is not whole is seen when that one is")
{
    LoneEndpoint program;
    for (unsigned behind = 1; behind < 4; ++behind) {
        LoneEndpoint::handled = 0;
        incoming.watched[0].something = 0; // something may have come
        AM_Poll(program.bundle);
        REQUIRE(LoneEndpoint::handled == 0);
        incoming.put += behind + 1; // now it is whole
        for (unsigned poll = 0; poll <= behind; ++poll)
            AM_Poll(program.bundle);
        REQUIRE(LoneEndpoint::handled == behind + 1);
        CHECK(nx_am_has_nothing());
    }
}

TEST_CASE("the poll before a request is that of the request, if it has run a handler, and no other's")
{
    LoneEndpoint program;
    incoming.come_directly();
    REQUIRE(AM_Poll(program.bundle) == AM_OK);
    incoming.come_directly();
    REQUIRE(AM_Request0(program.endpoint, 0, 1) == AM_OK);
    CHECK(LoneEndpoint::handled == 1);
    REQUIRE(AM_Request0(program.endpoint, 0, 1) == AM_OK);
    CHECK(LoneEndpoint::handled == 2);
}

TEST_CASE("a reply polls for replies, and only if one has come")
{
    LoneEndpoint program;
    static unsigned long replies = 0, polls_of_replies = 0;
    incoming.watched[1] = {&replies, 1};
    nx_process.calls.take_active = [](void*, long how, unsigned long room) {
        if ((how & PARLEY_TAKES_REPLIES) == 0) {
            incoming.watched[0].something = ++incoming.taken + 1;
            return found(true, room);
        }
        polls_of_replies += incoming.watched[1].something == replies ? 1 : 0;
        incoming.watched[1].something = replies + 1;
        return found(false);
    };
    AM_SetHandler(
        program.endpoint, 1, +[](void* token) {
            incoming.come_directly(); // a request: it is no reply's
            AM_Reply0(token, 2);
        });
    AM_SetHandler(program.endpoint, 2, +[](void*) { });
    incoming.come_directly();
    AM_Poll(program.bundle);
    CHECK(polls_of_replies == 0);
    CHECK(program.sent > 0);
    replies = 1;
    incoming.come_directly();
    AM_Poll(program.bundle);
    CHECK(polls_of_replies == 1);
}
