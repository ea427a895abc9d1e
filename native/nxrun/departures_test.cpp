// SPDX-License-Identifier: MIT
// Ranks that are asked to end, and do or do not: each is a process of the test. The message library lies
// where a test says.
#include "native/nxrun/departures.hpp"

#include "native/interface/library_port.h"
#include "native/interface/native_job.h"
#include "testing/catch.hpp"

#include <csignal>
#include <functional>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace parley::native;

namespace {

struct Scene {
    Scene()
    {
        library.port = &port;
        place.endpoint = 1;
        departures.expect_none(place);
        sigemptyset(&told);
        sigaddset(&told, PARLEY_NATIVE_DEPART);
        sigprocmask(SIG_BLOCK, &told, nullptr); // ranks are born so, and wait for it if they want
    }
    ~Scene()
    {
        if (place.process > 0) {
            kill(place.process, SIGKILL);
            collect();
        }
        sigprocmask(SIG_UNBLOCK, &told, nullptr);
    }

    void start(const std::function<void()>& life)
    {
        place.process = fork();
        if (place.process != 0)
            return;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        life();
        _exit(0);
    }
    // A rank that takes the signal as the message library does.
    void start_listening(int status)
    {
        shared.listens = 1;
        start([this, status] {
            int number = 0;
            sigwait(&told, &number);
            _exit(status);
        });
    }
    int collect()
    {
        int status = 0;
        waitpid(place.process, &status, 0);
        place.process = 0;
        return status;
    }
    // Looks, as often as it takes to find that the rank holds the signal back.
    std::optional<std::string> look_often()
    {
        std::optional<std::string> lost;
        for (unsigned looks = 0; looks < 15 && !lost; ++looks)
            lost = departures.look_after(place);
        return lost;
    }
    unsigned departing() const
    {
        return reinterpret_cast<const parley_region_head*>(arena.memory())->departing;
    }

    SharedFile area{"test-job", PARLEY_NATIVE_JOB_BASE,
                    sizeof(parley_native_job) + 2 * sizeof(parley_native_place)};
    SharedFile arena{"test-arena", PARLEY_SHARED_BASE, 1 << 20};
    parley_native_port port{};
    parley_library library{};
    Departures departures{area, arena, library};
    Place place;
    parley_native_place& shared = reinterpret_cast<parley_native_job*>(area.memory())->places[1];
    sigset_t told;
};

} // namespace

TEST_CASE("a rank that does not listen is ended at once, and nothing is lost by that")
{
    Scene scene;
    scene.start([] { pause(); });
    scene.departures.ask(scene.place, false);
    CHECK(scene.shared.must_end == 1);
    CHECK(scene.shared.successor_receives == 0);
    CHECK(scene.departing() == 0);
    const int status = scene.collect();
    CHECK(WTERMSIG(status) == SIGKILL);
    CHECK_FALSE(scene.departures.ended(scene.place, status));
}

TEST_CASE("a rank that listens is told, once, and counts as departing until it has ended")
{
    Scene scene;
    scene.start_listening(5);
    scene.departures.ask(scene.place, true);
    scene.departures.ask(scene.place, false); // it has been asked
    CHECK(scene.shared.successor_receives == 1);
    CHECK(scene.departing() == 1);
    const int status = scene.collect();
    CHECK(WEXITSTATUS(status) == 5);
    CHECK_FALSE(scene.departures.ended(scene.place, status));
    CHECK(scene.departing() == 0);
    CHECK_FALSE(scene.place.end_request);
}

TEST_CASE("a rank that a signal ends before it has left may be waited for by others")
{
    Scene scene;
    scene.start_listening(0);
    scene.place.end_request = EndRequest{};
    const std::optional<std::string> lost = scene.departures.ended(scene.place, SIGSEGV);
    REQUIRE(lost);
    CHECK(*lost ==
          "was to end and was ended by signal 11 (Segmentation fault) before it had left the message "
          "library, so that others may wait for it for ever");
}

TEST_CASE("a rank that holds the signal back is ended, which is told only if it was in the library")
{
    Scene scene;
    const bool is_in_library = GENERATE(false, true);
    if (is_in_library)
        scene.port.departure.code_end =
            reinterpret_cast<const char*>(~std::uintptr_t{0}); // all that there is
    scene.shared.listens = 1;
    scene.start([] {
        for (;;)
            pause();
    });
    scene.departures.ask(scene.place, false);
    CHECK_FALSE(scene.departures.look_after(scene.place)); // it may still leave
    const std::optional<std::string> lost = scene.look_often();
    CHECK(lost.has_value() == is_in_library);
    if (lost)
        CHECK(lost->starts_with("was to end and cannot be told so in the message library"));
    const int status = scene.collect();
    CHECK(WTERMSIG(status) == SIGKILL);
    CHECK(scene.departures.ended(scene.place, status).has_value() == is_in_library);
}
