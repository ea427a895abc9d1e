// SPDX-License-Identifier: MIT
// The native copy routine in a booted message library, so that a ring on a modelled machine copies as the
// native ring beside it does (make validate-machine). There is no nxrun and no job area here: which moves
// the processors have is said in this file, since the emulated ones keep no wider registers than these.
#include "native/interface/native_job.h"

namespace {

constexpr parley_native_job booted_job = [] {
    parley_native_job job{};
    job.widest_move = 16;
    return job;
}();

} // namespace

#undef PARLEY_NATIVE_JOB_BASE
#define PARLEY_NATIVE_JOB_BASE (&booted_job)
#include "native/library/copy.cpp" // the routine itself, over that job

// What the booted library calls; nothing that it copies here can fault.
extern "C" unsigned long parley_copy(void* to, const void* from, unsigned long bytes)
{
    parley::platform::copy(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
    return 0;
}
