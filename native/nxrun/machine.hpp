// SPDX-License-Identifier: MIT
// What nxrun knows of this machine.
#pragma once

#include "interface/start_info.h"

#include <string>
#include <vector>

namespace parley::native {

// The numbers of those that this process may use.
std::vector<int> usable_processors();
// For the calling process.
void pin_to(int processor);

// The time-stamp counter, and its frequency, which is measured once.
unsigned long cycles();
unsigned long clock_hertz();

// Makes `program` a path that can be started: as it was given, or, since folders of another machine mean
// nothing here, by its last name beside the host's program. False: there is none.
bool find_program(std::string& program, const std::string& host);

// Whether Linux can tell by its first bytes how to start it.
bool is_executable(const std::string& program);

// In a child of nxrun: the life of a delivery process, which never comes back (interface/library.h).
[[noreturn]] void enter_helper(void (*deliver)(), const parley_start& start);

} // namespace parley::native
