// SPDX-License-Identifier: MIT
// Measures this host and prints it as a machine file: caches by chains of pointers that no processor
// foresees, what two processors do to each other by one line that goes between them. Each number is the least
// of many measurements, for whatever else runs only adds.
#include <algorithm>
#include <atomic>
#include <chrono>
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

struct alignas(64) Line {
    Line* next;
};

// A read that the next one waits for, of lines in any order that fill so much memory.
double chained_read(std::size_t bytes)
{
    std::vector<Line> lines(bytes / sizeof(Line));
    std::vector<std::size_t> order(lines.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937{1});
    for (std::size_t i = 0; i < order.size(); ++i)
        lines[order[i]].next = &lines[order[(i + 1) % order.size()]];
    Line* at = lines.data();
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
    std::vector<Line> lines(bytes / sizeof(Line));
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

void run_on(unsigned processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
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
        std::thread::hardware_concurrency() < 2) {
        std::fputs(
            "measure_host: This host says nothing of its three levels of caches, or has one processor: "
            "write its machine file by hand.\n",
            stderr);
        return 1;
    }
    const auto bytes = [&caches](unsigned level) {
        return static_cast<std::size_t>(caches[level - 1].kib) * 1024;
    };
    const double near = chained_read(bytes(1) / 2);
    const double second = chained_read(bytes(2) / 2);
    const double third = chained_read(bytes(2) * 2);
    const double memory = chained_read(bytes(3) * 4);
    const double between = line_between_processors();
    std::printf(
        "# SPDX-License-Identifier: MIT\n"
        "# Measured by `make measure-host'. A read that the next one waits for, beyond one of the first\n"
        "# level; what a processor does meanwhile is not modelled.\n"
        "title = \"this host\"\nprocessors = 32\nlookahead = \"5 ns\"\n\n[instruction]\n"
        "plain = \"%.3f ns\"\ndivide = \"%.1f ns\"\natomic = \"%.1f ns\"\nsystem = \"%.1f ns\"\n",
        plain_instruction(), divide_instruction(), atomic_instruction(), system_instruction());
    print_level(1, caches[0], 0);
    print_level(2, caches[1], second - near);
    print_level(3, caches[2], third - near);
    std::printf("\n[coherence]\nline = \"64 B\"\nfrom_cache = \"%.1f ns\"\nfrom_memory = \"%.1f ns\"\n"
                "upgrade = \"%.1f ns\" # as a line between processors: the other one has to answer\n"
                "\n[bus]\ntransfer = \"%.2f ns\" # a line of many that are read one after the other\n"
                "\n# Banks are not measured: the bus alone limits.\n"
                "[memory]\nbanks = 1\nbank = \"0 ns\"\nwidth = \"64 B\"\n",
                between, memory - near, between, streamed_line(bytes(3) * 4));
    return 0;
}
