// SPDX-License-Identifier: MIT
#include "tools/machine_model/processor_order.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

namespace {

ProcessorOrder all_awake(unsigned processors, Picoseconds lookahead = 0)
{
    ProcessorOrder order{processors, lookahead};
    for (unsigned processor = 0; processor < processors; ++processor)
        order.wake(processor, 0);
    return order;
}

} // namespace

TEST_CASE("the processor whose clock is least runs next, and until the next one's clock")
{
    ProcessorOrder order = all_awake(3);
    order.advance(0, 700);
    order.advance(1, 300);
    order.advance(2, 500);
    CHECK(order.next(0) == 1);
    CHECK(order.least() == 300);
    CHECK(order.limit(1) == 500);
}

TEST_CASE("of equal clocks the one that follows the last runs, and all get their turns")
{
    const ProcessorOrder order = all_awake(3);
    CHECK(order.next(0) == 1);
    CHECK(order.next(1) == 2);
    CHECK(order.next(2) == 0);
    CHECK(order.limit(1) == 1); // who is chosen runs, if only for its next instructions
}

TEST_CASE("with a lookahead a processor may be ahead of the least clock by as much")
{
    ProcessorOrder order = all_awake(3, 100);
    order.advance(0, 90);
    order.advance(1, 101);
    CHECK(order.next(2) == 0); // 90 is within 100 of 0, and 0 follows 2
    CHECK(order.next(0) == 2); // 101 is not
    CHECK(order.limit(2) == 190);
    CHECK(order.limit(0) == 100);
}

TEST_CASE("who is halted has no place in the order and holds nobody up")
{
    ProcessorOrder order = all_awake(2);
    order.halt(0);
    order.advance(1, 5000);
    CHECK(order.next(1) == 1);
    CHECK(order.limit(1) == never);
    order.halt(1);
    CHECK_FALSE(order.next(1).has_value());
    CHECK(order.least() == never);
}

TEST_CASE("who is woken goes on when it is woken, but never before its own clock")
{
    ProcessorOrder order = all_awake(2);
    order.advance(0, 400);
    order.halt(0);
    order.wake(0, 900);
    CHECK(order.clock(0) == 900);
    CHECK(order.asleep(0) == 500);
    order.halt(0);
    order.wake(0, 100);
    CHECK(order.clock(0) == 900);
    order.wake(0, 2000); // awake already
    CHECK(order.clock(0) == 900);
    CHECK(order.asleep(0) == 500);
}
