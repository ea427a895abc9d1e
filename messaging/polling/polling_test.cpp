// SPDX-License-Identifier: MIT
// How often the far source is looked into: what follows from the equations of Lumetta, 4.2.
#include "messaging/polling/adaptive.hpp"
#include "messaging/polling/fixed.hpp"
#include "messaging/polling/fractional.hpp"
#include "testing/catch.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <utility>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

const LeafValues usual = {4, 64, 4'096, 256};

struct PollLook {
    std::uint64_t poll, near, far, period;
    bool operator==(const PollLook&) const = default;
};

// Messages come at each source; what a look does not take waits for the next.
class Scene {
public:
    using Rate = std::function<unsigned(std::uint64_t poll)>;

    explicit Scene(const LeafValues& values = usual) : polling(values) { }

    std::vector<PollLook> run(std::uint64_t polls, const Rate& near, const Rate& far)
    {
        std::vector<PollLook> looks;
        for (; polls > 0; --polls) {
            ++poll_;
            waiting_ += far(poll_);
            const bool looks_far = polling.looks_far();
            std::uint64_t taken = 0;
            if (looks_far)
                taken = std::min(waiting_, accepted * polling.period());
            waiting_ -= taken;
            polling.note(near(poll_), static_cast<unsigned>(taken));
            if (looks_far)
                looks.push_back({poll_, polling.near_estimate(), polling.far_estimate(), polling.period()});
        }
        return looks;
    }

    AdaptivePolling polling;

private:
    static constexpr std::uint64_t accepted = 4; // of far messages, for each poll since the last look

    std::uint64_t poll_ = 0, waiting_ = 0;
};

unsigned never(std::uint64_t) { return 0; }
unsigned always(std::uint64_t) { return 1; }
unsigned every_second(std::uint64_t poll) { return poll % 2 == 0; }
unsigned every_twentieth(std::uint64_t poll) { return poll % 20 == 0; }

} // namespace

TEST_CASE("fixed polling looks into the far source in each poll, fractional polling in one of so many")
{
    FixedPolling fixed;
    FractionalPolling fractional({3});
    std::vector<int> looks;
    for (int poll = 0; poll < 7; ++poll) {
        CHECK(fixed.looks_far());
        fixed.note(1, 0);
        looks.push_back(fractional.looks_far());
        fractional.note(1, 0);
    }
    CHECK(looks == std::vector{1, 0, 0, 1, 0, 0, 1});
    CHECK(fixed.period() == 1);
    CHECK(fractional.period() == 3);
}

TEST_CASE("polls that take no near message are told of by the next one that does or that looks")
{
    struct Telling final : Polling {
        std::vector<std::uint64_t> told;
        void remember(std::uint64_t idle, unsigned near) override { told.insert(told.end(), {idle, near}); }
        std::uint64_t choose_period(std::uint64_t idle, unsigned far) override
        {
            told.insert(told.end(), {idle, 10 * far});
            return 5;
        }
    } polling;
    const auto poll = [&](unsigned near, unsigned far) {
        (void)polling.looks_far();
        polling.note(near, far);
        return std::exchange(polling.told, {});
    };
    using Told = std::vector<std::uint64_t>;
    CHECK(poll(0, 2) == Told{1, 20}); // the first one looks
    CHECK(poll(0, 0).empty());
    CHECK(poll(0, 0).empty());
    CHECK(poll(7, 0) == Told{2, 7});
    CHECK(poll(0, 0).empty());
    CHECK(poll(0, 3) == Told{2, 30});
    CHECK(poll(6, 0) == Told{0, 6});
    CHECK(poll(0, 0).empty());
    polling.look_next();
    CHECK(polling.period() == 3);
    CHECK(poll(5, 1) == Told{1, 5, 0, 10});
}

TEST_CASE("polls that pass unseen are polls that take nothing, and none that looks passes")
{
    AdaptivePolling seen(usual), unseen(usual);
    std::uint64_t looks = 0;
    for (unsigned turn = 0; turn < 2'000; ++turn) {
        const std::uint64_t passes = std::min<std::uint64_t>(turn % 7, seen.passable());
        for (std::uint64_t poll = 0; poll < passes; ++poll) {
            REQUIRE_FALSE(seen.looks_far());
            seen.note(0, 0);
        }
        unseen.pass(passes);
        const bool looks_far = seen.looks_far();
        REQUIRE(unseen.looks_far() == looks_far);
        looks += looks_far ? 1 : 0;
        const unsigned far = looks_far && turn % 3 == 0 ? 1 : 0;
        for (AdaptivePolling* polling : {&seen, &unseen})
            polling->note(turn % 5 == 0, far);
        REQUIRE(unseen.near_estimate() == seen.near_estimate());
        REQUIRE(unseen.far_estimate() == seen.far_estimate());
        REQUIRE(unseen.passable() == seen.passable());
    }
    CHECK(looks > 10);
    unseen.pass(~std::uint64_t{0});
    CHECK(unseen.passable() == 0);
    CHECK(unseen.looks_far());
}

TEST_CASE("without messages adaptive polling looks as often as it may")
{
    CHECK(Scene().run(16, never, never) ==
          std::vector<PollLook>{{1, 0, 1, 4}, {5, 0, 1, 4}, {9, 0, 1, 4}, {13, 0, 1, 4}});
}

