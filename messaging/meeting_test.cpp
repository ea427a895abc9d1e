// SPDX-License-Identifier: MIT
#include "messaging/meeting.hpp"

#include "testing/catch.hpp"
#include "testing/fatal.hpp"

#include <atomic>
#include <thread>
#include <vector>

using parley::messaging::Brought;
using parley::messaging::Meeting;

TEST_CASE("who has met sees what all have brought, until it comes again")
{
    constexpr unsigned members = 3;
    constexpr int rounds = 2000;
    Meeting meeting;
    Brought brought[members];
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (unsigned member = 0; member < members; ++member)
        threads.emplace_back([&, member] {
            for (int round = 1; round <= rounds; ++round) {
                const std::uint32_t number = meeting.over();
                brought[member].of(number).length = static_cast<unsigned>(round);
                if (meeting.come(0, members))
                    meeting.end();
                while (meeting.over() == number)
                    std::this_thread::yield();
                for (const Brought& one : brought)
                    wrong += one.of(number).length == static_cast<unsigned>(round) ? 0 : 1;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(wrong == 0);
    CHECK(meeting.over() == rounds);
}

TEST_CASE("who has come is forgotten when that is asked for")
{
    Meeting meeting;
    CHECK_FALSE(meeting.come(0, 2));
    meeting.forget();
    CHECK_FALSE(meeting.come(0, 2));
    CHECK(meeting.come(0, 2));
}

TEST_CASE("those who make different calls do not meet")
{
    Meeting meeting;
    CHECK_FALSE(meeting.come(0, 2));
    CHECK_FALSE(meeting.come(1, 2));
    CHECK(meeting.come(1, 2));
}

TEST_CASE("no more come to a meeting than it has members")
{
    Meeting meeting;
    CHECK_FALSE(meeting.come(0, 2));
    CHECK(parley::testing::tripped_by([&] { (void)meeting.come(0, 1); }) ==
          "messaging/meeting.hpp: before < members");
    CHECK(meeting.come(0, 2));
}
