// SPDX-License-Identifier: MIT
#include "messaging/requests.hpp"

#include "messaging/selector.hpp"
#include "testing/catch.hpp"
#include "testing/own_requests.hpp"

#include "hosted.hpp"

#include <set>
#include <vector>

using namespace parley;
using namespace parley::messaging;
using testing::OwnRequests;

TEST_CASE("more than a thousand ids can be under way, and then no more")
{
    OwnRequests requests;
    std::set<long> ids;
    Result<Request*> request = requests.begin(RequestState::receiving);
    for (; request; request = requests.begin(RequestState::receiving))
        ids.insert(requests.id(**request));
    CHECK(request.error() == Error::no_ids);
    CHECK(ids.size() == Requests::capacity);
    CHECK(ids.size() >= 1024);
    CHECK(*ids.begin() > 0);
    CHECK(*ids.rbegin() <= 0x7fffffff);
}

TEST_CASE("an id just released is known as such, older and invented ones are refused")
{
    OwnRequests requests;
    Request* const request = *requests.begin(RequestState::receiving);
    const long id = requests.id(*request);
    CHECK(*requests.find(id) == request);
    requests.end(*request);
    CHECK(*requests.find(id) == nullptr);
    Request* const again = *requests.begin(RequestState::sending);
    REQUIRE(again == request);
    CHECK(*requests.find(id) == nullptr);
    CHECK(*requests.find(requests.id(*again)) == again);
    requests.end(*again);
    requests.begin(RequestState::receiving);
    CHECK_FALSE(requests.find(id));
    CHECK_FALSE(requests.find(0));
    CHECK_FALSE(requests.find(-1));
    CHECK_FALSE(requests.find(id + 1));
}

TEST_CASE("a send is complete when all its messages have been delivered, a receive when it has ended")
{
    OwnRequests requests;
    Request* const send = *requests.begin(RequestState::sending);
    CHECK(send->is_complete());
    send->deliveries.expect(2);
    send->deliveries.count();
    CHECK_FALSE(send->is_complete());
    CHECK_FALSE(requests.all_delivered());
    send->deliveries.count();
    CHECK(send->is_complete());
    CHECK(requests.all_delivered());

    Request* const receive = *requests.begin(RequestState::receiving);
    CHECK_FALSE(receive->is_complete());
    receive->receive.state.move(ReceiveState::posted, std::memory_order_relaxed);
    CHECK_FALSE(receive->is_complete());
    receive->receive.fail(Error::message_too_long);
    CHECK(receive->is_complete());
}

TEST_CASE("a cancelled send gives its id back once it has been delivered")
{
    OwnRequests requests;
    Request* const cancelled = *requests.begin(RequestState::sending);
    cancelled->deliveries.expect(1);
    const long id = requests.id(*cancelled);
    requests.abandon(*cancelled);
    CHECK(*requests.find(id) == nullptr);
    while (requests.begin(RequestState::receiving)) { }
    cancelled->deliveries.count();
    CHECK(*requests.begin(RequestState::receiving) == cancelled);
    CHECK_FALSE(requests.begin(RequestState::receiving));
}

TEST_CASE("requests take memory as they are used, and no request is lost where there is none")
{
    OwnRequests requests;
    constexpr unsigned in_a_page = page_bytes / sizeof(Request);
    hosted::limit_population(1);
    std::vector<Request*> begun;
    for (unsigned i = 0; i < in_a_page; ++i)
        begun.push_back(*requests.begin(RequestState::receiving));
    CHECK(requests.begin(RequestState::receiving).error() == Error::no_memory);
    hosted::limit_population(1);
    CHECK(*requests.begin(RequestState::receiving) == begun.back() + 1);
    hosted::limit_population(0);
    for (Request* const request : begun)
        requests.end(*request);
    requests.reset(); // another program: the pages stay
    for (Request* const request : begun)
        CHECK(*requests.begin(RequestState::receiving) == request);
    hosted::limit_population(-1);
}

TEST_CASE("a selector takes a type, any type, or a mask of types")
{
    CHECK(Selector{.types = 5}.takes_type(5));
    CHECK_FALSE(Selector{.types = 5}.takes_type(6));
    CHECK(Selector{}.takes_type(999'999'999));
    CHECK_FALSE(Selector{}.takes_type(first_force_type));
    CHECK(Selector{.types = 0x40000001}.takes_type(0x40000001));
    const Selector mask{.types = static_cast<std::int32_t>(0x80000007)};
    CHECK((mask.takes_type(0) && mask.takes_type(1) && mask.takes_type(2)));
    CHECK_FALSE((mask.takes_type(3) || mask.takes_type(31) || mask.takes_type(first_force_type)));
    const Selector large{.types = static_cast<std::int32_t>(0xc0000000)};
    CHECK((large.takes_type(30) && large.takes_type(100'000)));
    CHECK_FALSE(large.takes_type(29));
}

TEST_CASE("message types have two ranges")
{
    CHECK((is_valid_type(0) && is_valid_type(999'999'999) && is_valid_type(1'073'741'824) &&
           is_valid_type(1'999'999'999)));
    CHECK_FALSE((is_valid_type(-1) || is_valid_type(1'000'000'000) || is_valid_type(1'073'741'823) ||
                 is_valid_type(2'000'000'000)));
}

TEST_CASE("a wait says in one word whom it is for")
{
    const unsigned long library = parley_address(0, PARLEY_CONTEXT_LIBRARY);
    const WaitedPeer one(WaitedPeer::of(5, library));
    CHECK((one.node() == 5 && one.is_library()));
    const WaitedPeer all(WaitedPeer::of(-1, parley_address(7, PARLEY_CONTEXT_PROGRAM)));
    CHECK((all.node() == -1 && !all.is_library()));

    const auto asked_for = [](long node, unsigned long context) {
        const Selector selector{.from = parley_senders_from(node, 3, context),
                                .mask = parley_senders_mask(node, 3)};
        return WaitedPeer(selector.peer());
    };
    CHECK((asked_for(0, PARLEY_CONTEXT_LIBRARY).node() == 0));
    CHECK(asked_for(0, PARLEY_CONTEXT_LIBRARY).is_library());
    CHECK((asked_for(-1, PARLEY_CONTEXT_LIBRARY).node() == -1));
    CHECK(asked_for(-1, PARLEY_CONTEXT_LIBRARY).is_library());
    CHECK((asked_for(-1, PARLEY_CONTEXT_PROGRAM).node() == -1));
    CHECK(!asked_for(-1, PARLEY_CONTEXT_PROGRAM).is_library());
    CHECK((WaitedPeer(-1).node() == -1 && !WaitedPeer(-1).is_library()));
}
