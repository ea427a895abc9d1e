// SPDX-License-Identifier: MIT
// transport=pipe: that the line really loses, repeats and reorders, that its two ends make up for it, and
// that a job whose messages cross it is a job like others.
#include "testing/own_leaves/messaging/transport/pipe/pipe.hpp"
#include "testing/own_leaves/try_design.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

// The numbers of what comes of packets 1 to `count`.
std::vector<std::uint64_t> carried(const pipe::PipeFaults& faults, std::uint64_t count)
{
    pipe::PipeLine line(faults, 0);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t number = 1; number <= count; ++number) {
        line.send({.number = number});
        for (pipe::PipePacket packet; line.take(packet);)
            numbers.push_back(packet.number);
    }
    return numbers;
}

struct Crossing {
    std::string fault;            // "" or what is wrong
    std::uint32_t bursts[2] = {}; // of each end
};

// As many messages as this go in at each end, as soon as there is room, and come out at the other.
Crossing cross(const pipe::PipeFaults& faults, std::size_t count)
{
    pipe::PipeLine lines[2] = {{faults, 0}, {faults, 1}};
    pipe::PipeEnd ends[2] = {{lines[0], lines[1]}, {lines[1], lines[0]}};
    std::vector<Message> messages[2] = {std::vector<Message>(count), std::vector<Message>(count)};
    std::size_t in[2] = {}, out[2] = {}, idle = 0;
    // Two turns in which neither end has anything to do: nothing will ever happen again.
    for (unsigned self = 0; idle < 2; self = 1 - self) {
        pipe::PipeEnd& end = ends[self];
        end.listen();
        while (const Message* const message = end.receive())
            if (out[1 - self] == count || message != &messages[1 - self][out[1 - self]++])
                return {.fault = "a message comes out in another order, or twice"};
        while (in[self] < count && end.has_room())
            end.put(messages[self][in[self]++]);
        idle = end.transmit() ? 0 : idle + 1;
    }
    for (unsigned self = 0; self < 2; ++self)
        if (out[self] != count || !ends[self].has_sent_all())
            return {.fault = "a message does not come out, and nothing more is done for it"};
    return {"", {lines[0].bursts(), lines[1].bursts()}};
}

} // namespace

TEST_CASE("pipe: a line loses, repeats and reorders packets as its seed says")
{
    const auto fated = carried({7, 20, 20, 20}, 1000);
    CHECK(fated == carried({7, 20, 20, 20}, 1000));
    CHECK(fated != carried({8, 20, 20, 20}, 1000));
    auto different = fated;
    CHECK(!std::is_sorted(different.begin(), different.end()));
    std::sort(different.begin(), different.end());
    different.erase(std::unique(different.begin(), different.end()), different.end());
    CHECK((different.size() > 750 && different.size() < 850));                               // lost
    CHECK((fated.size() - different.size() > 150 && fated.size() - different.size() < 250)); // repeated
    const auto clean = carried({7, 0, 0, 0}, 100);
    CHECK((clean.size() == 100 && std::is_sorted(clean.begin(), clean.end())));
}

TEST_CASE("pipe: messages come out once and in order, whatever happens to packets")
{
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        for (const pipe::PipeFaults& faults :
             {pipe::PipeFaults{seed, 30, 0, 0}, pipe::PipeFaults{seed, 0, 30, 0},
              pipe::PipeFaults{seed, 0, 0, 30}, pipe::PipeFaults{seed, 10, 10, 10},
              pipe::PipeFaults{seed, 30, 30, 30}}) {
            INFO("seed " << seed << ", lost " << faults.lost << ", repeated " << faults.repeated << ", late "
                         << faults.late);
            CHECK(cross(faults, 300).fault == "");
        }
}

TEST_CASE("pipe: nothing is sent again that was not lost")
{
    const Crossing clean = cross({0, 0, 0, 0}, 80);
    CHECK(clean.fault == "");
    CHECK((clean.bursts[0] == 10 && clean.bursts[1] == 10)); // of eight each
    CHECK(cross({0, 30, 0, 0}, 80).bursts[0] > 10);
}

TEST_CASE("pipe: every behaviour holds in a job that it joins")
{
    for (const std::string_view design :
         {"exp6,transport=pipe:1:30:30:30", "exp6,transport=pipe:2:30:0:0", "exp1,transport=pipe:3:30:30:30",
          "exp2,transport=pipe:4:30:30:30", "exp4,transport=pipe:5:30:30:30", "nx2,transport=pipe:6:30:30:30",
          "exp5,transport=pipe:7:30:30:30", "exp6,transfer=adaptive,transport=pipe:8:30:30:30",
          "exp6,transfer=broadcast-copy,location=user,transport=pipe:9:30:30:30"})
        testing::try_design(design);
}
