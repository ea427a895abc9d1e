// SPDX-License-Identifier: MIT
// Plays all orders of steps of what runs in nxrun's one process, where a step is what one event leads to.
#pragma once

#include "testing/catch.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace parley::native {

// Each play is made anew and played from the beginning; it has steps(), the steps that can be taken now, of
// which each takes the play one on. `check` looks at a play when no step is left, and answers "" or what is
// wrong; that fails the test, with the choices that led to it. Answers the number of plays.
template <class Play>
unsigned explore(const std::function<void(Play&)>& prepare, const std::function<std::string(Play&)>& check)
{
    std::vector<std::size_t> choices, widths;
    unsigned plays = 0;
    do {
        Play play;
        prepare(play);
        std::size_t at = 0;
        for (auto steps = play.steps(); !steps.empty(); steps = play.steps(), ++at) {
            if (at == choices.size()) {
                choices.push_back(0);
                widths.push_back(steps.size());
            }
            steps[choices[at]]();
        }
        ++plays;
        const std::string failure = check(play);
        if (!failure.empty()) {
            std::string order;
            for (const std::size_t choice : choices)
                order += std::to_string(choice) + " ";
            FAIL(failure << ", after the choices " << order);
        }
        while (!choices.empty() && ++choices.back() == widths[choices.size() - 1]) {
            choices.pop_back();
            widths.pop_back();
        }
    } while (!choices.empty());
    return plays;
}

} // namespace parley::native
