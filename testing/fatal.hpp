// SPDX-License-Identifier: MIT
// Whether an act ends the process that does it, as an assertion that does not hold does in checked builds,
// and which assertion that is.
#pragma once

#include "testing/catch.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" const char __executable_start; // the linker's

namespace parley::testing {

namespace trapped {

inline int place = -1; // where the trap's address is written to

inline void tell(int number, siginfo_t* info, void*)
{
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    (void)!write(place, &address, sizeof address);
    std::signal(number, SIG_DFL); // the trap comes again
}

// Tries the act in a process of its own. Answers the address of the instruction that trapped; 0: the act has
// returned. Any end but by a trap fails the test.
template <class Act>
std::uintptr_t address(Act act)
{
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        place = ends[1];
        struct sigaction told{};
        told.sa_sigaction = &tell;
        told.sa_flags = SA_SIGINFO;
        for (const int number : {SIGILL, SIGTRAP})
            sigaction(number, &told, nullptr);
        for (const int number : {SIGABRT, SIGSEGV})
            std::signal(number, SIG_DFL); // not Catch's, which would report a failed test
        const rlimit no_dump{};
        setrlimit(RLIMIT_CORE, &no_dump);
        act();
        _exit(0);
    }
    close(ends[1]);
    std::uintptr_t result = 0;
    const bool has_trapped = read(ends[0], &result, sizeof result) == sizeof result;
    close(ends[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    CHECK(has_trapped);
    CHECK(WIFSIGNALED(status));
    CHECK((WTERMSIG(status) == SIGILL || WTERMSIG(status) == SIGTRAP));
    return result;
}

// The lines of source that an instruction is from, the innermost first, as addr2line tells inlined ones.
inline std::string lines_of(std::uintptr_t address)
{
    std::array<char, 4096> text{};
    const ssize_t length = readlink("/proc/self/exe", text.data(), text.size());
    const std::string program(text.data(), length < 0 ? 0 : static_cast<std::size_t>(length));
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%#zx",
                  address - reinterpret_cast<std::uintptr_t>(&__executable_start));
    FILE* const told = popen(("addr2line -i -e '" + program + "' " + number.data()).c_str(), "r");
    REQUIRE(told != nullptr);
    std::string all;
    while (std::fgets(text.data(), text.size(), told) != nullptr)
        all += text.data();
    pclose(told);
    return all;
}

// A file's name in the project, wherever that lay when the file was compiled.
inline std::string name_here(std::string file)
{
    for (std::size_t end = 0; end != std::string::npos; end = file.find('/')) {
        file.erase(0, end + 1);
        if (file.starts_with("./"))
            continue;
        struct stat found{};
        if (stat(file.c_str(), &found) == 0)
            return file;
    }
    return "";
}

// The condition of the assertion in that line of a file, or of the one that ends there.
inline std::string condition_at(const std::string& file, unsigned line)
{
    std::ifstream source(file);
    std::string text, all;
    std::size_t begin = std::string::npos;
    for (unsigned number = 1; std::getline(source, text); ++number) {
        all += text.substr(std::min(text.find_first_not_of(' '), text.size())) + ' ';
        if (number <= line)
            begin = all.rfind("assert_that(");
        const std::size_t end = begin == std::string::npos ? begin : all.find("; });", begin);
        if (number >= line && end != std::string::npos) {
            const std::size_t from = all.find("return ", begin) + std::string("return ").size();
            return all.substr(from, end - from);
        }
    }
    return "";
}

} // namespace trapped

// Which assertion the act trips, as "file: condition"; "": none, the act has returned. The working directory
// is the project's, as of all tests.
template <class Act>
std::string tripped_by(Act act)
{
    const std::uintptr_t address = trapped::address(act);
    if (address == 0)
        return "";
    const std::string lines = trapped::lines_of(address);
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        const std::string one = lines.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t colon = one.rfind(':');
        const std::string file = trapped::name_here(one.substr(0, std::min(colon, one.size())));
        if (file.empty() || file.ends_with("/assertion.hpp"))
            continue;
        return file + ": " +
               trapped::condition_at(file, static_cast<unsigned>(std::stoul(one.substr(colon + 1))));
    }
    return "something else than an assertion: " + lines;
}

// Whether the act ends by a trap.
template <class Act>
bool is_fatal(Act act)
{
    return trapped::address(act) != 0;
}

} // namespace parley::testing
