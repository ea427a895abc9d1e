// SPDX-License-Identifier: MIT
// What a test program tells the runner (testing/test_all.py) while it runs: one JSON object a line, to the
// file descriptor that PARLEY_TEST_EVENTS names. Without a runner nobody listens, and nothing is written.
// Only the tests' own thread calls this. A program that crashes says itself what it was at.
#pragma once

#include <cstddef>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

namespace parley::testing {

inline std::string quoted(std::string_view text)
{
    std::string result = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\')
            result += '\\';
        result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
    return result + '"';
}

inline void tell(std::string_view event, std::string_view name, std::string_view more = "")
{
    static const char* const events = std::getenv("PARLEY_TEST_EVENTS");
    if (events == nullptr)
        return;
    const std::string line =
        "{\"event\": " + quoted(event) + ", \"name\": " + quoted(name) + std::string(more) + "}\n";
    (void)!write(std::atoi(events), line.data(), line.size());
}

// The running test and its part, for a handler of signals to read.
inline char current_test[200], current_part[200];

inline void keep(char (&place)[200], std::string_view text)
{
    const std::size_t length = text.size() < sizeof place ? text.size() : sizeof place - 1;
    std::memcpy(place, text.data(), length);
    place[length] = 0;
}

// The part of the running test that begins now: a leaf, a design. Named when the test crashes or takes too
// long.
inline void at(std::string_view part)
{
    keep(current_part, part);
    tell("at", part);
}

inline void begin_test(std::string_view name)
{
    keep(current_test, name);
    keep(current_part, "");
    tell("start", name);
}

inline void write_error(const char* text) { (void)!write(STDERR_FILENO, text, std::strlen(text)); }

// Says where a crash was; whoever was asked before, a sanitizer or the system, does the rest.
inline void name_crashes()
{
    static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static struct sigaction before[std::size(signals)];
    const auto handler = [](int signal) {
        write_error("\nSIG");
        write_error(sigabbrev_np(signal));
        write_error(current_part[0] == 0 ? "" : " at ");
        write_error(current_part);
        write_error(", in: ");
        write_error(current_test);
        write_error("\n");
        for (std::size_t index = 0; index < std::size(signals); ++index)
            if (signals[index] == signal)
                (void)sigaction(signal, &before[index], nullptr);
        (void)raise(signal); // comes when the handler is over
    };
    struct sigaction action{};
    action.sa_handler = handler;
    for (std::size_t index = 0; index < std::size(signals); ++index)
        (void)sigaction(signals[index], &action, &before[index]);
}

} // namespace parley::testing
