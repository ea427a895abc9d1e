// SPDX-License-Identifier: MIT
// Three machines' ranks meet, over an MPI that the test is, in any order of their helpers' steps.
#include "native/network/machine_gathering.hpp"

#include "testing/catch.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

using namespace parley::native;
using parley::messaging::MachineMeetings;

namespace {

constexpr unsigned machines = 3;

// What each machine has begun to gather, in its order; and which machine's step it is.
struct Begun {
    std::string own;
    void* all;
};
std::array<std::vector<Begun>, machines> begun;
unsigned here;

struct Gathered {
    unsigned machine;
    std::size_t number;
};

const parley_network_adapter wire{
    .version = PARLEY_ADAPTER_VERSION,
    .begin = nullptr,
    .gather = nullptr,
    .send = nullptr,
    .receive = nullptr,
    .done =
        [](void* transfer) {
            auto* const one = static_cast<Gathered*>(transfer);
            const auto has_begun = [&](const auto& of) { return of.size() > one->number; };
            if (!std::ranges::all_of(begun, has_begun))
                return 0;
            auto* to = static_cast<char*>(begun[one->machine][one->number].all);
            for (const auto& of : begun) {
                const std::string& own = of[one->number].own;
                REQUIRE(own.size() == begun[one->machine][one->number].own.size());
                to = std::ranges::copy(own, to).out;
            }
            delete one;
            return 1;
        },
    .begin_gather = [](const void* own, void* all, unsigned long bytes) -> void* {
        begun[here].push_back({{static_cast<const char*>(own), bytes}, all});
        return new Gathered{here, begun[here].size() - 1};
    },
    .look = nullptr,
    .take = nullptr,
    .end = nullptr,
};

// The meetings that a machine's ranks come to, one after the other.
struct LocalMeetings final : MachineMeetings {
    struct Brought {
        unsigned call;
        std::string bytes;
    };

    std::optional<Come> next(std::span<std::byte> room) override
    {
        if (come.empty() || waits)
            return {};
        const Brought first = come.front();
        come.pop_front();
        waits = true;
        if (first.bytes.size() <= room.size())
            std::ranges::copy(std::as_bytes(std::span(first.bytes)), room.begin());
        return Come{first.call, first.bytes.size()};
    }
    void end(std::optional<std::span<const std::byte>> whole) override
    {
        waits = false;
        ended.push_back(whole ? std::string(reinterpret_cast<const char*>(whole->data()), whole->size())
                              : "too long");
    }

    std::deque<Brought> come;
    std::vector<std::string> ended;
    bool waits = false;
};

struct Machine {
    parley_native_traffic traffic{};
    LocalMeetings meetings;
    MachineGathering gathering{wire, machines, traffic};
};

// Three machines, of which any may take the next step, as drawn with this seed.
struct Job {
    explicit Job(unsigned seed) : drawn(seed)
    {
        for (auto& of : begun)
            of.clear();
    }

    void come(unsigned machine, unsigned call, std::string bytes)
    {
        all[machine].meetings.come.push_back({call, std::move(bytes)});
    }
    void run(unsigned steps = 300)
    {
        for (; steps > 0; --steps) {
            here = static_cast<unsigned>(drawn() % machines);
            Machine& machine = all[here];
            if (machine.gathering.finds(machine.meetings))
                machine.gathering.begin();
            if (machine.gathering.has_come())
                machine.gathering.end(machine.meetings);
        }
    }

    std::mt19937 drawn;
    std::array<Machine, machines> all;
};

} // namespace

TEST_CASE("what all machines' ranks bring to a meeting comes to all, whoever takes the next step")
{
    const unsigned seed = GENERATE(range(0u, 20u));
    Job job(seed);
    const std::string few(PARLEY_MEETING_BYTES, 'c'), many(PARLEY_MEETING_BYTES + 1, 'd');
    for (unsigned machine = 0; machine < machines; ++machine) {
        job.come(machine, 3, std::string(machine, static_cast<char>('a' + machine)));
        job.come(machine, 3, machine == 1 ? many : few);
        job.come(machine, 4, "");
        job.come(machine, 4, few);
    }
    job.run();
    for (const Machine& machine : job.all) {
        CHECK(machine.meetings.ended ==
              std::vector<std::string>{"bcc", few + many + few, "", few + few + few});
        CHECK((machine.traffic.begun == 4 && machine.traffic.ended == 4));
    }
}

TEST_CASE("a meeting goes on when all have come, and until then is counted as begun where they have")
{
    Job job(1);
    for (const unsigned machine : {0u, 2u})
        job.come(machine, 3, "x");
    job.run();
    for (const unsigned machine : {0u, 1u, 2u}) {
        CHECK(job.all[machine].meetings.ended.empty());
        CHECK(job.all[machine].gathering.begun() == (machine == 1 ? 0 : 1));
        CHECK((job.all[machine].traffic.begun == (machine == 1 ? 0 : 1) &&
               job.all[machine].traffic.ended == 0));
    }
    job.come(1, 3, "y");
    job.run();
    CHECK(job.all[0].meetings.ended == std::vector<std::string>{"xyx"});
}

TEST_CASE("ranks that meet for different calls wait for ever, and nothing is under way then")
{
    Job job(2);
    const std::string bytes(GENERATE(0, 1000), 'x');
    for (unsigned machine = 0; machine < machines; ++machine)
        job.come(machine, machine == 1 ? 4 : 3, bytes);
    job.run();
    for (const Machine& machine : job.all) {
        CHECK(machine.meetings.ended.empty());
        CHECK(machine.gathering.is_idle());
        CHECK((machine.traffic.begun == 1 && machine.traffic.ended == 1));
    }
}

TEST_CASE("what is longer than all may bring together comes to nobody, and all are told")
{
    Job job(3);
    const bool one_has_all = GENERATE(true, false);
    for (unsigned machine = 0; machine < machines; ++machine)
        job.come(machine, 3,
                 std::string(one_has_all ? (machine == 1 ? PARLEY_MEETINGS_BYTES + 1 : 0)
                                         : PARLEY_MEETINGS_BYTES / 3 + 1,
                             'x'));
    job.run();
    for (const Machine& machine : job.all)
        CHECK(machine.meetings.ended == std::vector<std::string>{"too long"});
}

TEST_CASE("machines that leave between the two gatherings of a meeting end both")
{
    Job job(5);
    for (here = 0; here < machines; ++here) {
        job.come(here, 3, std::string(1000, 'x'));
        REQUIRE(job.all[here].gathering.finds(job.all[here].meetings));
        job.all[here].gathering.begin();
    }
    for (here = 0; here < machines; ++here)
        CHECK_FALSE(job.all[here].gathering.has_come()); // it begins the second
    for (here = 0; here < machines; ++here) {
        REQUIRE(job.all[here].gathering.has_come());
        job.all[here].gathering.forget();
        CHECK(job.all[here].gathering.is_idle());
    }
}

TEST_CASE("machines that leave end what others have begun, whatever it was about")
{
    Job job(4);
    const std::string bytes(GENERATE(0, 1000), 'x');
    job.come(0, 3, bytes);
    job.come(2, 3, bytes);
    job.run();
    here = 1;
    job.all[1].gathering.begin_with_nothing();
    for (here = 0; here < machines; ++here) {
        MachineGathering& gathering = job.all[here].gathering;
        REQUIRE(gathering.has_come());
        REQUIRE(gathering.has_come()); // it may be left between the two
        gathering.forget();
        CHECK(gathering.is_idle());
        CHECK(gathering.begun() == 1);
        CHECK(job.all[here].traffic.ended == 1);
    }
}
