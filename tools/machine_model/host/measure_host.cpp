// SPDX-License-Identifier: MIT
// Measures this host and prints it as a machine file: caches by chains of pointers that no processor
// foresees, what two processors do to each other by one line that goes between them. Each number is the least
// of many measurements, for whatever else runs only adds.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <random>
#include <sched.h>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr double never = 1e18;
constexpr double least_transfer = 0.01; // ns, as it is printed

double now()
{
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// The least nanoseconds that work(count) took for one, of so many measurements.
template <class Work>
double least(unsigned measurements, std::uint64_t count, const Work& work)
{
    double found = never;
    for (unsigned i = 0; i < measurements; ++i) {
        const double start = now();
        work(count);
        found = std::min(found, (now() - start) / static_cast<double>(count));
    }
    return found;
}

struct alignas(64) ChainedLine {
    ChainedLine* next;
};

// A read that the next one waits for, of lines in any order that fill so much memory.
double chained_read(std::size_t bytes)
{
    std::vector<ChainedLine> lines(bytes / sizeof(ChainedLine));
    std::vector<std::size_t> order(lines.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937{1});
    for (std::size_t i = 0; i < order.size(); ++i)
        lines[order[i]].next = &lines[order[(i + 1) % order.size()]];
    ChainedLine* at = lines.data();
    const auto walk = [&at](std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i)
            at = at->next;
        asm volatile("" : : "r"(at) : "memory");
    };
    walk(lines.size());
    return least(1000, std::min<std::size_t>(lines.size() * 4, 2000), walk);
}

// A line of memory, when lines are read one after the other.
double streamed_line(std::size_t bytes)
{
    std::vector<ChainedLine> lines(bytes / sizeof(ChainedLine));
    return least(5, lines.size(), [&lines](std::uint64_t count) {
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < count; ++i)
            sum += reinterpret_cast<std::uint64_t>(lines[i].next);
        asm volatile("" : : "r"(sum));
    });
}

double plain_instruction()
{
    constexpr unsigned instructions = 8; // as the assembler has them
    std::uint64_t memory[2] = {};
    return least(200, 2000,
                 [&memory](std::uint64_t count) {
                     for (std::uint64_t i = 0; i < count; ++i)
                         asm volatile(
                             "mov (%0), %%rax\n add $1, %%rax\n lea 3(%%rax), %%rcx\n mov %%rcx, 8(%0)\n"
                             "mov 8(%0), %%rdx\n cmp %%rdx, %%rcx\n jne 1f\n xor %%edx, %%edx\n 1:"
                             :
                             : "r"(memory)
                             : "rax", "rcx", "rdx", "memory", "cc");
                 }) /
           instructions;
}

double atomic_instruction()
{
    std::atomic<std::uint64_t> word{0};
    return least(200, 1000, [&word](std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i)
            word.fetch_add(1);
    });
}

double divide_instruction()
{
    return least(200, 1000, [](std::uint64_t count) {
        std::uint64_t value = ~std::uint64_t{0};
        for (std::uint64_t i = 0; i < count; ++i) {
            std::uint64_t rest = 0;
            asm volatile("div %2" : "+a"(value), "+d"(rest) : "r"(std::uint64_t{3}) : "cc");
            value |= std::uint64_t{1} << 63;
        }
    });
}

// A step of an instruction that copies bytes one by one, as far as programs see.
double string_step()
{
    constexpr std::size_t bytes = 4096;
    static std::uint8_t from[bytes], to[bytes];
    return least(200, 20,
                 [](std::uint64_t count) {
                     for (std::uint64_t i = 0; i < count; ++i) {
                         const std::uint8_t* source = from;
                         std::uint8_t* target = to;
                         std::size_t left = bytes;
                         asm volatile("rep movsb" : "+S"(source), "+D"(target), "+c"(left) : : "memory");
                     }
                 }) /
           bytes;
}

// Into the kernel and out again: two such instructions.
double system_instruction()
{
    return least(50, 200,
                 [](std::uint64_t count) {
                     for (std::uint64_t i = 0; i < count; ++i)
                         syscall(SYS_getppid);
                 }) /
           2;
}

