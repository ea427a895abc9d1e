// SPDX-License-Identifier: MIT
// cmmp [KEY=VALUE...]: the rootfinder over semaphores on a simulated machine; without words, one run for each
// line of standard input. Each run's answer is a line of JSON. Times are nanoseconds. Status 2: a word is
// wrong. What slowed C.mmp's processors down is there only where a word says so:
//   speeds=fast:8,slow:1 slowdown=155 stealing=off   processors of two speeds, percent
//   slice=500000000 allotment=10 request=150000000   time slices, so many before the scheduler is asked
//   interrupts=OWNER:ASKER every= isr=SHORTEST:LONGEST signal= interrupt-seed=   a device of one processor
//   banks=585,585,671 between=870 code=private|shared|0,0,1 words=2            memory banks (a model)
// `samples=1` tells each single time, `watch=FROM:TO` what each processor did then. `latencies=COUNT` tells
// as many times of references of one processor beside the others instead.
#include "studies/cmmp/simulated/job.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

extern "C" {
#include "studies/cmmp/apps/rootfinder/carrier.h"
}

namespace {

using namespace parley;
using simulated::Costs;
using simulated::Question;

struct StudyRun {
    Question question;
    bool primitives = false;
    simulated::Nanoseconds gap = 100'000'000;
    std::size_t latencies = 0;
    // Which banks there are is known when all words have been read.
    std::vector<simulated::Nanoseconds> cycles;
    simulated::Nanoseconds between = 870;
    std::string code, words;
    bool interrupts = false;
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
    {"v-each", &Costs::v_each, 0},
    {"wake-each", &Costs::wake_each, 0},
    {"wake", &Costs::wake, 0},
    {"policy-wake", &Costs::policy_wake, 0},
    {"communication", &Costs::communication, 0},
    {"scheduling", &Costs::scheduling, 0},
    {"search", &Costs::search, 0},
    {"rotation", &Costs::rotation, 0},
    {"turn", &Costs::turn, 1},
    {"find", &Costs::find, 0},
    {"find-each", &Costs::find_each, 0},
};

const struct {
    const char* name;
    simulated::Nanoseconds simulated::MessageCosts::* cost;
} message_costs[] = {
    {"send", &simulated::MessageCosts::send},
    {"receive", &simulated::MessageCosts::receive},
    {"message-turn", &simulated::MessageCosts::turn},
};

std::vector<std::string> parts(const std::string& text, char separator)
{
    std::vector<std::string> found;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        found.push_back(part);
    return found;
}

// "3:7", a first one and a second one that is not less.
std::pair<std::uint64_t, std::uint64_t> pair_of(const std::string& key, const std::string& text)
{
    const std::vector<std::string> both = parts(text, ':');
    if (both.size() != 2)
        refuse(key + " are two numbers, as 1:15, not '" + text + "'");
    return {number(key, both[0], 0, longest), number(key, both[1], 0, longest)};
}

void take_speeds(simulated::Hardware& hardware, const std::string& text)
{
    hardware.fast = hardware.slow = 0;
    for (const std::string& part : parts(text, ',')) {
        const std::size_t colon = part.find(':');
        const std::string speed = part.substr(0, colon);
        if (colon == std::string::npos || (speed != "fast" && speed != "slow"))
            refuse("speeds are fast and slow, as fast:8,slow:1, not '" + part + "'");
        (speed == "fast" ? hardware.fast : hardware.slow) =
            static_cast<unsigned>(number(speed, part.substr(colon + 1), 0, 64));
    }
    if (hardware.fast + hardware.slow == 0 || hardware.fast + hardware.slow > sched::ServerSet::capacity)
        refuse("there are 1 to " + std::to_string(sched::ServerSet::capacity) +
               " processors of both speeds together, not '" + text + "'");
}

unsigned bank_of(const StudyRun& request, const std::string& key, const std::string& text)
{
    if (request.cycles.empty())
        refuse(key + ": this machine has no banks; banks= says which");
    return static_cast<unsigned>(number(key + ": a bank", text, 0, request.cycles.size() - 1));
}

// Where each process's code and data lie.
std::vector<unsigned> code_of(const StudyRun& request)
{
    const unsigned processes = request.question.processes;
    std::vector<unsigned> banks;
    if (request.code == "private" || request.code == "shared") {
        (void)bank_of(request, "code", "0");
        for (unsigned process = 0; process < processes; ++process)
            banks.push_back(
                request.code == "shared" ? 0 : process % static_cast<unsigned>(request.cycles.size()));
        return banks;
    }
    for (const std::string& bank : parts(request.code, ','))
        banks.push_back(bank_of(request, "code", bank));
    if (banks.size() != processes)
        refuse("code is private, shared, or a bank for each of the " + std::to_string(processes) +
               " processes, not '" + request.code + "'");
    return banks;
}

// What the machine is made of: true where the key is of that kind.
bool take_hardware(StudyRun& request, const std::string& key, const std::string& value)
{
    simulated::Hardware& hardware = request.question.hardware;
    simulated::Traffic& traffic = request.question.traffic;
    if (key == "speeds")
        take_speeds(hardware, value);
    else if (key == "slowdown")
        hardware.slowdown = static_cast<double>(number(key, value, 100, 10'000)) / 100;
    else if (key == "stealing") {
        if (value != "on" && value != "off")
            refuse("stealing is on or off, not '" + value + "'");
        hardware.stealing = value == "on";
    } else if (key == "slice")
        hardware.slice = number(key, value, 0, longest);
    else if (key == "allotment")
        hardware.slices = static_cast<unsigned>(number(key, value, 1, 1'000'000));
    else if (key == "request")
        hardware.request = number(key, value, 0, longest);
    else if (key == "interrupts") {
        const auto [owner, asker] = pair_of(key, value);
        traffic.owner = static_cast<unsigned>(owner);
        traffic.asker = static_cast<unsigned>(asker);
        request.interrupts = true;
    } else if (key == "every")
        traffic.gap = number(key, value, 1, longest);
    else if (key == "isr") {
        std::tie(traffic.shortest, traffic.longest) = pair_of(key, value);
        if (traffic.shortest > traffic.longest)
            refuse("isr are a shortest and a longest time, as 1000000:15000000, not '" + value + "'");
    } else if (key == "signal")
        traffic.signal = number(key, value, 0, longest);
    else if (key == "interrupt-seed")
        traffic.seed = number(key, value, 0, longest);
    else if (key == "banks") {
        for (const std::string& cycle : parts(value, ','))
            request.cycles.push_back(number(key, cycle, 1, longest));
        if (request.cycles.empty() || request.cycles.size() > 64)
            refuse("banks are the cycles of 1 to 64 banks, as 585,585,671, not '" + value + "'");
    } else if (key == "between")
        request.between = number(key, value, 1, longest);
    else if (key == "code")
        request.code = value;
    else if (key == "words")
        request.words = value;
    else
        return false;
    return true;
}

// Words that only together make sense.
void settle(StudyRun& request)
{
    Question& question = request.question;
    const unsigned processors = question.hardware.fast + question.hardware.slow;
    if (!request.cycles.empty())
        question.hardware.banks = simulated::Banks(request.cycles, request.between);
    if (!request.code.empty())
        question.code = code_of(request);
    if (!request.words.empty())
        question.hardware.words = bank_of(request, "words", request.words);
    if (!request.interrupts) {
        question.traffic.gap = 0;
        return;
    }
    if (question.traffic.gap == 0)
        refuse("interrupts: every= says how long there is none on average");
    const unsigned least = processors != 0 ? processors : question.processes;
    if (question.traffic.owner >= least || question.traffic.asker >= least)
        refuse("interrupts: processors are 0 to " + std::to_string(least - 1));
}

length_kind kind_of(const std::string& text)
{
    for (unsigned kind = 0; kind < length_kinds; ++kind)
        if (text == length_name(static_cast<length_kind>(kind)))
            return static_cast<length_kind>(kind);
    refuse("lengths are authentic, constant, normal or exponential, not '" + text + "'");
}

bool carries_messages(const std::string& text)
{
    if (text == carrier_name(carried_by_semaphores) || text == carrier_name(carried_by_messages))
        return text == carrier_name(carried_by_messages);
    refuse("carry is semaphores or messages, not '" + text + "'");
}

void take(StudyRun& request, const std::string& key, const std::string& value)
{
    Question& question = request.question;
    const auto one =
        std::find_if(std::begin(costs), std::end(costs), [&](const auto& cost) { return key == cost.name; });
    const auto of_message = std::find_if(std::begin(message_costs), std::end(message_costs),
                                         [&](const auto& cost) { return key == cost.name; });
    if (one != std::end(costs))
        question.costs.*one->cost = number(key, value, one->least, longest);
    else if (of_message != std::end(message_costs))
        question.costs.message.*of_message->cost = number(key, value, 0, longest);
    else if (key == "synchronous")
        question.costs.message.synchronous = number(key, value, 0, 1) == 1;
    else if (key == "together")
        question.together = number(key, value, 0, 1) == 1;
    else if (key == "carry")
        question.by_messages = carries_messages(value);
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
    } else if (key == "samples")
        question.samples = number(key, value, 0, 1) == 1;
    else if (key == "watch")
        std::tie(question.watch_from, question.watch_to) = pair_of(key, value);
    else if (key == "latencies")
        request.latencies = number(key, value, 1, 1'000'000);
    else if (!take_hardware(request, key, value))
        refuse("there is no key '" + key + "'");
}

StudyRun read(const std::vector<std::string>& words)
{
    StudyRun request;
    (void)messaging::parse_semaphore(messaging::standard_semaphore, request.question.semaphore);
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos)
            refuse("a word is KEY=VALUE, not '" + word + "'");
        take(request, word.substr(0, equals), word.substr(equals + 1));
    }
    // Drawn lengths are in steps of the series; authentic ones are made once.
    request.question.lengths.mean = request.question.lengths.kind == length_authentic ? 1 : 20'000;
    settle(request);
    return request;
}

