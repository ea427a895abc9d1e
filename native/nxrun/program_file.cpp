// SPDX-License-Identifier: MIT
#include "native/nxrun/program_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::native {

namespace {

// userlib/nx/load.c puts it into every program that loads others.
constexpr std::string_view host_mark = "@(#)parley: this program loads others";

bool may_be_started(const std::string& file)
{
    struct stat status{};
    return stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(file.c_str(), X_OK) == 0;
}

std::string found(const std::string& program)
{
    if (program.find('/') != std::string::npos)
        return program;
    const char* const path = std::getenv("PATH");
    std::string_view folders = path != nullptr ? path : "";
    while (!folders.empty()) {
        const std::size_t end = std::min(folders.find(':'), folders.size());
        const std::string file = std::string(folders.substr(0, end)) + "/" + program;
        if (may_be_started(file))
            return file;
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    return "./" + program;
}

bool has_host_mark(const std::string& program)
{
    const int file = open(program.c_str(), O_RDONLY);
    struct stat status{};
    if (file < 0 || fstat(file, &status) < 0 || status.st_size == 0) {
        if (file >= 0)
            close(file);
        return false;
    }
    const auto bytes = static_cast<std::size_t>(status.st_size);
    void* const place = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (place == MAP_FAILED)
        return false;
    const bool has = memmem(place, bytes, host_mark.data(), host_mark.size()) != nullptr;
    munmap(place, bytes);
    return has;
}

} // namespace

void take_program(NxrunOptions& options)
{
    std::string& program = options.command.front();
    program = found(program);
    struct stat status{};
    if (stat(program.c_str(), &status) < 0)
        throw BadRequest{"There is no program " + program + " (" + std::strerror(errno) + ")."};
    if (!may_be_started(program))
        throw BadRequest{program + " is not a program that may be started."};
    if (!options.hosted_known)
        options.hosted = has_host_mark(program);
}

} // namespace parley::native
