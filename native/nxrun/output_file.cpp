// SPDX-License-Identifier: MIT
#include "native/nxrun/output_file.hpp"

#include "native/nxrun/options.hpp"
#include "native/nxrun/printable.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::native {

namespace {

// Behind all links, of which the last may lead to nothing yet. What lies in /proc stands for a file that is
// open, and stays what it is.
std::filesystem::path behind_links(std::filesystem::path path)
{
    constexpr int most_links = 40; // as Linux has it
    std::error_code error;
    for (int i = 0; i < most_links && std::filesystem::is_symlink(path, error); ++i) {
        if (path.string().starts_with("/proc/"))
            return path;
        const std::filesystem::path next = std::filesystem::read_symlink(path, error);
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    return path;
}

} // namespace

OutputFile::OutputFile(const std::string& path, const std::string& what)
    : target_(behind_links(path).string())
{
    const auto refuse = [&](int error) {
        throw BadRequest{"The " + what + " cannot be written to " + printable(path) + ": " +
                         std::strerror(error) + "."};
    };
    struct stat status{};
    const bool is_there = stat(target_.c_str(), &status) == 0;
    if (is_there && S_ISDIR(status.st_mode))
        refuse(EISDIR);
    if (target_.starts_with("/proc/") || (is_there && !S_ISREG(status.st_mode))) {
        through_ = open(target_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
        if (through_ < 0)
            refuse(errno);
        return;
    }
    const int file = open(unfinished().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        refuse(errno);
    close(file);
    unlink(unfinished().c_str());
}

OutputFile::~OutputFile()
{
    if (through_ >= 0)
        close(through_);
}

int OutputFile::write(const std::function<int(int file)>& fill) const
{
    std::signal(SIGPIPE, SIG_IGN); // whoever has read a pipe may have gone
    if (through_ >= 0)
        return fill(through_);
    const int file = open(unfinished().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return errno;
    int failure = fill(file);
    if (close(file) < 0 && failure == 0)
        failure = errno;
    if (failure == 0 && std::rename(unfinished().c_str(), target_.c_str()) < 0)
        failure = errno;
    if (failure != 0)
        unlink(unfinished().c_str());
    return failure;
}

int write_all(int file, const std::string& text)
{
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t count = ::write(file, text.data() + at, text.size() - at);
        if (count < 0 && errno != EINTR)
            return errno;
        at += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    return 0;
}

} // namespace parley::native
