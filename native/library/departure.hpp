// SPDX-License-Identifier: MIT
// A rank that must end (native/interface/departure.h), as the message system's platform sees it.
#pragma once

#include "native/interface/departure.h"
#include "native/interface/native_job.h"

namespace parley::library {

// The place of the calling process. It is searched for at each call, since the library has no variables in
// which it could keep it.
const parley_native_place& own_place();

inline bool must_end(const parley_native_place& place)
{
    return __atomic_load_n(&place.must_end, __ATOMIC_RELAXED) != 0;
}

// As departure.h has it.
[[noreturn]] void unwind(void* frame, const parley_native_code* code, unsigned count);

} // namespace parley::library
