// SPDX-License-Identifier: MIT
// The ranks of a small job in a test: processes of Linux that run no program, whose lives are functions of
// the test.
#pragma once

#include "native/nxrun/options.hpp"
#include "native/nxrun/processes.hpp"
#include "native/nxrun/ranks.hpp"
#include "testing/catch.hpp"

#include <csignal>
#include <cstddef>
#include <functional>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

inline constexpr unsigned rank_scene_nodes = 2;

inline void tell_nxrun(int socket, unsigned method, unsigned number = 0)
{
    parley_native_request request{};
    request.method = method;
    request.number = number;
    (void)send(socket, &request, offsetof(parley_native_request, payload), MSG_NOSIGNAL);
}

// Forks ranks that live so.
struct FakeStarter final : RankStarter {
    std::function<void(const RankStart& rank)> life;
    std::string refusal; // a sentence: it starts none
    bool inputs[rank_scene_nodes] = {};
    unsigned resumed = 0;

    std::expected<pid_t, std::string> start(const RankStart& rank) override
    {
        inputs[rank.place.endpoint] = rank.reads_input;
        if (!refusal.empty())
            return std::unexpected(refusal);
        const pid_t test = getpid();
        const pid_t child = fork();
        if (child != 0)
            return child;
        lead_group(getpid());
        prctl(PR_SET_PDEATHSIG, SIGKILL); // whatever becomes of the test
        tell_nxrun(rank.socket, PARLEY_NATIVE_BEGUN);
        if (getppid() == test)
            life(rank);
        _exit(0);
    }
    void resume() override { ++resumed; }
};

struct RankScene : Ranks::Listener {
    Places places{{.nodes = rank_scene_nodes}, 0};
    SharedFile area{"test-job", PARLEY_NATIVE_JOB_BASE,
                    sizeof(parley_native_job) + rank_scene_nodes * sizeof(parley_native_place)};
    SharedFile arena{"test-arena", PARLEY_SHARED_BASE, 1 << 20};
    parley_native_place* shared = reinterpret_cast<parley_native_job*>(area.memory())->places;
    parley_library library{};
    TraceArea trace{0, 0};
    ProcessorShare processors{{0}, false, rank_scene_nodes};
    FakeStarter starter;
    RankOutput output;
    Departures departures{area, arena, library};
    Events events;
    SourceNames names;
    std::string log;
    Ranks ranks;

    explicit RankScene(bool tagged = false)
        : output(tagged, STDOUT_FILENO),
          ranks({places, shared, trace, processors, starter, output, departures, events, names, *this})
    {
        starter.life = [](const RankStart&) { pause(); };
    }
    ~RankScene()
    {
        ranks.end_all();
        while (ranks.alive() > 0)
            collect();
    }
    void asked(Place& place, const parley_native_request& request) override
    {
        log += std::to_string(place.endpoint) + " asks " + std::to_string(request.number) + "; ";
    }
    // Waits for the end of a rank.
    int collect(std::optional<std::string>* lost = nullptr)
    {
        int status = 0;
        rusage used{};
        const pid_t process = wait4(-1, &status, 0, &used);
        for (Place& place : places)
            if (place.process == process) {
                const auto sentence = ranks.ended(place, status, used, 1000);
                if (lost != nullptr)
                    *lost = sentence;
            }
        return status;
    }
    void await_begun(Place& place)
    {
        while (!place.begun)
            events.await([&](EventSource, unsigned endpoint) { ranks.serve(places[endpoint]); });
    }
};

} // namespace parley::native
