// SPDX-License-Identifier: MIT
#include "native/nxrun/machine.hpp"

#include <chrono>
#include <cstddef>
#include <fstream>
#include <sched.h>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <x86intrin.h>

namespace parley::native {

std::vector<int> usable_processors()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> found;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int i = 0; i < CPU_SETSIZE; ++i)
            if (CPU_ISSET(i, &set))
                found.push_back(i);
    if (found.empty())
        found.push_back(0);
    return found;
}

void pin_to(int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    sched_setaffinity(0, sizeof set, &set); // a wish: without it the job runs as well
}

unsigned long cycles() { return __rdtsc(); }

// Two readings of both clocks, five milliseconds apart: good to some parts in a hundred thousand.
unsigned long clock_hertz()
{
    using Clock = std::chrono::steady_clock;
    static const unsigned long hertz = [] {
        const auto began = Clock::now();
        const unsigned long first = cycles();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const unsigned long last = cycles();
        const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
        return static_cast<unsigned long>(static_cast<double>(last - first) / seconds);
    }();
    return hertz;
}

bool find_program(std::string& program, const std::string& host)
{
    while (!program.empty() && program.back() == ' ') // Fortran's texts end in blanks
        program.pop_back();
    const std::string last = program.substr(program.rfind('/') + 1);
    const std::size_t folder = host.rfind('/');
    const std::string beside = (folder == std::string::npos ? "./" : host.substr(0, folder + 1)) + last;
    for (const std::string& path : {program, beside}) {
        if (path.empty() || access(path.c_str(), X_OK) != 0)
            continue;
        program = path.find('/') == std::string::npos ? "./" + path : path;
        return true;
    }
    return false;
}

bool is_executable(const std::string& program)
{
    std::ifstream file(program, std::ios::binary);
    char first[4] = {};
    file.read(first, sizeof first);
    const std::string_view bytes(first, static_cast<std::size_t>(file.gcount()));
    return bytes == "\177ELF" || bytes.starts_with("#!");
}

} // namespace parley::native
