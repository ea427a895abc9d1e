// SPDX-License-Identifier: MIT
// What most sources of the kernel and of the message library read of the standard library. The compiler reads
// it once for each kind of them (Makefile); each source still names what it uses.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
