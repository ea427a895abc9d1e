// SPDX-License-Identifier: MIT
// What most sources of tests and of programs for Linux read of the standard library. The compiler reads it
// once for each kind of them (Makefile); each source still names what it uses.
#pragma once

#include "base/standard_headers.hpp"

#include <chrono>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>
