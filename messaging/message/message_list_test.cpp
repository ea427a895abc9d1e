// SPDX-License-Identifier: MIT
#include "messaging/message/message_list.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"

using namespace parley;
using namespace parley::messaging;

TEST_CASE("a list of messages takes only what is in no list, until it has given it back")
{
    MessageList list;
    MessageList other;
    Message first;
    Message second;
    list.push_back(first);
    list.push_back(second);
    const std::string in_list = "base/checked/links.hpp: next == unlinked<T>()";
    for (Message* const message : {&first, &second}) {
        CHECK(testing::tripped_by([&] { other.push_back(*message); }) == in_list);
        CHECK(testing::tripped_by([&] { other.push_front(*message); }) == in_list);
        CHECK(testing::tripped_by([&] { list.push_back(*message); }) == in_list);
    }
    CHECK_FALSE(testing::is_fatal([&] {
        other.push_back(*list.pop_front());
        list.remove(second);
        other.push_front(second);
    }));
}
