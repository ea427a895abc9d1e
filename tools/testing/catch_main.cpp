// SPDX-License-Identifier: MIT
// Catch2's own main program; compiled once, because version 2 takes long for it.
#define CATCH_CONFIG_MAIN
#if __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#include <catch2/catch_session.hpp>
int main(int count, char** words) { return Catch::Session().run(count, words); }
#endif
