// SPDX-License-Identifier: MIT
// Which ends of jobs machines hear of, whoever is behind.
#include "kernel/network/job_end_notices.hpp"
#include "testing/catch.hpp"

#include <string>

using namespace parley::kernel;

namespace {

// Tells what it can in one go, as "job 3: 2", to another machine's JobEndNotices. `room`: for so many ends.
std::string told(JobEndNotices& from, unsigned machine, JobEndNotices& to, unsigned room = 99)
{
    std::string all;
    from.tell(machine, [&](const PacketOfJob& packet) {
        if (room == 0)
            return false;
        --room;
        to.hear(0, packet);
        all += (all.empty() ? "job " : ", job ") + std::to_string(packet.job) + ": " +
               std::to_string(packet.end);
        return true;
    });
    return all;
}

} // namespace

TEST_CASE("each other machine is told once how a job has ended")
{
    JobEndNotices here, other;
    unsigned machine = 9;
    CHECK(other.heard(3, machine) == 0);
    here.ended_here(3, 2);
    CHECK(told(here, 1, other) == "job 3: 2");
    CHECK(told(here, 1, other).empty());
    CHECK(told(here, 2, other) == "job 3: 2");
    CHECK(other.heard(3, machine) == 2);
    CHECK(machine == 0);
    CHECK(other.heard(2, machine) == 0);
}

TEST_CASE("a machine that is jobs behind hears how each has ended, not the last alone")
{
    JobEndNotices here, behind;
    here.ended_here(0, 5);
    CHECK(told(here, 1, behind) == "job 0: 5");
    here.ended_here(1, 7);
    CHECK(told(here, 1, behind) == "job 1: 7");
    unsigned machine = 9;
    CHECK(behind.heard(0, machine) == 5);
    CHECK(behind.heard(1, machine) == 7);
}

TEST_CASE("ends for which there was no room are all told later, in the order of their jobs")
{
    JobEndNotices here, other;
    here.ended_here(0, 5);
    here.ended_here(1, 7);
    CHECK(told(here, 1, other, 0).empty());
    CHECK(told(here, 1, other, 1) == "job 0: 5");
    CHECK(told(here, 1, other) == "job 1: 7");
}

TEST_CASE("an end of a job that no boot has is for nobody")
{
    JobEndNotices ends;
    ends.hear(1, {.job = PARLEY_MAX_JOBS, .end = 3});
    unsigned machine = 9;
    for (unsigned job = 0; job < PARLEY_MAX_JOBS; ++job)
        CHECK(ends.heard(job, machine) == 0);
}
