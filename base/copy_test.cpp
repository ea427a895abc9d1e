// SPDX-License-Identifier: MIT
#include "base/copy.hpp"

#include "testing/catch.hpp"

#include <algorithm>
#include <vector>

using namespace parley;

namespace {

std::vector<std::byte> numbered(std::size_t bytes)
{
    std::vector<std::byte> all(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        all[i] = static_cast<std::byte>(i * 7 + i / 251);
    return all;
}

} // namespace

TEST_CASE("a copy takes exactly the bytes, of any number and alignment")
{
    for (std::size_t bytes = 0; bytes < 200; ++bytes) {
        for (std::size_t shift = 0; shift < 9; ++shift) {
            const auto from = numbered(300);
            std::vector<std::byte> to(300), wanted(300);
            std::copy_n(from.begin() + 3, bytes, wanted.begin() + static_cast<std::ptrdiff_t>(shift));
            copy_bytes(to.data() + shift, from.data() + 3, bytes);
            REQUIRE(to == wanted);
        }
    }
}

TEST_CASE("ranges that overlap are moved whole, up and down")
{
    for (std::size_t bytes = 0; bytes < 200; ++bytes) {
        for (const std::size_t from : {0, 1, 7, 8, 24, 64}) {
            for (const std::size_t to : {0, 1, 8, 23, 24, 90}) {
                auto moved = numbered(300), wanted = moved;
                const auto all = numbered(300);
                std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(from), bytes,
                            wanted.begin() + static_cast<std::ptrdiff_t>(to));
                move_bytes(moved.data() + to, moved.data() + from, bytes);
                REQUIRE(moved == wanted);
            }
        }
    }
}
