// SPDX-License-Identifier: MIT
#include "messaging/request_table.hpp"

#include "messaging/selector.hpp"
#include "tools/testing/catch.hpp"

#include <memory>
#include <set>

using namespace parley;
using namespace parley::messaging;

TEST_CASE("more than a thousand ids can be under way, and then no more")
{
    const auto table = std::make_unique<RequestTable>();
    std::set<long> ids;
    while (Request* const request = table->allocate()) {
        request->state = RequestState::posted;
        ids.insert(table->id(*request));
    }
    CHECK(ids.size() == RequestTable::capacity);
    CHECK(ids.size() >= 1024);
    CHECK(*ids.begin() > 0);
    CHECK(*ids.rbegin() <= 0x7fffffff);
}

TEST_CASE("an id just released is known as such, older and invented ones are refused")
{
    const auto table = std::make_unique<RequestTable>();
    Request* const request = table->allocate();
    request->state = RequestState::posted;
    const long id = table->id(*request);
    CHECK(*table->find(id) == request);
    table->release(*request);
    CHECK(*table->find(id) == nullptr);
    Request* const again = table->allocate();
    again->state = RequestState::posted;
    REQUIRE(again == request);
    CHECK(*table->find(id) == nullptr);
    CHECK(*table->find(table->id(*again)) == again);
    table->release(*again);
    table->allocate()->state = RequestState::posted;
    CHECK_FALSE(table->find(id));
    CHECK_FALSE(table->find(0));
    CHECK_FALSE(table->find(-1));
    CHECK_FALSE(table->find(id + 1));
}

TEST_CASE("a cancelled send gives its id back once it has been delivered")
{
    const auto table = std::make_unique<RequestTable>();
    Request* const cancelled = table->allocate();
    cancelled->remaining = 1;
    cancelled->state = RequestState::abandoned;
    while (Request* const request = table->allocate())
        request->state = RequestState::posted;
    CHECK(table->allocate() == nullptr);
    cancelled->remaining = 0;
    CHECK(table->allocate() == cancelled);
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
