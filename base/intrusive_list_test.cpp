// SPDX-License-Identifier: MIT
#include "base/intrusive_list.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"

using namespace parley;

namespace {

struct Element {
    Link link;
};

using Elements = List<Element, &Element::link>;

} // namespace

TEST_CASE("a list takes an element that is in no list, and gives one that is in it")
{
    Elements list;
    Elements other;
    Element in_list;
    Element alone;
    list.push_back(in_list);
    CHECK(testing::tripped_by([&] { other.push_back(in_list); }) ==
          "base/intrusive_list.hpp: !place.linked()");
    CHECK(testing::tripped_by([&] { other.push_front(in_list); }) ==
          "base/intrusive_list.hpp: !place.linked()");
    CHECK(testing::tripped_by([&] { list.remove(alone); }) == "base/intrusive_list.hpp: place.linked()");
    CHECK_FALSE(testing::is_fatal([&] {
        list.push_front(alone);
        list.remove(in_list);
        other.push_back(in_list);
    }));
}