// Those that this process may run on, as it was started.
const std::vector<unsigned>& processors()
{
    static const std::vector<unsigned> allowed = [] {
        cpu_set_t set;
        CPU_ZERO(&set);
        sched_getaffinity(0, sizeof set, &set);
        std::vector<unsigned> found;
        for (unsigned processor = 0; processor < CPU_SETSIZE; ++processor)
            if (CPU_ISSET(processor, &set))
                found.push_back(processor);
        return found;
    }();
    return allowed;
}

// On one of the two that are measured, the first of those.
void run_on(unsigned which)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processors()[which], &set);
    sched_setaffinity(0, sizeof set, &set);
}

// A line from the cache of one processor to another's.
double line_between_processors()
{
    alignas(64) std::atomic<std::uint64_t> turn{0};
    constexpr std::uint64_t batch = 500, batches = 400;
    std::thread other{[&turn] {
        run_on(1);
        for (std::uint64_t i = 1; i < 2 * batch * batches; i += 2) {
            while (turn.load(std::memory_order_acquire) != i)
                ;
            turn.store(i + 1, std::memory_order_release);
        }
    }};
    run_on(0);
    std::uint64_t at = 0;
    const double found = least(batches, batch, [&](std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
            turn.store(++at, std::memory_order_release);
            ++at;
            while (turn.load(std::memory_order_acquire) != at)
                ;
        }
    });
    other.join();
    return found / 2;
}

// What two processors do with many lines, by turns: the other one prepares them, this one is measured. Each
// lies in a page of its own, at any place, so that nothing asks for it ahead.
struct LinesOfTwo {
    static constexpr std::size_t count = 48; // pages whose places a processor knows at once
    static constexpr std::size_t lines_of_page = 64;
    LinesOfTwo()
    {
        std::mt19937 random{1};
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t i = 0; i < count; ++i)
            order[i] = static_cast<std::uint32_t>(i * lines_of_page + random() % lines_of_page);
        std::shuffle(order.begin(), order.end(), random);
        for (std::size_t i = 0; i < count; ++i)
            lines[order[i]].next = &lines[order[(i + 1) % count]];
    }

    std::vector<ChainedLine> lines = std::vector<ChainedLine>(count * lines_of_page);
    std::vector<std::uint32_t> order = std::vector<std::uint32_t>(count);
};

struct LineTimes {
    double changed = never; // read when the other has changed it, and the next one waits for it
    double shared = never;  // exchanged when both have read it, and the next exchange waits for it
    double owned = never;   // the same when no other has it
    double taken = never;   // the same when the other has changed it, and it was read since
};

LineTimes times_of_lines()
{
    LinesOfTwo shared;
    enum Task : int { rest, write, read, end };
    std::atomic<int> task{rest};
    const auto touch = [&shared](bool writes) {
        for (const std::uint32_t i : shared.order) {
            ChainedLine* volatile& word = shared.lines[i].next;
            ChainedLine* const value = word;
            if (writes)
                word = value;
        }
    };
    std::thread other{[&] {
        run_on(1);
        for (int asked = rest; asked != end; asked = task.load(std::memory_order_acquire))
            if (asked != rest) {
                touch(asked == write);
                task.store(rest, std::memory_order_release);
            }
    }};
    run_on(0);
    const auto ask = [&task](Task asked) {
        task.store(asked, std::memory_order_release);
        while (task.load(std::memory_order_acquire) != rest)
            ;
    };
    LineTimes found;
    // One is over before the next begins: some processors read ahead of what is locked, and then have many
    // lines under way.
    const auto exchange = [&shared](std::uint64_t) {
        for (const std::uint32_t i : shared.order) {
            ChainedLine* const value = shared.lines[i].next;
            std::atomic_ref{shared.lines[i].next}.exchange(value);
            asm volatile("mfence\n lfence" : : : "memory");
        }
    };
    for (unsigned measurement = 0; measurement < 2000; ++measurement) {
        ask(write);
        found.changed = std::min(found.changed, least(1, shared.count, [&](std::uint64_t count) {
                                     ChainedLine* at = &shared.lines[shared.order[0]];
                                     for (std::uint64_t i = 0; i < count; ++i)
                                         at = at->next;
                                     asm volatile("" : : "r"(at) : "memory");
                                 }));
        ask(write);
        touch(false);
        found.taken = std::min(found.taken, least(1, shared.count, exchange));
        ask(write);
        touch(false);
        ask(read);
        found.shared = std::min(found.shared, least(1, shared.count, exchange));
        found.owned = std::min(found.owned, least(1, shared.count, exchange));
    }
    task.store(end, std::memory_order_release);
    other.join();
    return found;
}