TEST_CASE("with near messages alone adaptive polling looks as rarely as it may")
{
    Scene scene;
    CHECK(scene.run(257, always, never) == std::vector<PollLook>{{1, 64, 1, 64},
                                                                 {65, 3'652, 1, 64},
                                                                 {129, 6'444, 1, 64},
                                                                 {193, 8'618, 1, 64},
                                                                 {257, 10'310, 1, 64}});
    scene.run(10'000, always, never);
    CHECK(scene.polling.near_estimate() == 16'129);
}

TEST_CASE("with far messages alone adaptive polling looks as often as it may")
{
    Scene scene;
    CHECK(scene.run(13, never, always) ==
          std::vector<PollLook>{{1, 0, 9, 4}, {5, 0, 40, 4}, {9, 0, 71, 4}, {13, 0, 102, 4}});
    scene.run(20'000, never, always);
    CHECK(scene.polling.far_estimate() == 3'970);
}

TEST_CASE("the period of adaptive polling settles at the ratio of the rates, times the equality")
{
    Scene equal, rare;
    equal.run(100'000, every_second, every_second);
    CHECK(equal.polling.near_estimate() == 7'969);
    CHECK(equal.polling.far_estimate() == 1'922);
    CHECK(equal.polling.period() == 4);
    rare.run(100'000, every_second, every_twentieth);
    CHECK(rare.polling.far_estimate() == 196);
    CHECK(rare.polling.period() == 40);
}

TEST_CASE("adaptive polling follows a change, and forgets")
{
    Scene changed, idle;
    changed.run(2'000, always, never);
    std::vector<std::uint64_t> periods;
    for (const PollLook& look : changed.run(400, never, always))
        periods.push_back(look.period);
    periods.resize(10);
    CHECK(periods == std::vector<std::uint64_t>{33, 18, 14, 12, 10, 9, 8, 8, 7, 7});

    idle.run(10'000, always, never);
    idle.run(2'000, never, never);
    CHECK(idle.polling.near_estimate() == 0);
    CHECK(idle.polling.far_estimate() == 1);
}

TEST_CASE("after a pause every kind of polling looks into the far source")
{
    FractionalPolling fractional({16});
    AdaptivePolling adaptive(usual);
    for (Polling* const polling : {static_cast<Polling*>(&fractional), static_cast<Polling*>(&adaptive)}) {
        for (int poll = 0; poll < 3; ++poll) {
            CHECK(polling->looks_far() == (poll == 0));
            polling->note(1, 0);
        }
        polling->look_next();
        polling->look_next();
        CHECK(polling->looks_far());
        polling->note(1, 0);
        CHECK_FALSE(polling->looks_far());
    }
}

TEST_CASE("what comes after a pause is counted among the polls that there were")
{
    AdaptivePolling polling(usual);
    CHECK(polling.looks_far());
    polling.note(0, 0);
    CHECK(polling.period() == 4);
    polling.look_next(); // the next poll is the only one since the last look
    CHECK(polling.looks_far());
    polling.note(0, 1);
    CHECK(polling.far_estimate() == (511 * 1 + 1 + 4'096) / 512);
}

TEST_CASE("the far estimate of adaptive polling never comes to 0, whatever its arguments")
{
    for (const std::uint64_t damping : {2, 4, 256})
        for (const std::uint64_t longest : {1, 4, 4'096}) {
            Scene scene({1, longest, 16, damping});
            for (const auto& rate : {never, always, every_twentieth})
                for (const PollLook& look : scene.run(3'000, rate, rate))
                    if (look.far == 0)
                        FAIL(damping << ' ' << longest);
        }
}

TEST_CASE("the far estimate of adaptive polling never comes to 0, whatever it is told")
{
    AdaptivePolling polling({1, 1, 1 << 20, 1 << 16});
    const auto look = [&](unsigned near, unsigned far) {
        CHECK(polling.looks_far());
        polling.note(near, far);
        return polling.far_estimate();
    };
    look(0, 0);
    for (int i = 0; i < 24'968; ++i)
        look(0, ~0u);
    CHECK(look(0, 872'928'998) > 0);
}

TEST_CASE("polls that take nothing change the estimate as equation 4.8 does, one after the other")
{
    const std::uint64_t damping = GENERATE(2u, 4u, 256u, 65'536u);
    AdaptivePolling polling({4'096, 4'096, 4'096, damping});
    std::mt19937 random(static_cast<unsigned>(damping));
    std::uint64_t expected = 0;
    for (unsigned idle = 0, taken = 0; taken < 200; --idle) {
        const unsigned near = idle == 0 ? random() % 5'000 + 1 : 0;
        const bool looks = polling.looks_far();
        polling.note(near, 0);
        expected = ((damping - 1) * expected + AdaptivePolling::equality * 4'096 * near) / damping;
        if (near != 0 || looks)
            CHECK(polling.near_estimate() == expected);
        if (near != 0) {
            ++taken;
            idle = random() % 2 == 0 ? random() % 8 + 1 : random() % 3'000 + 1;
        }
    }
}

TEST_CASE("more messages than can be counted count as the most that can")
{
    AdaptivePolling told_more(usual), told_most(usual);
    for (AdaptivePolling* const polling : {&told_more, &told_most}) {
        CHECK(polling->looks_far());
        const unsigned told = Polling::most_messages + (polling == &told_more ? 1 : 0);
        polling->note(told, told);
    }
    CHECK(told_more.near_estimate() == told_most.near_estimate());
    CHECK(told_more.far_estimate() == told_most.far_estimate());
}
