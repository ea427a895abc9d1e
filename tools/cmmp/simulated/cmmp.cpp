// SPDX-License-Identifier: MIT
// cmmp [KEY=VALUE...]: the rootfinder over semaphores on a simulated machine; without words, one run for each
// line of standard input. Each run's answer is a line of JSON. Times are nanoseconds. Status 2: a word is
// wrong.
#include "tools/cmmp/simulated/job.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

extern "C" {
#include "apps/rootfinder/interval.h"
}

namespace {

using namespace parley;
using simulated::Costs;
using simulated::Question;

struct Request {
    Question question;
    bool primitives = false;
    simulated::Nanoseconds gap = 100'000'000;
};

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

std::uint64_t number(const std::string& key, const std::string& text, std::uint64_t least, std::uint64_t most)
{
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || value < least || value > most)
        refuse(key + " is a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
               ", not '" + text + "'");
    return value;
}

constexpr std::uint64_t longest = 1'000'000'000'000; // of a time

const struct {
    const char* name;
    simulated::Nanoseconds Costs::* cost;
    std::uint64_t least;
} costs[] = {
    {"p", &Costs::p, 0},
    {"v", &Costs::v, 0},
    {"wake", &Costs::wake, 0},
    {"policy-wake", &Costs::policy_wake, 0},
    {"communication", &Costs::communication, 0},
    {"scheduling", &Costs::scheduling, 0},
    {"rotation", &Costs::rotation, 0},
    {"turn", &Costs::turn, 1},
    {"find", &Costs::find, 0},
    {"find-each", &Costs::find_each, 0},
};

length_kind kind_of(const std::string& text)
{
    for (unsigned kind = 0; kind < length_kinds; ++kind)
        if (text == length_name(static_cast<length_kind>(kind)))
            return static_cast<length_kind>(kind);
    refuse("lengths are authentic, constant, normal or exponential, not '" + text + "'");
}

void take(Request& request, const std::string& key, const std::string& value)
{
    Question& question = request.question;
    const auto one =
        std::find_if(std::begin(costs), std::end(costs), [&](const auto& cost) { return key == cost.name; });
    if (one != std::end(costs))
        question.costs.*one->cost = number(key, value, one->least, longest);
    else if (key == "semaphore") {
        const messaging::FixedString problem = messaging::parse_semaphore(value, question.semaphore);
        if (!problem.empty())
            refuse(std::string(problem.text()));
    } else if (key == "lengths")
        question.lengths.kind = kind_of(value);
    else if (key == "processes")
        question.processes = static_cast<unsigned>(number(key, value, 1, most_processes));
    else if (key == "roots")
        question.roots = static_cast<long>(number(key, value, 1, root_count));
    else if (key == "seed")
        question.lengths.seed = number(key, value, 0, ~std::uint64_t{0} >> 1);
    else if (key == "mean")
        question.mean = static_cast<double>(number(key, value, 1, longest));
    else if (key == "deviation")
        question.lengths.deviation = static_cast<long>(number(key, value, 0, 1000));
    else if (key == "disks")
        question.disks = static_cast<unsigned>(number(key, value, 1, 64));
    else if (key == "pages")
        question.pages = static_cast<unsigned>(number(key, value, 1, 64));
    else if (key == "gap") {
        request.gap = number(key, value, 0, longest);
        request.primitives = true;
    } else
        refuse("there is no key '" + key + "'");
}

Request read(const std::vector<std::string>& words)
{
    Request request;
    (void)messaging::parse_semaphore(messaging::standard_semaphore, request.question.semaphore);
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos)
            refuse("a word is KEY=VALUE, not '" + word + "'");
        take(request, word.substr(0, equals), word.substr(equals + 1));
    }
    // Drawn lengths are in steps of the series; authentic ones are made once.
    request.question.lengths.mean = request.question.lengths.kind == length_authentic ? 1 : 20'000;
    return request;
}

void tell_primitives(const Request& request)
{
    const simulated::Primitives found = simulated::measure(request.question, request.gap);
    std::printf("{\"p\": %.0f, \"v\": %.0f, \"wake\": %.0f, \"service\": %.0f}\n", found.p, found.v,
                found.wake, found.service);
}

// False: its processes waited for ever.
bool tell_roots(const Question& question)
{
    const simulated::Answer answer = simulated::find_roots(question);
    const parley_semaphore_counts& counts = answer.counts;
    std::printf("{\"elapsed\": %llu, \"stages\": %ld, \"wrong\": %ld, \"evaluation\": %.3f, "
                "\"deviation\": %.3f, \"largest\": %.3f, \"find\": %.3f, \"wake others\": %.3f, "
                "\"calls\": %lu, \"waits\": %lu, \"wakes\": %lu, \"policy requests\": %lu, "
                "\"page writes\": %lu, \"page reads\": %lu, \"in time\": %lu, \"policy share\": %.6f, "
                "\"woken after\": [",
                static_cast<unsigned long long>(answer.elapsed), answer.stages, answer.wrong,
                answer.evaluation, answer.deviation, answer.largest, answer.find, answer.wake_others,
                counts.calls, counts.waits, counts.wakes, counts.policy_runs, counts.page_writes,
                counts.page_reads, counts.in_time, answer.policy_share);
    const char* between = "";
    for (const double after : answer.woken_after) {
        std::printf("%s%.3f", between, after);
        between = ", ";
    }
    std::printf("]}\n");
    return answer.ended;
}

bool answer(const std::vector<std::string>& words)
{
    const Request request = read(words);
    if (!request.primitives)
        return tell_roots(request.question);
    tell_primitives(request);
    return true;
}

bool answer_lines()
{
    bool good = true;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream stream(line);
        std::vector<std::string> words;
        for (std::string word; stream >> word;)
            words.push_back(word);
        good = answer(words) && good;
    }
    return good;
}

} // namespace

int main(int count, char** arguments)
{
    try {
        const bool good =
            count > 1 ? answer(std::vector<std::string>(arguments + 1, arguments + count)) : answer_lines();
        if (!good)
            std::fputs("cmmp: processes wait for ever, and nobody will wake them\n", stderr);
        return good ? 0 : 1;
    } catch (const std::invalid_argument& problem) {
        std::fprintf(stderr, "cmmp: %s\n", problem.what());
        return 2;
    }
}