// A line more of those that the other has changed, where no read waits for another: the first ones' way, and
// what looking at the clock takes, are in the time of half of them, too. Either is 0 or less where something
// else held up each measurement of half of them.
struct LinesAtOnce {
    double scattered = never; // eight of each page, in any order
    double in_order = never;
};

LinesAtOnce lines_at_once()
{
    constexpr std::size_t pages = LinesOfTwo::count, lines_of_page = LinesOfTwo::lines_of_page, of_page = 8;
    std::vector<ChainedLine> lines(pages * lines_of_page);
    std::atomic<int> task{0}; // 1: change all; 2: end
    std::thread other{[&] {
        run_on(1);
        for (int asked = 0; asked != 2; asked = task.load(std::memory_order_acquire))
            if (asked == 1) {
                for (ChainedLine& line : lines)
                    static_cast<ChainedLine* volatile&>(line.next) = &line;
                task.store(0, std::memory_order_release);
            }
    }};
    run_on(0);
    std::mt19937 random{1};
    std::vector<std::uint32_t> in_order(lines.size()), scattered;
    std::iota(in_order.begin(), in_order.end(), 0);
    std::ranges::sample(in_order, std::back_inserter(scattered), pages * of_page, random);
    std::ranges::shuffle(scattered, random);
    const auto a_line_more = [&](const std::vector<std::uint32_t>& order) {
        double times[2] = {never, never}; // of half of them, and of all
        for (unsigned measurement = 0; measurement < 2000; ++measurement)
            for (const std::size_t whole : {0, 1}) {
                task.store(1, std::memory_order_release);
                while (task.load(std::memory_order_acquire) != 0)
                    ;
                times[whole] = std::min(times[whole], least(1, 1, [&](std::uint64_t) {
                                            std::uint64_t sum = 0;
                                            for (std::size_t i = 0; i < order.size() / (2 - whole); ++i)
                                                sum += reinterpret_cast<std::uint64_t>(lines[order[i]].next);
                                            asm volatile("lfence" : : "r"(sum) : "memory");
                                        }));
            }
        return (times[1] - times[0]) / static_cast<double>(order.size() / 2);
    };
    const LinesAtOnce found{.scattered = a_line_more(scattered), .in_order = a_line_more(in_order)};
    task.store(2, std::memory_order_release);
    other.join();
    return found;
}

// What comes of itself with lines that the other has changed: so many are read in their order in each page,
// and then the read of a farther one, which the next page's waits for, is measured.
struct LinesAhead {
    static constexpr unsigned longest = 16;
    unsigned next = 0; // whether the line after a lone one was there
    unsigned run = 0;  // of how many in their order the second one beyond was there; longest: it never was
    bool any() const { return run < longest; }
};