void tell_primitives(const StudyRun& request)
{
    const simulated::Primitives found = simulated::measure(request.question, request.gap);
    std::printf("{\"p\": %.0f, \"v\": %.0f, \"wake\": %.0f, \"service\": %.0f, \"stop\": %.0f}\n", found.p,
                found.v, found.wake, found.service, found.stop);
}

void tell(const std::vector<double>& values)
{
    const char* between = "";
    std::printf("[");
    for (const double value : values) {
        std::printf("%s%.0f", between, value);
        between = ", ";
    }
    std::printf("]");
}

void tell(const std::vector<simulated::Span>& spans)
{
    constexpr const char* names[] = {"nothing", "dispatch", "compute", "spin", "interrupt"};
    const char* between = "";
    std::printf(", \"spans\": [");
    for (const simulated::Span& span : spans) {
        std::printf("%s[%u, %u, \"%s\", %llu, %llu]", between, span.processor, span.program,
                    names[static_cast<unsigned>(span.doing)], static_cast<unsigned long long>(span.from),
                    static_cast<unsigned long long>(span.to));
        between = ", ";
    }
    std::printf("]");
}

// Of the first process's bank.
void tell_latencies(const StudyRun& request)
{
    const Question& question = request.question;
    if (question.code.empty())
        refuse("latencies: code= says where the processes' code lies");
    const auto beside = std::count(question.code.begin(), question.code.end(), question.code.front());
    const std::vector<simulated::Nanoseconds> times = question.hardware.banks.reference_times(
        question.code.front(), static_cast<unsigned>(beside), request.latencies, question.lengths.seed);
    std::printf("{\"latencies\": ");
    tell(std::vector<double>(times.begin(), times.end()));
    std::printf("}\n");
}

// False: its processes waited for ever.
bool tell_roots(const Question& question)
{
    const simulated::StageMeans answer = simulated::find_roots(question);
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
    std::printf("], \"steals\": %lu, \"requests\": %lu, \"interrupts\": %lu", answer.machine.steals,
                answer.machine.requests, answer.machine.interrupts);
    if (question.samples) {
        std::printf(", \"stage times\": ");
        tell(answer.stage_times);
        std::printf(", \"last\": ");
        tell(answer.last);
        std::printf(", \"evaluations\": [");
        between = "";
        for (const std::vector<double>& of_one : answer.evaluations) {
            std::printf("%s", between);
            tell(of_one);
            between = ", ";
        }
        std::printf("]");
    }
    if (question.watch_to != 0)
        tell(answer.spans);
    std::printf("}\n");
    return answer.ended;
}

bool answer(const std::vector<std::string>& words)
{
    const StudyRun request = read(words);
    if (request.latencies != 0)
        tell_latencies(request);
    else if (request.primitives)
        tell_primitives(request);
    else
        return tell_roots(request.question);
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
