// SPDX-License-Identifier: MIT
#include "messaging/static_composition.hpp"
#include "testing/catch.hpp"

#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr Preset rows[] = {
    {"no port", {"user", "heavy", "asynchronous", "none such", "buffered", "spinlock", "pointer", false}},
    {"no transfer",
     {"user", "heavy", "asynchronous", "circular", "buffered", "spinlock", "none such", false}},
};

constexpr Preset unordered[] = {
    {"two ports", {"user", "heavy", "asynchronous", "lock-free", "buffered", "spinlock", "pointer", false}}};
using Unordered = RowFactors<unordered, 0>::Type;
static_assert(std::is_same_v<Unordered::ActivePort, LockFreePort>);
static_assert(std::is_same_v<Unordered::Port, FifoPort>, "mailboxes have a port that keeps the order");

} // namespace

TEST_CASE("a preset that names a class whose folder has been taken away compiles, and is not to be had")
{
    std::vector<std::byte> memory(64);
    for (const Preset& row : rows)
        CHECK(create_among<rows>(memory.data(), memory.size(), {.design = row.design, .nodes = 2}).error() ==
              Error::not_found);
}