LinesAhead lines_ahead(double changed)
{
    constexpr std::size_t pages = LinesOfTwo::count, lines_of_page = LinesOfTwo::lines_of_page;
    std::vector<ChainedLine> lines(pages * lines_of_page);
    std::atomic<int> task{0}; // 1: change all; 2: end
    std::thread other{[&] {
        run_on(1);
        for (int asked = 0; asked != 2; asked = task.load(std::memory_order_acquire))
            if (asked == 1) {
                for (ChainedLine& line : lines) {
                    ChainedLine* volatile& word = line.next;
                    ChainedLine* const value = word;
                    word = value;
                }
                task.store(0, std::memory_order_release);
            }
    }};
    run_on(0);
    std::mt19937 random{1};
    std::vector<std::size_t> order(pages), first(pages);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    // The median read of the line `beyond` the last of `count` in their order.
    const auto farther = [&](std::size_t count, std::size_t beyond) {
        std::vector<double> times;
        for (unsigned measurement = 0; measurement < 101; ++measurement) {
            for (std::size_t i = 0; i < pages; ++i)
                first[i] = order[i] * lines_of_page + 8 + random() % (lines_of_page / 2);
            for (std::size_t i = 0; i < pages; ++i)
                lines[first[i] + count - 1 + beyond].next =
                    &lines[first[(i + 1) % pages] + count - 1 + beyond];
            task.store(1, std::memory_order_release);
            while (task.load(std::memory_order_acquire) != 0)
                ;
            for (std::size_t i = 0; i < pages; ++i) {
                for (std::size_t j = 0; j < count; ++j)
                    asm volatile("" : : "r"(static_cast<ChainedLine* volatile&>(lines[first[i] + j].next)));
                asm volatile("mfence" : : : "memory");
            }
            ChainedLine* at = &lines[first[0] + count - 1 + beyond];
            times.push_back(least(1, pages, [&at](std::uint64_t steps) {
                for (std::uint64_t i = 0; i < steps; ++i)
                    at = at->next;
                asm volatile("" : : "r"(at) : "memory");
            }));
        }
        std::ranges::nth_element(times, times.begin() + 50);
        return times[50];
    };
    // In most of five such measurements, for one may be near the limit.
    const auto is_there = [&](std::size_t count, std::size_t beyond) {
        unsigned times = 0;
        for (unsigned i = 0; i < 5; ++i)
            times += farther(count, beyond) < changed / 2 ? 1 : 0;
        return times > 2;
    };
    LinesAhead found{.next = is_there(1, 1) ? 1U : 0U};
    for (found.run = 2; found.any() && !is_there(found.run, 2);)
        ++found.run;
    task.store(2, std::memory_order_release);
    other.join();
    return found;
}

// Lines in their order, each of which waits for the one before it, of memory of so many bytes: what is not
// waited for was asked for ahead.
double chained_in_order(std::size_t bytes)
{
    std::vector<ChainedLine> lines(bytes / sizeof(ChainedLine));
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].next = &lines[(i + 1) % lines.size()];
    ChainedLine* at = lines.data();
    return least(20, lines.size(), [&at](std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i)
            at = at->next;
        asm volatile("" : : "r"(at) : "memory");
    });
}

// A conditional jump that goes as often one way as the other, beyond the same of one that goes one way.
double wrong_jump()
{
    constexpr std::size_t count = 1 << 16;
    std::vector<std::uint8_t> ways(count);
    const auto measure = [&ways] {
        return least(50, count, [&ways](std::uint64_t) {
            std::uint64_t sum = 0;
            for (const std::uint8_t way : ways)
                asm volatile("test %1, %1\n jz 1f\n add $1, %0\n 1:" : "+r"(sum) : "r"(way) : "cc");
        });
    };
    const double foreseen = measure();
    std::mt19937 random{1};
    for (std::uint8_t& way : ways)
        way = random() >> 16 & 1;
    return 2 * (measure() - foreseen); // every second one is wrong
}

// As the kernel knows it: of a level, its size in KiB and its ways; 0 where it says nothing.
struct Cache {
    long kib = 0;
    long ways = 0;
};

long number_in(const std::string& path)
{
    long number = 0;
    std::ifstream{path} >> number;
    return number;
}

Cache cache_of_level(long level)
{
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index";
    for (unsigned index = 0; index < 8; ++index) {
        const std::string place = folder + std::to_string(index) + "/";
        std::string type;
        std::ifstream{place + "type"} >> type;
        if (number_in(place + "level") == level && type != "Instruction")
            return {number_in(place + "size"), number_in(place + "ways_of_associativity")};
    }
    return {};
}

void print_level(unsigned level, const Cache& cache, double hit)
{
    std::printf("\n[level%u]\nbytes = \"%ld KiB\"\nways = %ld\nhit = \"%.1f ns\"\n", level, cache.kib,
                cache.ways, std::max(hit, 0.0));
}

} // namespace

