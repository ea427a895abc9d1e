// SPDX-License-Identifier: MIT
#include "userlib/loops/surroundings/booted.hpp"

#include <sys/auxv.h>

namespace parley::loops {

namespace {

const parley_start* start() { return reinterpret_cast<const parley_start*>(getauxval(PARLEY_AT_START)); }

} // namespace

const parley_start* told_by_kernel()
{
    return start() != nullptr && start()->version == PARLEY_START_VERSION ? start() : nullptr;
}

// The kernel makes the variable of the job's key, which `make run` has in large letters.
const char* name_of_words() { return start() != nullptr ? "LOOPS" : "PARLEY_LOOPS"; }

} // namespace parley::loops
