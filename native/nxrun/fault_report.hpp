// SPDX-License-Identifier: MIT
// Describes the fault that has ended a rank in the words of the booted system.
#pragma once

#include "native/interface/native_job.h"
#include "native/nxrun/source_names.hpp"

#include <string>

namespace parley::native {

// "tried to write at 0x10, where it may not, in reach, bad.c:4 (at 0x401136)". A rank is a program like any
// other: what it says is repeated and not believed.
std::string describe_fault(const parley_native_fault& fault, SourceNames& names);
// The fault that a rank's request reports, described so; empty: the request reports none.
std::string fault_told(const parley_native_request& request, SourceNames& names);

} // namespace parley::native