int main()
{
    const Cache caches[] = {cache_of_level(1), cache_of_level(2), cache_of_level(3)};
    if (std::ranges::any_of(caches, [](const Cache& cache) { return cache.kib <= 0 || cache.ways <= 0; }) ||
        processors().size() < 2) {
        std::fputs(
            "measure_host: This host says nothing of its three levels of caches, or this command may run "
            "on one processor alone: write its machine file by hand.\n",
            stderr);
        return 1;
    }
    std::fputs("measure_host: It takes both processors some ten seconds, or minutes where others run.\n",
               stderr);
    const auto bytes = [&caches](unsigned level) {
        return static_cast<std::size_t>(caches[level - 1].kib) * 1024;
    };
    const double near = chained_read(bytes(1) / 2);
    const double second = chained_read(bytes(2) / 2);
    const double third = chained_read(bytes(2) * 2);
    const double memory = chained_read(bytes(3) * 4);
    const double between = line_between_processors();
    const LineTimes lines = times_of_lines();
    const LinesAtOnce at_once = lines_at_once();
    if (std::min(at_once.scattered, at_once.in_order) < least_transfer) {
        std::fputs("measure_host: Many lines of the other processor took no longer than half of them: "
                   "something else ran meanwhile; measure again.\n",
                   stderr);
        return 1;
    }
    const double atomic = atomic_instruction();
    const double in_order = chained_in_order(bytes(2) * 2);
    const LinesAhead ahead = lines_ahead(lines.changed);
    std::printf(
        "# SPDX-License-Identifier: MIT\n"
        "# Measured by `make measure-host'. A read that the next one waits for, beyond one of the first\n"
        "# level.\n"
        "title = \"this host\"\nprocessors = 32\nlookahead = \"5 ns\"\n\n[instruction]\n"
        "plain = \"%.3f ns\"\ndivide = \"%.1f ns\"\natomic = \"%.1f ns\"\nstring = \"%.3f ns\"\nsystem = "
        "\"%.1f ns\"\n",
        plain_instruction(), divide_instruction(), atomic, string_step(), system_instruction());
    print_level(1, caches[0], 0);
    print_level(2, caches[1], second - near);
    print_level(3, caches[2], third - near);
    std::printf("\n[coherence]\nline = \"64 B\"\n"
                "from_cache = \"%.1f ns\" # read when the other has changed it; the next read waits for it\n"
                "from_memory = \"%.1f ns\"\n"
                "upgrade = \"%.1f ns\" # exchanged when both have read it, beyond when no other has it\n"
                "moves = %d # exchanged when the other has changed it and this one read it since, beyond "
                "that: %.1f ns\n",
                lines.changed - near, memory - near, std::max(lines.shared - lines.owned, 0.0),
                lines.taken - lines.owned < (lines.shared - lines.owned) / 2 ? 1 : 0,
                std::max(lines.taken - lines.owned, 0.0));
    std::printf("\n[bus]\n"
                "transfer = \"%.2f ns\" # a line more of many that the other has changed, none of which "
                "waits, as they follow closest\n"
                "\n[memory]\nbanks = 1\nwidth = \"64 B\"\n"
                "bank = \"%.2f ns\" # a line of many that are read one after the other\n",
                std::min(at_once.scattered, at_once.in_order), streamed_line(bytes(3) * 4));
    std::printf(
        "\n# What it does while it waits. Stores, window and jumps are not measured: Zen 4's.\n"
        "[overlap]\nstores = 64\nwindow = 320\n"
        "misses = %.0f # at least: as often as such lines in any order come faster than where each waits\n"
        "next = %u # of lines that the other has changed, one missed in a page: that after it was there\n"
        "run = %u # of such lines the second one after so many in their order was there, and not after "
        "fewer\n"
        "ahead = %.0f # at most: as often as lines in their order come faster than lines in any; 0 where no "
        "run had one\n"
        "jumps = 4096\nwrong_jump = \"%.1f ns\"\n"
        "# For comparison, no input: a line to the other processor takes %.1f ns.\n",
        std::max(std::round(lines.changed / at_once.scattered), 1.0), ahead.next, ahead.run,
        ahead.any() ? std::round(third / in_order) : 0.0, std::max(wrong_jump(), 0.0), between);
    return 0;
}
