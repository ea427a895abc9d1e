// SPDX-License-Identifier: MIT
#include "native/nxrun/departures.hpp"

#include "native/interface/library_port.h"
#include "native/nxrun/processes.hpp"

#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

namespace {

// As the kernel's (kernel/process/departure.cpp): of the rank's own processor time. Or it is seen to hold the
// signal back so many times, five a second.
constexpr double longest_seconds = 3;
constexpr unsigned most_looks = 15;

double processor_seconds(pid_t process)
{
    clockid_t clock{};
    timespec used{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

bool holds_back(pid_t process, int signal)
{
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("SigBlk:"))
            return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
    return false;
}

} // namespace

parley_native_place& Departures::shared(const Place& place) const
{
    return reinterpret_cast<parley_native_job*>(area_.memory())->places[place.endpoint];
}

void Departures::expect_none(const Place& place) const { shared(place).listens = shared(place).must_end = 0; }

void Departures::ask(Place& place, bool successor_receives) const
{
    if (place.end_request)
        return;
    parley_native_place& told = shared(place);
    told.successor_receives = successor_receives ? 1 : 0;
    __atomic_store_n(&told.must_end, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&told.listens, __ATOMIC_SEQ_CST) == 0) {
        kill(place.process, SIGKILL);
        return;
    }
    place.end_request = EndRequest{processor_seconds(place.process), 0};
    auto& head = *reinterpret_cast<parley_region_head*>(arena_.memory());
    __atomic_add_fetch(&head.departing, 1, __ATOMIC_RELAXED); // the signal orders it before its handler
    syscall(SYS_tgkill, place.process, place.process, PARLEY_NATIVE_DEPART);
}

std::optional<std::string> Departures::ended(Place& place, int status) const
{
    if (!place.end_request)
        return {};
    auto& head = *reinterpret_cast<parley_region_head*>(arena_.memory());
    __atomic_sub_fetch(&head.departing, 1, __ATOMIC_RELAXED);
    const bool harmless = WIFEXITED(status) || place.end_request->harmless;
    place.end_request.reset();
    if (harmless)
        return {};
    return "was to end and was ended by " + name_of_signal(status) +
           " before it had left the message library, so that others may wait for it for ever";
}

// Linux says of a stopped process where it would go on.
bool Departures::is_in_library(const Place& place) const
{
    std::ifstream file("/proc/" + std::to_string(place.process) + "/syscall");
    std::string words, word;
    while (file >> word)
        words = word; // the last is the address
    const parley_native_departure& code = parley_native_port_of(&library_)->departure;
    const auto at = std::strtoull(words.c_str(), nullptr, 16);
    return words.empty() || (at >= reinterpret_cast<std::uintptr_t>(code.code_start) &&
                             at < reinterpret_cast<std::uintptr_t>(code.code_end));
}

std::optional<std::string> Departures::look_after(Place& place) const
{
    EndRequest& end_request = *place.end_request;
    end_request.looks_held_back =
        holds_back(place.process, PARLEY_NATIVE_DEPART) ? end_request.looks_held_back + 1 : 0;
    const bool used_up = processor_seconds(place.process) - end_request.began > longest_seconds;
    if (!used_up && end_request.looks_held_back < most_looks)
        return {};
    if (!stop(place.process))
        return {}; // how, ended() says
    end_request.harmless = !is_in_library(place);
    kill(place.process, SIGKILL);
    if (end_request.harmless)
        return {};
    return used_up
               ? "was to end and has not left the user-level message library within 3 s of its time, so "
                 "that others may wait for it for ever"
               : "was to end and cannot be told so in the message library, for its program holds signal " +
                     std::to_string(PARLEY_NATIVE_DEPART) + " back, so that others may wait for it for ever";
}

} // namespace parley::native
