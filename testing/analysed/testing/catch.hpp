// SPDX-License-Identifier: MIT
// What stands for Catch2 where clang analyses locks (tools/checks/thread_safety.py): the analysis follows a
// test whose conditions are plain branches, and not what Catch2 makes of them. A section is run, and a
// condition that does not hold ends the test.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace Catch::Matchers {

struct Contains {
    template <class... Any>
    explicit Contains(const Any&...)
    {
    }
};
template <class Any>
struct UnorderedEquals {
    explicit UnorderedEquals(const Any&) { }
};

} // namespace Catch::Matchers

namespace parley::analysed {

template <class First, class... Others>
First first_of(First first, const Others&...)
{
    return first;
}

template <class Value>
Value range(Value first, Value)
{
    return first;
}

} // namespace parley::analysed

#define PARLEY_JOINED_AS_THEY_STAND(a, b) a##b
#define PARLEY_JOINED(a, b) PARLEY_JOINED_AS_THEY_STAND(a, b)
#define TEST_CASE(...) [[maybe_unused]] static void PARLEY_JOINED(test_case_, __LINE__)()
#define PARLEY_TYPED_CASE(name, first) \
    template <class TestType>          \
    static void name();                \
    template void name<first>();       \
    template <class TestType>          \
    void name()
#define TEMPLATE_TEST_CASE(text, tags, first, ...) \
    PARLEY_TYPED_CASE(PARLEY_JOINED(test_case_, __LINE__), first)
#define SECTION(...) if (true)
#define REQUIRE(...)        \
    do {                    \
        if (!(__VA_ARGS__)) \
            std::abort();   \
    } while (false)
#define REQUIRE_FALSE(...) \
    do {                   \
        if (__VA_ARGS__)   \
            std::abort();  \
    } while (false)
#define CHECK(...) REQUIRE(__VA_ARGS__)
#define CHECK_FALSE(...) REQUIRE_FALSE(__VA_ARGS__)
#define CHECK_THAT(value, ...) ((void)(value))
#define REQUIRE_THAT(value, ...) ((void)(value))
#define CHECK_THROWS(...)    \
    try {                    \
        (void)(__VA_ARGS__); \
    } catch (...) {          \
    }
#define CHECK_THROWS_AS(act, exception) CHECK_THROWS(act)
#define REQUIRE_THROWS_AS(act, exception) CHECK_THROWS(act)
#define INFO(...) ((void)(std::ostringstream() << __VA_ARGS__))
#define WARN(...) INFO(__VA_ARGS__)
#define FAIL(...)          \
    do {                   \
        INFO(__VA_ARGS__); \
        std::abort();      \
    } while (false)
#define GENERATE(...)                     \
    [&] {                                 \
        using namespace parley::analysed; \
        return first_of(__VA_ARGS__);     \
    }()
