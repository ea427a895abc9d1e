// SPDX-License-Identifier: MIT
#include "native/nxrun/shared_job_memory.hpp"

#include "messaging/composition.hpp"
#include "messaging/memory/blocks.hpp"
#include "native/nxrun/fake_semaphores_test.hpp"
#include "testing/catch.hpp"

#include <string>

using namespace parley;
using namespace parley::native;

namespace {

DesignChoice design_of(const char* text)
{
    DesignChoice choice{{}, text, "", true};
    REQUIRE(messaging::parse_design(text, choice.design).empty());
    return choice;
}

struct Job {
    NxrunOptions options;
    Places places{{.nodes = 2, .pids = 2}, 1};
    DesignChoice design = design_of("exp3,location=user");
    ProcessorShare processors{{0, 1, 2}, false, 5};
    parley_library library{};
    RankSemaphores semaphores{{"spin:7", "spin", {7}}, 4, fake_library(library)};

    Job()
    {
        options.nodes = 2;
        options.pids = 2;
    }
    SharedJobMemory memory()
    {
        return {options, design, semaphores, places, processors, {1000, 77}, library};
    }
};

} // namespace

TEST_CASE("each place of a job finds who it is, what job it is of, and the message library")
{
    Job job;
    const SharedJobMemory memory = job.memory();
    CHECK(memory.job().version == PARLEY_NATIVE_VERSION);
    CHECK(memory.job().endpoints == job.places.size());
    CHECK(memory.job().semaphores != nullptr);
    for (const Place& place : job.places) {
        const parley_start& start = memory.place(place.endpoint).start;
        CHECK(start.version == PARLEY_START_VERSION);
        CHECK(start.endpoint == place.endpoint);
        CHECK(start.node == place.node);
        CHECK(start.pid == job.places.roster().pid_of(place.endpoint));
        CHECK((start.nodes == 2 && start.endpoints == job.places.size()));
        CHECK((start.processors == 3 && start.host == 0));
        CHECK((start.clock_hertz == 1000 && start.clock_start == 77));
        CHECK(start.location == PARLEY_IN_USER);
        CHECK(start.library_table == reinterpret_cast<unsigned long>(&job.library));
        CHECK(std::string(start.design) == job.design.text);
        CHECK(std::string(start.semaphore) == job.semaphores.text());
        CHECK(start.trace_base == 0);
    }
}

TEST_CASE("a budget is given in whole pages, and as much for blocks, which are as aligned as any may be")
{
    Job job;
    job.options.budget = page_bytes + 1;
    const SharedJobMemory memory = job.memory();
    const parley_start& start = memory.place(0).start;
    const std::size_t blocks = PARLEY_REGION_HEADER_BYTES + start.system_bytes;
    CHECK(start.shared_base == PARLEY_SHARED_BASE);
    CHECK((start.shared_base + blocks) % messaging::Blocks::max_alignment == 0);
    CHECK(start.shared_bytes == blocks + 2 * page_bytes);
    CHECK(start.system_bytes >= messaging::system_bytes(static_cast<unsigned>(job.places.size()),
                                                        2 * page_bytes,
                                                        {PARLEY_SHARED_BASE, 2 * page_bytes}));
    CHECK(memory.arena().bytes() >= start.shared_bytes);
    CHECK(memory.job().arena_bytes == memory.arena().bytes());
}

TEST_CASE("both parts of a job's memory lie where all its processes map them, and the trace behind all else")
{
    Job job;
    job.options.trace = "trace.json";
    job.options.trace_records = 100;
    const SharedJobMemory memory = job.memory();
    CHECK(reinterpret_cast<std::uintptr_t>(memory.area().memory()) == PARLEY_NATIVE_JOB_BASE);
    CHECK(reinterpret_cast<std::uintptr_t>(memory.arena().memory()) == PARLEY_SHARED_BASE);
    CHECK(memory.job().bytes == memory.area().bytes());
    const parley_start& start = memory.place(0).start;
    CHECK(start.trace_base == PARLEY_SHARED_BASE + start.shared_bytes);
    const std::size_t traced = start.trace_bytes * job.places.size();
    CHECK(start.trace_bytes >= 100 * sizeof(parley_trace_record));
    CHECK(start.shared_bytes + traced <= memory.arena().bytes());
}

TEST_CASE("ranks that share processors are told so, also when that is known only later")
{
    Job job;
    const bool are_crowded = GENERATE(false, true);
    if (!are_crowded)
        job.processors.share({3, 0});
    const SharedJobMemory memory = job.memory();
    const auto all_share = [&](unsigned sharers) {
        for (const Place& place : job.places) {
            const parley_start& start = memory.place(place.endpoint).start;
            CHECK(start.shares_processor == static_cast<int>(sharers));
            CHECK(start.pause == (sharers != 0 ? 1 : 0));
        }
    };
    all_share(job.processors.sharers());
    CHECK((job.processors.sharers() != 0) == are_crowded);
    memory.share_processors(7);
    all_share(7);
    memory.share_processors(0);
    all_share(0);
}
