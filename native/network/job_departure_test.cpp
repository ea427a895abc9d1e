// SPDX-License-Identifier: MIT
// The message library of these tests is one function, in a section of its own so that its bounds are known.
#include "native/network/job_departure.hpp"

#include "native/interface/departure.h"
#include "testing/catch.hpp"

#include <pthread.h>

using namespace parley::native;

extern "C" const char __start_held_lock, __stop_held_lock;

namespace {

volatile bool is_free = false;
volatile bool waits = false;

// Waits for a lock whose holder is no more.
[[gnu::section("held_lock"), gnu::noinline]] void wait_for_lock()
{
    waits = true;
    while (!is_free) { }
}

void ask() { pthread_kill(pthread_self(), PARLEY_NATIVE_DEPART); }

struct Scene {
    Scene() { waits = false; }
    SignalledDeparture departure{&__start_held_lock, &__stop_held_lock};
};

} // namespace

TEST_CASE("work that nobody asks to depart is done")
{
    Scene scene;
    bool is_done = false;
    scene.departure.until_asked([&] { is_done = true; });
    CHECK(is_done);
    CHECK_FALSE(scene.departure.is_asked());
}

TEST_CASE("a departure asked for before there is work leaves none to do")
{
    Scene scene;
    ask();
    CHECK(scene.departure.is_asked());
    scene.departure.until_asked([] { FAIL("it works"); });
}

TEST_CASE("work that waits in the library is left there")
{
    Scene scene;
    const pthread_t helper = pthread_self();
    pthread_t nxrun;
    pthread_create(
        &nxrun, nullptr,
        [](void* to) -> void* {
            while (!waits) { }
            pthread_kill(*static_cast<const pthread_t*>(to), PARLEY_NATIVE_DEPART);
            return nullptr;
        },
        const_cast<pthread_t*>(&helper));
    scene.departure.until_asked(wait_for_lock);
    pthread_join(nxrun, nullptr);
    CHECK(scene.departure.is_asked());
}

TEST_CASE("work that is asked elsewhere goes on, and is left when it waits in the library afterwards")
{
    Scene scene;
    bool goes_on = false;
    scene.departure.until_asked([&] {
        ask();
        goes_on = scene.departure.is_asked();
        wait_for_lock();
    });
    CHECK(goes_on);
    CHECK(waits);
}

TEST_CASE("what is done after the work is left alone")
{
    Scene scene;
    scene.departure.until_asked([] { });
    ask();
    CHECK(scene.departure.is_asked());
}
