// SPDX-License-Identifier: MIT
#include "native/nxrun/source_names.hpp"

#include "base/text.hpp"
#include "interface/start_info.h"
#include "jobs/fault_description.hpp"

#include <algorithm>
#include <csignal>
#include <elf.h>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

namespace {

using Clock = std::chrono::steady_clock;
// A job that ends is not held up for long by the look-ups of a thousand ranks.
constexpr std::chrono::duration<double> longest{3};

// Files name addresses as they were linked.
std::optional<std::uint64_t> linked_address(const std::string& file, std::uint64_t offset)
{
    std::ifstream in(file, std::ios::binary);
    Elf64_Ehdr head{};
    if (!in.read(reinterpret_cast<char*>(&head), sizeof head) ||
        std::string_view(reinterpret_cast<const char*>(head.e_ident), SELFMAG) != ELFMAG ||
        head.e_phentsize != sizeof(Elf64_Phdr))
        return {};
    in.seekg(static_cast<std::streamoff>(head.e_phoff));
    for (unsigned i = 0; i < head.e_phnum; ++i) {
        Elf64_Phdr segment{};
        if (!in.read(reinterpret_cast<char*>(&segment), sizeof segment))
            return {};
        if (segment.p_type == PT_LOAD && offset >= segment.p_offset &&
            offset < segment.p_offset + segment.p_filesz)
            return offset - segment.p_offset + segment.p_vaddr;
    }
    return {};
}

// What a command writes; nothing where it cannot be started or takes too long.
std::string output_of(const char* const (&words)[7], std::chrono::duration<double> patience)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return {};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int error =
        posix_spawnp(&child, words[0], &files, nullptr, const_cast<char* const*>(words), environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    std::string text;
    const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(patience);
    while (error == 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd readable{ends[0], POLLIN, 0};
        char bytes[1024];
        const ssize_t got = left > 0 && poll(&readable, 1, static_cast<int>(left)) > 0
                                ? read(ends[0], bytes, sizeof bytes)
                                : 0;
        if (got <= 0)
            break;
        text.append(bytes, static_cast<std::size_t>(got));
    }
    close(ends[0]);
    if (error != 0)
        return {};
    kill(child, SIGKILL); // if it takes too long; else it has ended, or is about to
    waitpid(child, nullptr, 0);
    return text;
}

// addr2line's two lines: the function, and the file with the line, perhaps with a remark behind it.
std::string in_words(const std::string& text)
{
    const std::size_t line_end = text.find('\n');
    if (line_end == std::string::npos)
        return {};
    const std::string function = text.substr(0, line_end);
    if (function.empty() || function == "??")
        return {};
    std::string place = text.substr(line_end + 1);
    place.resize(std::min(place.find_first_of(" \n"), place.size()));
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos || place.starts_with("??") ||
        place.find_first_not_of("0123456789", colon + 1) != std::string::npos)
        return function;
    return function + ", " + place.substr(place.rfind('/') + 1);
}

} // namespace

std::string SourceNames::look_up(const Instruction& at)
{
    const auto [found, is_new] = known_.try_emplace({at.file, at.offset});
    if (!is_new || spent_ > longest)
        return found->second;
    const Clock::time_point began = Clock::now();
    if (const std::optional<std::uint64_t> address = linked_address(at.file, at.offset)) {
        Text<24> number;
        number << Hex{*address};
        const std::string text(number.view());
        found->second = in_words(
            output_of({"addr2line", "-f", "-C", "-e", at.file.c_str(), text.c_str(), nullptr}, longest));
    }
    spent_ += Clock::now() - began;
    return found->second;
}

std::string SourceNames::named(const std::string& report, const Instruction& at)
{
    Text<80> words;
    jobs::add_instruction(words, at.address);
    const std::string plain(words.view());
    const std::size_t from = report.find(plain);
    if (from == std::string::npos || at.file.empty())
        return report;
    words.clear();
    words << Hex{at.address};
    std::string place = look_up(at);
    if (place.empty() && at.file.front() == '/')
        place = at.file.substr(at.file.rfind('/') + 1);
    if (place.empty())
        return report;
    const bool is_library = at.address >= PARLEY_LIBRARY_BASE && at.address < PARLEY_SHARED_BASE;
    return report.substr(0, from) + " in " + place + (is_library ? ", of the message library" : "") +
           " (at " + std::string(words.view()) + ")" + report.substr(from + plain.size());
}

} // namespace parley::native
