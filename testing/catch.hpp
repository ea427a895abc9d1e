// SPDX-License-Identifier: MIT
// Catch2 of version 2 or 3, whichever is installed; tests include this header only.
#pragma once

#if __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#include <catch2/catch_all.hpp>
#endif
