// SPDX-License-Identifier: MIT
// Asks this machine and its Linux what nxrun needs to know.
#pragma once

#include <string>
#include <vector>

namespace parley::native {

// The numbers of the processors that this process may use.
std::vector<int> usable_processors();
// Pins the calling process.
void pin_to(int processor);

// The time-stamp counter, and its frequency, which is measured once.
unsigned long cycles();
unsigned long clock_hertz();

// Makes `program` a path that can be started: as it was given, or its last name beside the host's program,
// since folders of another machine mean nothing here. False: there is no such program.
bool find_program(std::string& program, const std::string& host);

// Whether Linux can tell by the file's first bytes how to start the program.
bool is_executable(const std::string& program);

} // namespace parley::native
