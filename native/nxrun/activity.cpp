// SPDX-License-Identifier: MIT
#include "native/nxrun/activity.hpp"

#include "base/text.hpp"
#include "jobs/fault_description.hpp"
#include "native/nxrun/processes.hpp"

#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <string_view>

namespace parley::native {

namespace {

// From Linux's own list (native.mk).
constexpr struct {
    long number;
    const char* name;
} linux_calls[] = {
#include "native/nxrun/linux_call_names.hpp"
};

std::string file_of(pid_t process, const char* name)
{
    return "/proc/" + std::to_string(process) + "/" + name;
}

SourceNames::Instruction find(pid_t process, std::uint64_t address)
{
    std::ifstream file(file_of(process, "maps"));
    for (std::string line; std::getline(file, line);) {
        std::uint64_t start = 0, end = 0, offset = 0;
        int path = 0;
        if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &start, &end,
                        &offset, &path) < 3)
            continue;
        if (address >= start && address < end)
            return {line.substr(static_cast<std::size_t>(path)), address - start + offset, address};
    }
    return {{}, 0, address};
}

// As Linux has it in /proc: the number of the call and its words, or -1; then the stack pointer and the
// instruction.
std::string describe_stopped(pid_t process, SourceNames& names)
{
    std::ifstream file(file_of(process, "syscall"));
    long call = -1;
    std::string word, last;
    if (!(file >> call))
        return "was computing";
    while (file >> word)
        last = word;
    Text<120> text;
    if (call < 0) {
        const std::uint64_t address = std::strtoull(last.c_str(), nullptr, 16);
        jobs::describe_computing(text, address);
        return names.named(std::string(text.view()), find(process, address));
    }
    for (const auto& one : linux_calls)
        if (one.number == call) {
            jobs::describe_linux_call(text, one.name);
            return std::string(text.view());
        }
    return "was in the Linux call number " + std::to_string(call);
}

} // namespace

std::string describe_activity(pid_t process, SourceNames& names)
{
    if (is_stopped(process))
        return describe_stopped(process, names);
    if (!stop(process))
        return "was about to end";
    const std::string text = describe_stopped(process, names);
    kill(process, SIGCONT);
    return text;
}

} // namespace parley::native
