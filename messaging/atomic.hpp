// SPDX-License-Identifier: MIT
// The atomic type, for files that found it here: include kernel/base/atomic.hpp instead.
#pragma once

#include "kernel/base/atomic.hpp"
