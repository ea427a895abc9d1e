// SPDX-License-Identifier: MIT
#include "testing/catch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

extern "C" {
#include "studies/cmmp/apps/harpy/options.h"
#include "studies/cmmp/apps/harpy/search.h"
#include "studies/cmmp/apps/harpy/synthetic.h"
#include "studies/cmmp/apps/harpy/task.h"
}

namespace {

// Semaphores that count to 1, as spin's do: a V too many would be undefined, so it is counted.
std::array<std::counting_semaphore<1000>, most_processes>& semaphores()
{
    static std::array<std::counting_semaphore<1000>, most_processes> all{
        std::counting_semaphore<1000>{0}, std::counting_semaphore<1000>{0}, std::counting_semaphore<1000>{0},
        std::counting_semaphore<1000>{0}, std::counting_semaphore<1000>{0}, std::counting_semaphore<1000>{0},
        std::counting_semaphore<1000>{0}, std::counting_semaphore<1000>{0}, std::counting_semaphore<1000>{0},
        std::counting_semaphore<1000>{0}, std::counting_semaphore<1000>{0}, std::counting_semaphore<1000>{0}};
    return all;
}

void wait(long semaphore) { semaphores()[static_cast<std::size_t>(semaphore)].acquire(); }
void wake(long semaphore) { semaphores()[static_cast<std::size_t>(semaphore)].release(); }

unsigned long nanoseconds()
{
    return static_cast<unsigned long>(std::chrono::steady_clock::now().time_since_epoch().count());
}

// What was in the memory before must not matter.
void* take(long bytes)
{
    constexpr std::size_t line = 64;
    const std::size_t rounded = (static_cast<std::size_t>(bytes) + line - 1) / line * line;
    void* const block = std::aligned_alloc(line, rounded);
    std::memset(block, 0x5a, rounded);
    return block;
}

harpy_options options_of(std::vector<const char*> words)
{
    harpy_options options;
    words.insert(words.begin(), "harpy");
    REQUIRE(harpy_parse(&options, static_cast<int>(words.size()), const_cast<char**>(words.data())) ==
            nullptr);
    return options;
}

struct Made {
    explicit Made(const harpy_options& options) : task(std::make_unique<::task>())
    {
        const char* const wrong = task_make(task.get(), &options);
        INFO((wrong ? wrong : ""));
        REQUIRE(wrong == nullptr);
    }
    ~Made() { task_free(task.get()); }
    std::unique_ptr<::task> task;
};

struct Serial {
    result found;
    std::vector<workload> loads;
};

Serial serially(const task& task, long utterance, long beam)
{
    Serial serial{{}, std::vector<workload>(most_segments)};
    serial_record record{};
    record.workloads = serial.loads.data();
    serial_search(&task.network, &task.matches[utterance], beam, &serial.found, &record);
    return serial;
}

struct Searched {
    result found;
    std::unique_ptr<search, decltype(&std::free)> block;
};

Searched in_parallel(const task& task, long utterance, long beam, variant way, long processes,
                     unsigned long (*clock)() = nanoseconds)
{
    Searched done{
        {},
        {search_make(&task.network, task.grammar.phonemes.count, task_segments(&task), processes, take),
         &std::free}};
    const surroundings around{wait, wake, clock, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
    search_touch(done.block.get());
    search_begin(done.block.get(), &task.matches[utterance], way, beam, 0);
    std::vector<std::thread> threads;
    for (long process = 0; process < processes; ++process)
        threads.emplace_back([&, process] {
            worker worker{done.block.get(), &around, process, nullptr, 0, 0};
            search_work(&worker);
        });
    for (std::thread& thread : threads)
        thread.join();
    for (auto& semaphore : semaphores())
        CHECK_FALSE(semaphore.try_acquire()); // every V was for a P
    search_result(done.block.get(), &done.found);
    return done;
}

void check_same(const Serial& serial, const Searched& parallel)
{
    CHECK(result_equal(&serial.found, &parallel.found) == 1);
    for (long segment = 0; segment < serial.found.segments; ++segment) {
        const workload& wanted = serial.loads[static_cast<std::size_t>(segment)];
        const workload& done = parallel.block->workloads[segment];
        CHECK(wanted.candidates == done.candidates);
        CHECK(wanted.pairs == done.pairs);
        CHECK(wanted.reached == done.reached);
    }
}

std::string wrong_in(const char* text)
{
    grammar grammar;
    const char* const wrong = grammar_read(&grammar, text, "g");
    const std::string sentence = wrong ? wrong : "";
    grammar_free(&grammar);
    return sentence;
}

// Every sentence, as phonemes, that a small network has, with each phoneme said once.
void collect(const network& network, const grammar& grammar, long state, const std::string& said,
             std::vector<std::string>& all)
{
    if (state != 0 && network.ends[state])
        all.push_back(said);
    for (int arc = network.first_arc[state]; arc < network.first_arc[state + 1]; ++arc)
        if (network.to[arc] != state)
            collect(network, grammar, network.to[arc],
                    said + (said.empty() ? "" : " ") + grammar.phonemes.all[network.phoneme[network.to[arc]]],
                    all);
}

std::vector<std::string> sentences_of(const char* text)
{
    grammar grammar;
    network network;
    const char* wrong = grammar_read(&grammar, text, "g");
    INFO((wrong ? wrong : ""));
    REQUIRE(wrong == nullptr);
    REQUIRE(network_compile(&network, &grammar) == nullptr);
    std::vector<std::string> all;
    collect(network, grammar, 0, "", all);
    network_free(&network);
    grammar_free(&grammar);
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace

TEST_CASE("harpy compiles words and their pronunciations to a network of phonemes")
{
    CHECK(sentences_of("word help = hh eh (l | el) p [hh]\nbegin A\narc A help B\nend B\n") ==
          std::vector<std::string>{"hh eh el p", "hh eh el p hh", "hh eh l p", "hh eh l p hh"});
    CHECK(
        sentences_of(
            "word a = x | y [z w]\nword b = q\nbegin A\narc A a B\narc A - B # nothing\narc B b C\nend C") ==
        std::vector<std::string>{"q", "x q", "y q", "y z w q"});
    // A word that may be left out, and empty ones in a row; each way once.
    CHECK(
        sentences_of(
            "word um = [m]\nword b = q\nclass c = um b\nbegin A\narc A um B\narc B - C\narc C c D\nend D") ==
        std::vector<std::string>{"m", "m", "m m", "m q", "q"});
}

TEST_CASE("harpy says what is wrong with a grammar, with the line")
{
    const std::string word = "word a = x\n";
    CHECK(wrong_in("word a = (x\n") == "g:1: a ')' is missing at the end");
    CHECK(wrong_in("word a = x)\n") == "g:1: there is a ')' too many");
    CHECK(wrong_in("word a x\n") == "g:1: there is no = after the name");
    CHECK(wrong_in((word + "word a = y\n").c_str()) == "g:2: 'a' is there already");
    CHECK(wrong_in((word + "class c = a b\n").c_str()) == "g:2: there is no word 'b' before this line");
    CHECK(wrong_in((word + "begin A\narc A b B\n").c_str()) ==
          "g:3: there is no word and no class 'b' before this line");
    CHECK(wrong_in("way A a B\n") ==
          "g:1: a line begins with word, class, arc, begin or end, not with 'way'");
    CHECK(wrong_in((word + "begin A\narc A a B\n").c_str()) ==
          "g:3: there is no line 'end POINT' up to here");
    CHECK(wrong_in((word + "begin A\nend B\narc A a B\narc A a C\n").c_str()) ==
          "g:5: no way leads from 'C' to the end: add an arc from it");
    CHECK(wrong_in((word + "begin A\nend B\narc A a B\narc C a B\n").c_str()) ==
          "g:5: no way leads from the beginning to 'C': add an arc to it");
    const std::string cycle = word + "word um = [m]\nbegin A\nend B\narc A a B\narc B um C\narc C - B\n";
    const std::string wrong = wrong_in(cycle.c_str());
    CHECK((wrong.starts_with("g:6: ") || wrong.starts_with("g:7: ")));
    CHECK(wrong.find("closes a cycle of words without a phoneme") != std::string::npos);
    // With a phoneme on the way it is none.
    CHECK(wrong_in((word + "begin A\nend B\narc A a B\narc B a C\narc C - B\n").c_str()).empty());
    CHECK(wrong_in("word a_name_that_has_far_more_letters_than_there_is_room_for = x\n")
              .find("is longer than 31 letters") != std::string::npos);
    std::string deep = "word a = ";
    deep.append(100'000, '(');
    CHECK(wrong_in(deep.c_str()) == "g:1: parentheses are nested deeper than 16");
}

TEST_CASE("harpy says what is wrong with a match table, with the line")
{
    grammar grammar;
    REQUIRE(grammar_read(&grammar, "word a = x y\nbegin A\narc A a B\nend B\n", "g") == nullptr);
    const auto wrong = [&](const char* text) {
        match match;
        const char* const sentence = match_read(&match, text, "t", &grammar.phonemes);
        const std::string kept = sentence ? sentence : "";
        match_free(&match);
        return kept;
    };
    CHECK(wrong("phonemes y x z\nsegment -1 0 -2\n").empty());
    CHECK(wrong("phonemes x z\nsegment -1 0\n") ==
          "t:1: there is no column for the phoneme 'y', which the network has: add it");
    CHECK(wrong("phonemes x y x\n") == "t:1: the phoneme 'x' has two columns");
    CHECK(wrong("phonemes x y\nsegment -1\n") == "t:2: 1 numbers stand here for 2 phonemes");
    CHECK(wrong("phonemes x y\nsegment -1 -2 -3\n") == "t:2: 3 numbers stand here for 2 phonemes");
    CHECK(wrong("phonemes x y\nsegment -1 0.5\n") == "t:2: '0.5' is no whole number from -1000000 to 0");
    CHECK(wrong("phonemes x y\nsegment -1 3\n") == "t:2: '3' is no whole number from -1000000 to 0");
    CHECK(wrong("segment -1\n") == "t:1: a line of phonemes must come before the first segment");
    CHECK(wrong("phonemes x y\n") == "t:1: there is no segment up to here");
    match match;
    REQUIRE(match_read(&match, "phonemes y z x\nsegment -1 -2 -3\n", "t", &grammar.phonemes) == nullptr);
    CHECK(match.values[0] == -3); // by the network's numbers
    CHECK(match.values[1] == -1);
    match_free(&match);
    grammar_free(&grammar);
}

TEST_CASE("harpy recognizes what was said clearly, word by word")
{
    const harpy_options options = options_of({"--noise", "0", "--utterances", "20", "--seed", "5"});
    const Made made(options);
    for (long i = 0; i < options.utterances; ++i) {
        const Serial serial = serially(*made.task, i, options.beam);
        char sentence[sentence_room];
        result_sentence(&serial.found, &made.task->network, &made.task->grammar, sentence);
        std::string said;
        for (long word = 0; word < made.task->spoken[i].count; ++word)
            said += (word ? " " : "") +
                    std::string(made.task->grammar.words.all[made.task->spoken[i].words[word]]);
        CHECK(sentence == said);
        CHECK(serial.found.score == 0);
    }
}

TEST_CASE(
    "harpy's searches find the serial one's sentence and score, in all ways and with any number of processes")
{
    const harpy_options options = options_of({"--utterances", "2", "--names", "20"});
    const Made made(options);
    for (long i = 0; i < options.utterances; ++i) {
        const Serial serial = serially(*made.task, i, options.beam);
        REQUIRE(serial.found.found == 1);
        for (int way = variant_static; way < variants; ++way)
            for (const long processes : {1, 2, 3, 12}) {
                INFO("utterance " << i << ", V" << way << ", " << processes << " processes");
                check_same(serial,
                           in_parallel(*made.task, i, options.beam, static_cast<variant>(way), processes));
            }
    }
}

TEST_CASE("harpy's ways agree where all scores are equal, and where no sentence ends within the beam")
{
    // Many fathers share their sons, and nothing tells them apart but the rule for equal scores.
    std::string text = "word a = x [y]\nword b = x | y\nbegin A\nend C\n";
    for (int i = 0; i < 6; ++i)
        text += "arc A a B\narc A b B\narc B b C\narc B a C\n";
    text += "arc C - A\n";
    task flat{};
    REQUIRE(grammar_read(&flat.grammar, text.c_str(), "g") == nullptr);
    REQUIRE(network_compile(&flat.network, &flat.grammar) == nullptr);
    std::string table = "phonemes x y\n";
    for (int i = 0; i < 12; ++i)
        table += "segment -5 -5\n";
    flat.utterances = 1;
    REQUIRE(match_read(&flat.matches[0], table.c_str(), "t", &flat.grammar.phonemes) == nullptr);
    const Serial serial = serially(flat, 0, 1);
    CHECK(serial.found.found == 1);
    CHECK(serial.found.score == -60);
    for (int round = 0; round < 2; ++round)
        for (int way = variant_static; way < variants; ++way)
            for (const long processes : {2, 4})
                check_same(serial, in_parallel(flat, 0, 1, static_cast<variant>(way), processes));
    task_free(&flat);

    task cut{};
    REQUIRE(grammar_read(&cut.grammar, "word a = x y\nbegin A\nend B\narc A a B\n", "g") == nullptr);
    REQUIRE(network_compile(&cut.network, &cut.grammar) == nullptr);
    REQUIRE(match_read(&cut.matches[0], "phonemes x y\nsegment 0 -9\nsegment 0 -900\n", "t",
                       &cut.grammar.phonemes) == nullptr);
    cut.utterances = 1;
    const Serial none = serially(cut, 0, 100);
    CHECK(none.found.found == 0);
    check_same(none, in_parallel(cut, 0, 100, variant_asynchronous, 3));
    CHECK(serially(cut, 0, 1000).found.score == -900);
    task_free(&cut);
}

namespace {

// Process 1 of two alone, where the test plays process 0 whenever the other waits.
struct Played {
    ::search* search = nullptr;
    int waits = 0, pairs = 0;
    bool stayed = false, shared = false;
    std::jmp_buf back;
};
Played played;

void play(long)
{
    ::search& search = *played.search;
    if (++played.waits == 1) { // at the barrier before: the candidate is taken, and its taker is active
        (void)pool_pop(&search.candidates, pool_one_active);
        search.force.arrived = 0;
    } else if (played.waits == 2) { // all taken, no pairs yet: it must not have gone to the barrier
        played.stayed = search.force.arrived == 0 && search.force.idle == 1ul << 1;
        if (!played.stayed)
            std::longjmp(played.back, 1);
        for (int arc = search.first_arc[0]; arc < search.first_arc[1]; ++arc, ++played.pairs)
            stack_push(&search.pairs[0], search.below, arc);
        (void)pool_lower(&search.candidates);
        search.force.idle = 0;
    } else { // at the barrier after
        played.shared = search.members[1].pairs == played.pairs;
        std::longjmp(played.back, 1);
    }
}

} // namespace

TEST_CASE("harpy's asynchronous processes stay while another may still make pairs, and check them")
{
    const harpy_options options = options_of({"--utterances", "1", "--names", "5"});
    const Made made(options);
    for (const variant way : {variant_asynchronous, variant_stealing}) {
        const std::unique_ptr<::search, decltype(&std::free)> block(
            search_make(&made.task->network, made.task->grammar.phonemes.count,
                        task_segments(made.task.get()), 2, take),
            &std::free);
        const surroundings around{play, wake, nanoseconds, {}};
        played = Played{};
        played.search = block.get();
        search_begin(block.get(), &made.task->matches[0], way, options.beam, 0);
        if (setjmp(played.back) == 0) {
            worker worker{block.get(), &around, 1, nullptr, 0, 0};
            search_work(&worker);
        }
        CHECK(played.pairs > 1);
        CHECK(played.stayed);
        CHECK(played.shared);
    }
}

namespace {

// One of three processes is preempted at each end of its work, after it has looked at its clock; the others
// look later and yet arrive at the barrier before it. It is the last, so it looks three times in a step: when
// its work begins and ends, and for the step.
unsigned long nanoseconds_of_preempted()
{
    constexpr std::chrono::microseconds one(100);
    static std::atomic<unsigned> processes{0};
    thread_local const bool is_last = processes++ % 3 == 0;
    thread_local unsigned looks = 0;
    ++looks;
    if (!is_last && looks % 2 == 0)
        std::this_thread::sleep_for(one);
    const unsigned long now = nanoseconds();
    if (is_last && looks % 3 == 2)
        std::this_thread::sleep_for(2 * one);
    return now;
}

} // namespace

TEST_CASE("harpy counts what processes were busy, never more than there was time")
{
    const harpy_options options = options_of({"--utterances", "1"});
    const Made made(options);
    for (int way = variant_static; way < variants; ++way) {
        const Searched done =
            in_parallel(*made.task, 0, options.beam, static_cast<variant>(way), 3, nanoseconds_of_preempted);
        for (long segment = 0; segment < done.found.segments; ++segment) {
            const unsigned long wall = done.block->forward.wall[segment];
            CHECK(done.block->forward.spread[segment] <= wall);
            for (long process = 0; process < 3; ++process)
                CHECK(done.block->members[process].busy_forward[segment] <= wall);
        }
    }
}

TEST_CASE("harpy's synthetic input is the same for the same seed, and its texts are read again")
{
    const harpy_options options = options_of({"--names", "7", "--utterances", "2"});
    const harpy_options others = options_of({"--names", "7", "--utterances", "2", "--seed", "2"});
    const Made one(options), same(options), other(others);
    CHECK(std::string(one.task->text) == same.task->text);
    CHECK(std::string(one.task->text) != other.task->text);
    const auto table = [](const Made& made) {
        const match& match = made.task->matches[1];
        return std::vector<int>(match.values, match.values + match.segments * match.phonemes);
    };
    CHECK(table(one) == table(same));
    CHECK(table(one) != table(other));
}

TEST_CASE("harpy's options are read, and what is wrong with them is one sentence")
{
    const harpy_options options =
        options_of({"--variant", "4", "--work", "50", "--units", "yes", "--write", "work"});
    CHECK(options.variant == 4);
    CHECK(options.work == 50);
    CHECK(options.units == 1);
    CHECK(options.written == write_work);
    CHECK(options_of({"--table", "t"}).utterances == 1);
    const auto wrong = [](std::vector<const char*> words) {
        harpy_options read;
        words.insert(words.begin(), "harpy");
        const char* const said =
            harpy_parse(&read, static_cast<int>(words.size()), const_cast<char**>(words.data()));
        return std::string(said ? said : "");
    };
    CHECK(wrong({"--variant", "6"}) == "--variant 6: a number from 0 to 5");
    CHECK(wrong({"--variant", "fast"}) == "--variant fast: a number from 0 to 5");
    CHECK(wrong({"--beam", "0"}) == "--beam 0: a number from 1 to 1000000000");
    CHECK(wrong({"--units", "all"}) == "--units all: yes or no");
    CHECK(wrong({"--write", "words"}) == "--write words: grammar, table or work");
    CHECK(wrong({"--speed", "1"}) == "--speed: no such option (try --help)");
    CHECK(wrong({"--seed"}) == "--seed: no such option, or its value is missing (try --help)");
    CHECK(harpy_refuse(&options, 13) ==
          std::string("there are at most 12 processes, so take NODES=12 or fewer"));
    CHECK(harpy_refuse(&options, 12) == nullptr);
    const harpy_options serial = options_of({"--variant", "0"});
    CHECK(harpy_refuse(&serial, 2) ==
          std::string("--variant 0 is one process's search: take NODES=1, or --variant 1 to 5"));
    harpy_options missing = options_of({"--grammar", "no-such-file"});
    task task;
    CHECK(task_make(&task, &missing) == std::string("no-such-file: No such file or directory"));
}
