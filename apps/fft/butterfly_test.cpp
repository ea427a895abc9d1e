// SPDX-License-Identifier: MIT
#include "testing/catch.hpp"

#include <cmath>
#include <vector>

extern "C" {
#include "apps/fft/butterfly.h"
#include "apps/fft/reference.h"
#include "apps/fft/signal.h"
}

namespace {

std::vector<point> transformed(signal_kind kind, long count)
{
    std::vector<point> points, turns(count / 2);
    for (long i = 0; i < count; i++)
        points.push_back(signal_at(kind, i, count));
    fft_fill_turns(turns.data(), 0, count / 2, count / 2);
    fft_stages(points.data(), count, turns.data(), count / 2);
    return points;
}

double distance(const std::vector<point>& one, const std::vector<point>& other)
{
    double worst = 0;
    for (std::size_t i = 0; i < one.size(); i++)
        worst =
            std::fmax(worst, std::hypot(one[i].real - other[i].real, one[i].imaginary - other[i].imaginary));
    return worst;
}

} // namespace

TEST_CASE("the stages give the spectrum in bit-reversed order")
{
    for (long count : {2, 8, 128, 1024}) {
        std::vector<point> right(count);
        reference_direct(right.data(), signal_noise, 0, 1, count);
        CHECK(distance(transformed(signal_noise, count), right) < 1e-11);
    }
}

TEST_CASE("the spectrum of the known signal is the written one")
{
    const long count = 4096;
    const std::vector<point> points = transformed(signal_known, count);
    for (long i = 0; i < count; i += 37) {
        const point right = signal_known_spectrum(reference_frequency(0, 1, i, count), count);
        CHECK(std::hypot(points[i].real - right.real, points[i].imaginary - right.imaginary) < 1e-10);
    }
}

TEST_CASE("the two references agree on every node's part")
{
    const long count = 512;
    for (long nodes : {1, 2, 8, 64}) {
        for (long node = 0; node < nodes; node++) {
            std::vector<point> direct(count / nodes), recursive(count / nodes);
            reference_direct(direct.data(), signal_noise, node, nodes, count);
            reference_recursive(recursive.data(), signal_noise, node, nodes, count);
            CHECK(distance(direct, recursive) < 1e-11);
        }
    }
}

TEST_CASE("a digest depends on value and position")
{
    const point value{1, 2};
    CHECK(signal_digest(value, 3) == signal_digest(value, 3));
    CHECK(signal_digest(value, 3) != signal_digest(value, 4));
    CHECK(signal_digest({2, 1}, 3) != signal_digest(value, 3));
    CHECK(fft_reverse(6, 4) == 6);
    CHECK(fft_reverse(1, 4) == 8);
}
