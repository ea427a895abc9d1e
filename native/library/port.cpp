// SPDX-License-Identifier: MIT
#include "native/interface/library_port.h"
#include "native/library/departure.hpp"
#include "native/library/semaphores.hpp"

namespace parley::library {

extern "C" {
extern const char parley_code_start, parley_code_end; // by the linker script
extern const parley_native_port parley_library_port;
}

constinit const parley_native_port parley_library_port = {
    .departure = {.code_start = &parley_code_start, .code_end = &parley_code_end, .unwind = unwind},
    .semaphores = &semaphores,
};

} // namespace parley::library
