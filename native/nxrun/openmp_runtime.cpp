// SPDX-License-Identifier: MIT
#include "native/nxrun/openmp_runtime.hpp"

#include <cstddef>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

namespace {

constexpr std::string_view library = "libgomp.so.1";
// userlib/loops/this_thread.cpp puts it into every program and library that has our runtime.
constexpr std::string_view mark_of_ours = "@(#)parley: the loop runtime";
// An environment variable that gcc's alone looks at.
constexpr std::string_view mark_of_gccs = "GOMP_SPINCOUNT";

// A file's bytes; none of one that cannot be read.
class MappedFile {
public:
    explicit MappedFile(const std::string& name)
    {
        const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat status{};
        if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
            const auto size = static_cast<std::size_t>(status.st_size);
            void* const place = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
            if (place != MAP_FAILED)
                bytes_ = {static_cast<const char*>(place), size};
        }
        if (file >= 0)
            close(file);
    }
    ~MappedFile()
    {
        if (!bytes_.empty())
            munmap(const_cast<char*>(bytes_.data()), bytes_.size());
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    bool has(std::string_view text) const
    {
        return memmem(bytes_.data(), bytes_.size(), text.data(), text.size()) != nullptr;
    }
    // False: the file is too short.
    template <class Value>
    bool read(Value& value, std::size_t from) const
    {
        if (from > bytes_.size() || bytes_.size() - from < sizeof value)
            return false;
        std::memcpy(&value, bytes_.data() + from, sizeof value);
        return true;
    }
    std::string text(std::size_t from, std::size_t most) const
    {
        if (from > bytes_.size())
            return "";
        const std::string_view all = bytes_.substr(from, most);
        return std::string(all.substr(0, all.find('\0')));
    }

private:
    std::string_view bytes_;
};

// Empty: the program needs none.
std::string dynamic_linker_of(const MappedFile& program)
{
    Elf64_Ehdr head;
    if (!program.read(head, 0) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64)
        return "";
    for (std::size_t at = 0; at < head.e_phnum; ++at) {
        Elf64_Phdr segment;
        if (!program.read(segment, head.e_phoff + at * sizeof segment))
            return "";
        if (segment.p_type == PT_INTERP)
            return program.text(segment.p_offset, segment.p_filesz);
    }
    return "";
}

// What the dynamic linker would load for the program, as it lists it.
std::string listed(std::string linker, std::string program)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return "";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string list = "--list";
    char* const words[] = {linker.data(), list.data(), program.data(), nullptr};
    pid_t process = 0;
    const bool runs = posix_spawn(&process, linker.c_str(), &actions, nullptr, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string all;
    char some[4096];
    for (ssize_t count = 0; runs && (count = read(ends[0], some, sizeof some)) > 0;)
        all.append(some, static_cast<std::size_t>(count));
    close(ends[0]);
    if (runs)
        waitpid(process, nullptr, 0);
    return all;
}

// Answers the path in the line "\tlibgomp.so.1 => /lib/libgomp.so.1 (0x00007f0000000000)" of the list.
// Empty: there is no such line.
std::string file_of_library(const std::string& list)
{
    const std::string begin = "\t" + std::string(library) + " => ";
    const std::size_t at = list.find(begin);
    if (at == std::string::npos)
        return "";
    const std::size_t from = at + begin.size();
    const std::string line = list.substr(from, list.find('\n', from) - from);
    return line.starts_with('/') ? line.substr(0, line.rfind(" (")) : "";
}

} // namespace

std::string OpenMpRuntime::told() const
{
    return is_ours ? "OpenMP is served by Parley's loop runtime, in " + file + "."
                   : "OpenMP is served by gcc's libgomp, in " + file +
                         ": it does not hear PARLEY_LOOPS, and "
                         "loops' times are not told.";
}

std::optional<OpenMpRuntime> openmp_runtime_of(const std::string& program)
{
    const MappedFile bytes(program);
    if (bytes.has(library))
        if (const std::string linker = dynamic_linker_of(bytes); !linker.empty())
            if (const std::string file = file_of_library(listed(linker, program)); !file.empty())
                return OpenMpRuntime{MappedFile(file).has(mark_of_ours), file};
    if (bytes.has(mark_of_gccs))
        return OpenMpRuntime{false, program};
    if (bytes.has(mark_of_ours))
        return OpenMpRuntime{true, program};
    return std::nullopt;
}

bool may_use_openmp(const std::string& program)
{
    const MappedFile bytes(program);
    return bytes.has(library) || bytes.has(mark_of_gccs) || bytes.has(mark_of_ours);
}

} // namespace parley::native
