// SPDX-License-Identifier: MIT
// What a test program tells the runner (tools/test_all.py) while it runs: one JSON object a line, to the
// file
// descriptor that PARLEY_TEST_EVENTS names. Without a runner nobody listens, and nothing is written. From
// the
// tests' own thread only.
#pragma once

#include <unistd.h>

#include <cstdlib>
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

// The part of the running test that begins now: a leaf, a design. Named when the test crashes or takes too
// long.
inline void at(std::string_view part) { tell("at", part); }

} // namespace parley::testing
