// SPDX-License-Identifier: MIT
// The boot's steps, each in the file of its subject. main.cpp has the table.
#pragma once

#include "kernel/kernel.hpp"
#include "kernel/program/failure.hpp"

namespace parley::kernel {

// A step that fails ends the boot with its sentence.
using StepResult = Loaded<void>;

// Memory
StepResult find_machine(Kernel& kernel);
StepResult collect_frames(Kernel& kernel);
StepResult make_page_tables(Kernel& kernel);
// Processors
StepResult start_first_processor(Kernel& kernel);
StepResult start_other_processors(Kernel& kernel);
// Request
StepResult open_archive(Kernel& kernel);
StepResult read_request(Kernel& kernel);
// Clock
StepResult start_clock(Kernel& kernel);

// What another processor does once it is up.
[[noreturn]] void run_other_processor(Kernel& kernel, unsigned id);

// Called by the process that carries out the request: runs the jobs, reports, ends the run.
[[noreturn]] void run_request(Kernel& kernel);

} // namespace parley::kernel
