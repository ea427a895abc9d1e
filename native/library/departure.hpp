// SPDX-License-Identifier: MIT
// A rank that must end (native/interface/departure.h), as the message system's platform sees it.
#pragma once

#include "native/interface/native_job.h"

namespace parley::library {

// The calling process's own. Looked for, since the library has nothing to write in which to keep it.
const parley_native_place& own_place();

inline bool must_end(const parley_native_place& place)
{
    return __atomic_load_n(&place.must_end, __ATOMIC_RELAXED) != 0;
}

} // namespace parley::library
