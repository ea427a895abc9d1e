// SPDX-License-Identifier: MIT
// In an accounting kernel: what a job's time went to. As kernel/accounting_points.hpp.
#pragma once

namespace parley::kernel {

struct Kernel;
class Job;

namespace accounting {

inline constexpr bool on = true;

void job_begins(Kernel& kernel, const Job& job);
void job_ended(Kernel& kernel, const Job& job);

} // namespace accounting

} // namespace parley::kernel
