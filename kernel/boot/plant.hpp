// SPDX-License-Identifier: MIT
// Planted lies: misbehaviour on request (configuration key `plant`), so that tests can see the runner find
// it out.
#pragma once

#include "kernel/kernel.hpp"

namespace parley::kernel {

void plant_before_jobs(Kernel& kernel);
// Called after the jobs, before the record that ends the run.
void plant_after_jobs(Kernel& kernel);
// Called after that record.
void plant_at_end(Kernel& kernel);
// Called by a process whose program ends.
void plant_at_exit(const Configuration& configuration);

} // namespace parley::kernel
