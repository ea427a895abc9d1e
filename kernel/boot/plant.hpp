// SPDX-License-Identifier: MIT
// Planted lies: misbehaviour on request (configuration key `plant`), so that tests can see the runner find it
// out.
#pragma once

#include "kernel/kernel.hpp"

namespace parley::kernel {

void plant_before_jobs(Kernel& kernel);
// After the jobs, before the record that ends the run.
void plant_after_jobs(Kernel& kernel);
// After that record.
void plant_at_end(Kernel& kernel);
// In a process whose program ends, on its own processor.
void plant_at_exit(const Configuration& configuration);

} // namespace parley::kernel
