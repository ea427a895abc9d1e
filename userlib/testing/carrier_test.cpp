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

// What comes to the process; the number of arrivals grows with each.
struct Incoming {
    unsigned arrivals = 0;
    unsigned directly = 0, by_nx = 0; // that wait
    bool one_is_put = false;          // in front of others, perhaps
    unsigned looks = 0;               // for what has come directly

    void come_directly() { ++directly, ++arrivals; }
    void come_by_nx() { ++by_nx, ++arrivals; }
} incoming;

constexpr long type = 0; // a request to endpoint 0

parley_receive_status found(unsigned& waiting, bool takes, unsigned long room = 0)
{
    nx_am_packet packet{};
    packet.handler = 1;
    const long length = nx_am_length(&packet);
    if (waiting == 0)
        return {-nx_error_would_block, incoming.one_is_put ? 1ul : 0ul};
    waiting -= takes ? 1 : 0;
    if (takes)
        std::memcpy(reinterpret_cast<void*>(room), &packet, static_cast<std::size_t>(length));
    return {type | length << 32, 0};
}

void open(unsigned long capabilities = NX_SEVERAL_MACHINES)
{
    incoming = {};
    nx_process = {};
    nx_process.nodes = 2;
    static parley_start place{};
    place.nodes = 2;
    place.endpoints = 2;
    nx_process.start = &place;
    nx_process.capabilities = capabilities;
    nx_process.passing = nx_passes_copies;
    nx_process.calls.arrivals = &incoming.arrivals;
    nx_process.calls.take_active = [](void*, long, unsigned long room) {
        ++incoming.looks;
        return found(incoming.directly, true, room);
    };
    nx_process.calls.probe = [](void*, long, long, unsigned long, unsigned long) {
        return found(incoming.by_nx, false);
    };
    nx_process.calls.receive = [](void*, const parley_receive* call) {
        return found(incoming.by_nx, true, call->buffer);
    };
    nx_am_seen = {}; // as when the process began
    nx_am_open();
}

// Receives for the only bundle. 1: it got one. 0: it looked and found none, or knows that there is none.
unsigned receive()
{
    constexpr unsigned all = (1u << nx_am_most_endpoints) - 1;
    nx_am_arrival arrival;
    return nx_am_receive("AM_Poll", nx_am_types(all, 0), PARLEY_TAKES_ANY, 0, &arrival) == 1 ? 1 : 0;
}

// Receives until it knows that nothing has come; how many it got.
unsigned poll()
{
    unsigned got = 0;
    while (!nx_am_has_nothing())
        got += receive();
    return got;
}

} // namespace

TEST_CASE("a poll that knows of nothing has left nothing, whichever way messages come")
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
                REQUIRE(incoming.directly + incoming.by_nx == 0);
                left = 0;
            }
}

TEST_CASE("a look of one bundle accounts for nothing that may have come by NX for another")
{
    open();
    poll();
    incoming.come_by_nx();
    incoming.by_nx = 0; // for it there is none
    nx_am_arrival arrival;
    CHECK(nx_am_receive("AM_Poll", nx_am_types(1, 0), PARLEY_TAKES_ANY, 0, &arrival) == 0);
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

TEST_CASE("what can be taken before its sender has told of it is taken once, and the next one is seen")
{
    open();
    poll();
    for (unsigned* const waiting : {&incoming.by_nx, &incoming.directly, &incoming.by_nx}) {
        incoming.come_directly(); // so that the poll looks
        ++*waiting;
        const unsigned got = poll();
        ++incoming.arrivals; // now it is told
        REQUIRE(got + poll() == 2);
    }
    incoming.come_by_nx();
    CHECK(poll() == 1);
}

namespace {

// A program with one endpoint, to which all comes directly, and which is mapped to itself.
struct LoneEndpoint {
    eb_t bundle = nullptr;
    ep_t endpoint = nullptr;
    unsigned sent = 0;
    static inline unsigned handled = 0;

    LoneEndpoint()
    {
        open(0);
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
        while (!nx_am_has_nothing())
            AM_Poll(bundle);
    }
    ~LoneEndpoint() { AM_Terminate(); }
};

} // namespace

TEST_CASE("the poll after a wait takes what the wait has found, told of or not, and loses nothing else")
{
    LoneEndpoint program;
    for (const bool is_told_before : {false, true})
        for (const unsigned others : {0u, 1u, 5u}) {
            LoneEndpoint::handled = 0;
            ++incoming.directly;
            incoming.arrivals += is_told_before ? 1 : 0;
            REQUIRE(AM_WaitSema(program.bundle) == AM_OK);
            REQUIRE(AM_Poll(program.bundle) == AM_OK);
            CHECK(LoneEndpoint::handled == 1);
            for (unsigned i = 0; i < others; ++i)
                incoming.come_directly();
            for (unsigned i = 0; i < 3; ++i)
                REQUIRE(AM_Poll(program.bundle) == AM_OK);
            CHECK(LoneEndpoint::handled == 1 + others);
            incoming.arrivals += is_told_before ? 0 : 1;
            REQUIRE(AM_Poll(program.bundle) == AM_OK);
            CHECK(LoneEndpoint::handled == 1 + others);
            CHECK(nx_am_has_nothing());
        }
}

TEST_CASE("a packet behind one that is not whole is seen when that one is, though it was told of before")
{
    LoneEndpoint program;
    for (unsigned behind = 1; behind < 4; ++behind) {
        LoneEndpoint::handled = 0;
        incoming.arrivals += behind; // these are told of, and the one before them is not whole
        incoming.one_is_put = true;
        AM_Poll(program.bundle);
        REQUIRE(LoneEndpoint::handled == 0);
        incoming.directly = behind + 1; // now it is
        incoming.one_is_put = false;
        ++incoming.arrivals;
        for (unsigned poll = 0; poll <= behind; ++poll)
            AM_Poll(program.bundle);
        REQUIRE(LoneEndpoint::handled == behind + 1);
        incoming.come_directly();
        AM_Poll(program.bundle);
        REQUIRE(LoneEndpoint::handled == behind + 2);
        AM_Poll(program.bundle);
        CHECK(nx_am_has_nothing());
    }
}

TEST_CASE("an arrival that is no packet costs one look, and packets after it no more than before")
{
    LoneEndpoint program;
    ++incoming.arrivals; // such as a signal of another kind
    AM_Poll(program.bundle);
    CHECK(nx_am_has_nothing());
    for (unsigned packet = 1; packet <= 3; ++packet) {
        incoming.come_directly();
        const unsigned looks = incoming.looks;
        AM_Poll(program.bundle);
        REQUIRE(LoneEndpoint::handled == packet);
        CHECK(nx_am_has_nothing());
        CHECK(incoming.looks == looks + 1);
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

TEST_CASE("a reply polls only if more had come when the poll began")
{
    LoneEndpoint program;
    static unsigned taken_by_reply = 0;
    AM_SetHandler(
        program.endpoint, 1, +[](void* token) {
            incoming.come_directly();
            const unsigned waiting = incoming.directly;
            AM_Reply0(token, 2);
            taken_by_reply = waiting - incoming.directly;
        });
    AM_SetHandler(program.endpoint, 2, +[](void*) { });
    incoming.come_directly();
    AM_Poll(program.bundle);
    CHECK(taken_by_reply == 0);
    CHECK(program.sent == 1);
}
