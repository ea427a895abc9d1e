// SPDX-License-Identifier: MIT
// How OpenMP's schedules are handed out. A distribution that PARLEY_LOOPS names is taken for all of them.
#pragma once

#include "userlib/loops/choice.hpp"

namespace parley::loops {

// Looks up the distributions that schedules name. Called before all others.
void prepare_schedules();

// The wanted distribution where it promises each thread its iterations in their order; else the one that
// hands out `chunk` iterations at a time from a global index, which does.
Chosen<DistributionKind> in_order(const Chosen<DistributionKind>& wanted, long chunk);

// The schedules by which gcc calls entry points. The first three are in_order().
Chosen<DistributionKind> static_of(long chunk);
Chosen<DistributionKind> dynamic_of(long chunk);
Chosen<DistributionKind> guided_of(long chunk);
Chosen<DistributionKind> nonmonotonic_dynamic_of(long chunk);
Chosen<DistributionKind> nonmonotonic_guided_of(long chunk);
// Sections are taken one at a time, whatever is said of loops.
Chosen<DistributionKind> sections_of();

// `kind`: omp_sched_t of omp.h, with the modifier `monotonic` in its highest bit, which asks for in_order().
// `chunk`: 0 or less stands for the standard one.
Chosen<DistributionKind> runtime_of(int kind, long chunk);

} // namespace parley::loops
