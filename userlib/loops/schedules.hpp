// SPDX-License-Identifier: MIT
// How OpenMP's schedules are handed out. A distribution that PARLEY_LOOPS names is taken for all of them.
#pragma once

#include "userlib/loops/choice.hpp"

namespace parley::loops {

// Before any other call: looks up what they name.
void prepare_schedules();

// The schedules by which gcc calls entry points.
Chosen<DistributionKind> static_of(long chunk);
Chosen<DistributionKind> dynamic_of(long chunk);              // in the iterations' order
Chosen<DistributionKind> nonmonotonic_dynamic_of(long chunk); // in any order
Chosen<DistributionKind> guided_of(long chunk);
// Sections are taken one at a time, whatever is said of loops.
Chosen<DistributionKind> sections_of();

// omp_sched_t of omp.h, with the modifier `monotonic` in its highest bit. A chunk of 0 or less: the standard
// one.
Chosen<DistributionKind> runtime_of(int kind, long chunk);

} // namespace parley::loops
