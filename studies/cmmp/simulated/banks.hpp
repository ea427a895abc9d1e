// SPDX-License-Identifier: MIT
// Memory banks, as a model: a bank serves one reference after the other, and a processor computes for some
// time between two references. What comes out is how much longer work takes when several processors refer to
// the same bank, by mean value analysis of that closed queue. Nothing here was measured.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace parley::simulated {

using Nanoseconds = std::uint64_t;

class Banks {
public:
    static constexpr unsigned none = ~0u; // of memory that nobody else refers to

    // No banks: nobody is in another's way.
    Banks() = default;
    // How long each serves a reference, and how long a processor computes between two; not zero.
    Banks(std::vector<Nanoseconds> cycles, Nanoseconds between)
        : cycles_(std::move(cycles)), between_(static_cast<double>(between))
    {
    }

    unsigned count() const { return static_cast<unsigned>(cycles_.size()); }

    // How many times longer work takes whose references go to that bank, beside others', than alone on a bank
    // of the fastest kind. `load`: processors that refer to it, itself among them; not whole where some do so
    // with a part of their references only.
    double pace(unsigned bank, double load) const
    {
        if (bank == none)
            return 1;
        const double whole = std::floor(std::max(load, 1.0));
        const double less = reference(bank, static_cast<unsigned>(whole));
        const double more = reference(bank, static_cast<unsigned>(whole) + 1);
        const auto fastest = static_cast<double>(*std::min_element(cycles_.begin(), cycles_.end()));
        return (less + (std::max(load, 1.0) - whole) * (more - less)) / (between_ + fastest);
    }

    // What an instrument at the first of so many processors would see, all of which refer to the same bank:
    // the times from request to completion. References are simulated one by one, with exponential times
    // between them; the same seed gives the same times.
    std::vector<Nanoseconds> reference_times(unsigned bank, unsigned processors, std::size_t samples,
                                             std::uint64_t seed) const
    {
        std::mt19937_64 random(seed);
        std::exponential_distribution<double> between(1 / between_);
        const auto cycle = static_cast<double>(cycles_[bank]);
        std::vector<double> requests(processors);
        for (double& request : requests)
            request = between(random);
        std::vector<Nanoseconds> times;
        for (double free = 0; times.size() < samples;) {
            const auto first = std::min_element(requests.begin(), requests.end());
            free = std::max(free, *first) + cycle;
            if (first == requests.begin())
                times.push_back(static_cast<Nanoseconds>(free - *first + 0.5));
            *first = free + between(random);
        }
        return times;
    }

private:
    // From one reference to the next, where so many processors refer to the bank.
    double reference(unsigned bank, unsigned processors) const
    {
        const auto cycle = static_cast<double>(cycles_[bank]);
        double waiting = 0, response = cycle; // of the processors, how many are at the bank
        for (unsigned others = 0; others < processors; ++others) {
            response = cycle * (1 + waiting);
            waiting = (others + 1) * response / (between_ + response);
        }
        return between_ + response;
    }

    std::vector<Nanoseconds> cycles_;
    double between_ = 0;
};

} // namespace parley::simulated
