// SPDX-License-Identifier: MIT
#include "native/nxrun/arena_messages.hpp"

#include "base/result.hpp"
#include "native/nxrun/fake_semaphores_test.hpp"
#include "testing/catch.hpp"

#include <new>
#include <string>
#include <unistd.h>

using namespace parley;
using namespace parley::native;

namespace {

// A message library that writes down what it is called for.
std::string calls;
const parley_start* entered = nullptr;
bool has_room = true;
long refused_endpoint = -1;

parley_process* own_process() { return reinterpret_cast<parley_process*>(std::uintptr_t{64}); }

long answer_for(long endpoint)
{
    return endpoint == refused_endpoint ? -static_cast<long>(Error::pid_in_use) : 0L;
}

void note(const char* what, parley_process* self, std::initializer_list<long> words)
{
    CHECK(self == own_process());
    calls += std::string(calls.empty() ? "" : "; ") + what;
    for (const long word : words)
        calls += " " + std::to_string(word);
}

constexpr parley_library library{
    .version = PARLEY_LIBRARY_VERSION,
    .attach =
        [](const parley_start* start) {
            entered = start;
            return has_room ? own_process() : nullptr;
        },
    .calls = nullptr,
    .reopen = [](parley_process* self, long endpoint,
                 long pid) { return note("reopen", self, {endpoint, pid}), answer_for(endpoint); },
    .reset = [](parley_process* self, long nodes, long node, long pid,
                long keep) { return note("reset", self, {nodes, node, pid, keep}), 0L; },
    .set_pid = [](parley_process* self, long endpoint,
                  long pid) { return note("set_pid", self, {endpoint, pid}), answer_for(endpoint); },
    .close = nullptr,
    .deliver = nullptr,
    .leave = nullptr,
    .port = &fake_port,
};

struct Job {
    NxrunOptions options;
    Places places{{.nodes = 3}, 0};
    DesignChoice design{{}, "exp6", "", true};
    RankSemaphores semaphores{{"kernel", "kernel", {}}, 3, library};
    SharedJobMemory memory{options, design, semaphores, places, {{0}, false, 3}, {1000, 0}, library};
    SourceNames names;
    WaitWatch waits{places, 0, memory.arena(), semaphores, names};
    ArenaMessages messages{waits, memory, library, 3};

    Job()
    {
        calls.clear();
        has_room = true;
        refused_endpoint = -1;
        for (unsigned endpoint = 0; endpoint < places.size(); ++endpoint)
            new (&record(endpoint)) messaging::WaitRecord;
    }
    messaging::WaitRecord& record(unsigned endpoint) const
    {
        std::byte* const first = memory.arena().memory() + PARLEY_REGION_HEADER_BYTES;
        return reinterpret_cast<messaging::WaitRecord*>(first)[endpoint];
    }
};

} // namespace

TEST_CASE("nxrun enters the message system in the place that it has, and a system without room is refused")
{
    Job job;
    job.messages.enter(2);
    CHECK(entered == &job.memory.place(2).start);
    has_room = false;
    try {
        job.messages.enter(2);
        FAIL("it has entered");
    } catch (const BadRequest& refused) {
        CHECK(refused.sentence.find("--budget") != std::string::npos);
    }
}

TEST_CASE("what ranks of other machines have asked for is changed here, once for each place")
{
    Job job;
    job.messages.enter(0);
    CHECK(job.messages.change({.kind = Packet::Kind::place, .endpoint = 1, .words = {7, 2}}));
    CHECK(calls == "reopen 1 7; reopen 2 7");
    calls.clear();
    CHECK(job.messages.change({.kind = Packet::Kind::set_pid, .endpoint = 1, .words = {9}}));
    CHECK(calls == "set_pid 1 9");
    calls.clear();
    CHECK(job.messages.change({.kind = Packet::Kind::reset, .words = {2, -1, 1}}));
    CHECK(calls == "reset 3 2 -1 1");
}

TEST_CASE("a pid that the message system refuses is told, and no place after it is changed")
{
    Job job;
    job.messages.enter(0);
    refused_endpoint = 1;
    CHECK(job.messages.change({.kind = Packet::Kind::place, .endpoint = 0, .words = {7, 3}}).error() ==
          Error::pid_in_use);
    CHECK(calls == "reopen 0 7; reopen 1 7");
    CHECK(job.messages.change({.kind = Packet::Kind::set_pid, .endpoint = 1, .words = {9}}).error() ==
          Error::pid_in_use);
}

TEST_CASE("a look at the message system says whether all wait, and what has crossed")
{
    Job job;
    job.memory.job().traffic = {.sent = 5, .received = 3, .begun = 0, .ended = 0};
    for (const unsigned endpoint : {0u, 1u})
        job.places[endpoint].process = getpid();
    job.record(0).begin({messaging::WaitReason::message, 1, 0, -1}, 0, false);
    const jobs::MachineState one = job.messages.look();
    CHECK_FALSE(one.all_wait);
    CHECK(one.somebody_waits);
    CHECK((one.sent == 5 && one.received == 3));
    CHECK(job.messages.look() == one);
    job.record(1).begin({messaging::WaitReason::message, 1, 0, -1}, 0, false);
    const jobs::MachineState both = job.messages.look();
    CHECK(both.all_wait);
    job.record(0).end();
    job.record(0).begin({messaging::WaitReason::message, 1, 0, -1}, 0, false);
    CHECK(job.messages.look().all_wait);
    CHECK(job.messages.look().epochs != both.epochs); // one has gone on between the looks
    CHECK((both.begun == 0 && !both.gathers));
    job.memory.job().traffic.begun = 1;
    CHECK((job.messages.look().begun == 1 && job.messages.look().gathers));
    job.memory.job().traffic.ended = 1;
    CHECK_FALSE(job.messages.look().gathers);
}
