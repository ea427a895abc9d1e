// SPDX-License-Identifier: MIT
// `#pragma omp error at(execution)`: the program's own sentence, and its end where that is an error.
#include "userlib/loops/openmp/entries.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// A length of -1 says that the text ends with a zero. Without a text there is none.
void tell(const char* kind, const char* text, std::size_t length)
{
    if (text != nullptr && length == static_cast<std::size_t>(-1))
        length = std::strlen(text);
    const int shown = text == nullptr ? 0 : static_cast<int>(length);
    std::fprintf(stderr, "loops: the program's %s%s%.*s\n", kind, shown == 0 ? "" : ": ", shown, text);
}

} // namespace

extern "C" {

void GOMP_warning(const char* text, std::size_t length) { tell("warning", text, length); }
void GOMP_error(const char* text, std::size_t length)
{
    tell("error", text, length);
    std::exit(EXIT_FAILURE);
}

} // extern "C"
