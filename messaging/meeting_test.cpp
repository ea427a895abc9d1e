// SPDX-License-Identifier: MIT
#include "messaging/meeting.hpp"

#include "testing/catch.hpp"
#include "testing/fatal.hpp"

#include <atomic>
#include <thread>
#include <vector>

using parley::messaging::Meeting;

TEST_CASE("one of those who meet is the last, and sees what all did before they came")
{
    constexpr unsigned members = 3;
    constexpr int rounds = 2000;
    Meeting meeting;
    int done[members] = {};
    std::atomic<int> told = 0;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (unsigned member = 0; member < members; ++member)
        threads.emplace_back([&, member] {
            for (int round = 1; round <= rounds; ++round) {
                done[member] = round;
                if (!meeting.come(members)) {
                    while (told.load() < round)
                        std::this_thread::yield();
                    continue;
                }
                for (const int one : done)
                    wrong += one == round ? 0 : 1;
                wrong += told.fetch_add(1) == round - 1 ? 0 : 1; // alone the last of this round
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(wrong == 0);
    CHECK(told == rounds);
}

TEST_CASE("who has come is forgotten when that is asked for")
{
    Meeting meeting;
    CHECK_FALSE(meeting.come(2));
    meeting.forget();
    CHECK_FALSE(meeting.come(2));
    CHECK(meeting.come(2));
}

TEST_CASE("no more come to a meeting than it has members")
{
    Meeting meeting;
    CHECK_FALSE(meeting.come(2));
    CHECK(parley::testing::tripped_by([&] { (void)meeting.come(1); }) ==
          "messaging/meeting.hpp: before < members");
    CHECK(meeting.come(2));
}
