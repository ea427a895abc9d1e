// SPDX-License-Identifier: MIT
#include "native/nxrun/program_image.hpp"

#include "native/interface/native_job.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

namespace parley::native {

namespace {

constexpr std::uintptr_t page = 4096;
constexpr std::size_t most_segments = 64;
// Where the limit says nothing, or too much for a thousand ranks.
constexpr std::size_t usual_stack = PARLEY_NATIVE_STACK_BYTES;

std::uintptr_t page_of(std::uintptr_t address) { return address & ~(page - 1); }
std::uintptr_t pages_up_to(std::uintptr_t address) { return page_of(address + page - 1); }

[[noreturn]] void no_memory(const std::string& file)
{
    throw std::runtime_error("There is no room for one more " + file +
                             " in the address space of all ranks (" + std::strerror(errno) +
                             "): take fewer nodes, or context-switch=heavy.");
}

class ReadFile {
public:
    explicit ReadFile(const std::string& name)
        : name_(name), descriptor_(open(name.c_str(), O_RDONLY | O_CLOEXEC))
    {
        if (descriptor_ < 0)
            throw std::runtime_error(name + " cannot be read (" + std::strerror(errno) + ").");
    }
    ~ReadFile() { close(descriptor_); }
    ReadFile(const ReadFile&) = delete;
    ReadFile& operator=(const ReadFile&) = delete;

    int descriptor() const { return descriptor_; }
    void read(void* to, std::size_t bytes, std::uint64_t from) const
    {
        if (pread(descriptor_, to, bytes, static_cast<off_t>(from)) != static_cast<ssize_t>(bytes))
            is_none();
    }
    [[noreturn]] void is_none() const
    {
        throw std::runtime_error(name_ + " is not a program of this machine's own (an ELF file), and only "
                                         "such can share an address space: take context-switch=heavy.");
    }

private:
    const std::string& name_;
    const int descriptor_;
};

int protection_of(const Elf64_Phdr& segment)
{
    return ((segment.p_flags & PF_R) != 0 ? PROT_READ : 0) |
           ((segment.p_flags & PF_W) != 0 ? PROT_WRITE : 0) | ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
}

// The rest of its last page is zeros, as programs expect: the dynamic linker takes its first memory there.
bool map_segment(const Elf64_Phdr& segment, std::uintptr_t base, int file)
{
    const int protection = protection_of(segment);
    const std::uintptr_t start = base + segment.p_vaddr;
    const std::uintptr_t file_end = start + segment.p_filesz;
    const std::uintptr_t end = start + segment.p_memsz;
    const auto offset = static_cast<off_t>(segment.p_offset - (start - page_of(start)));
    void* const place = reinterpret_cast<void*>(page_of(start));
    if (segment.p_filesz != 0 && mmap(place, file_end - page_of(start), protection, MAP_PRIVATE | MAP_FIXED,
                                      file, offset) == MAP_FAILED)
        return false;
    const std::uintptr_t zeros = segment.p_filesz != 0 ? pages_up_to(file_end) : page_of(start);
    if (end > file_end && segment.p_filesz != 0 && (protection & PROT_WRITE) != 0)
        std::memset(reinterpret_cast<void*>(file_end), 0, zeros - file_end);
    return end <= zeros || mmap(reinterpret_cast<void*>(zeros), pages_up_to(end) - zeros, protection,
                                MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

} // namespace

ProgramImage::ProgramImage(const std::string& file) : base(0), entry(0), headers(0), header_count(0)
{
    const ReadFile opened(file);
    Elf64_Ehdr head;
    opened.read(&head, sizeof head, 0);
    const bool is_elf = std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
                        head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_machine == EM_X86_64 &&
                        head.e_phentsize == sizeof(Elf64_Phdr);
    if (!is_elf || (head.e_type != ET_DYN && head.e_type != ET_EXEC) || head.e_phnum == 0 ||
        head.e_phnum > most_segments)
        opened.is_none();
    if (head.e_type == ET_EXEC)
        throw std::runtime_error(file + " must lie at an address of its own, and all ranks share one address "
                                        "space: link it with -pie, or take context-switch=heavy.");
    std::vector<Elf64_Phdr> segments(head.e_phnum);
    opened.read(segments.data(), segments.size() * sizeof segments[0], head.e_phoff);
    std::uintptr_t first = UINTPTR_MAX, last = 0, alignment = page;
    for (const Elf64_Phdr& one : segments) {
        if (one.p_type == PT_INTERP) {
            std::string text(one.p_filesz, '\0');
            opened.read(text.data(), text.size(), one.p_offset);
            linker = text.c_str(); // without what ends it in the file
        }
        if (one.p_type != PT_LOAD || one.p_memsz == 0)
            continue;
        first = std::min(first, page_of(one.p_vaddr));
        last = std::max(last, pages_up_to(one.p_vaddr + one.p_memsz));
        alignment = std::max<std::uintptr_t>(alignment, one.p_align);
    }
    if (first >= last)
        opened.is_none();
    const std::size_t bytes = last - first + alignment - page;
    void* const place = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        no_memory(file);
    base = (reinterpret_cast<std::uintptr_t>(place) + alignment - 1) / alignment * alignment - first;
    for (const Elf64_Phdr& one : segments) {
        if (one.p_type == PT_PHDR)
            headers = base + one.p_vaddr;
        if (one.p_type == PT_LOAD && one.p_memsz != 0 && !map_segment(one, base, opened.descriptor())) {
            munmap(place, bytes);
            no_memory(file);
        }
    }
    if (headers == 0)
        headers = base + head.e_phoff;
    entry = base + head.e_entry;
    header_count = head.e_phnum;
}

std::uintptr_t new_stack()
{
    rlimit limit{};
    getrlimit(RLIMIT_STACK, &limit);
    const std::size_t bytes =
        page + pages_up_to(std::min<std::size_t>(std::max<rlim_t>(limit.rlim_cur, 4 * page), usual_stack));
    void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (place == MAP_FAILED)
        no_memory("stack");
    mprotect(place, page, PROT_NONE);
    return reinterpret_cast<std::uintptr_t>(place) + bytes;
}

namespace {

// Builds a stack from its upper end.
class Building {
public:
    explicit Building(std::uintptr_t end) : at_(end) { }

    std::uintptr_t add(const void* bytes, std::size_t count, std::size_t alignment = 1)
    {
        at_ = (at_ - count) / alignment * alignment;
        std::memcpy(reinterpret_cast<void*>(at_), bytes, count);
        return at_;
    }
    std::uintptr_t add(const std::string& text) { return add(text.c_str(), text.size() + 1); }
    std::vector<std::uintptr_t> add(const std::vector<std::string>& texts)
    {
        std::vector<std::uintptr_t> addresses;
        for (const std::string& text : texts)
            addresses.push_back(add(text));
        addresses.push_back(0);
        return addresses;
    }

private:
    std::uintptr_t at_;
};

// As Linux has given it to this process: what is the program's own is put in its place.
std::vector<Elf64_auxv_t> own_auxiliary_vector()
{
    std::ifstream file("/proc/self/auxv", std::ios::binary);
    std::vector<Elf64_auxv_t> found;
    for (Elf64_auxv_t one; file.read(reinterpret_cast<char*>(&one), sizeof one) && one.a_type != AT_NULL;)
        found.push_back(one);
    return found;
}

} // namespace

InitialStack::InitialStack(const ProgramImage& program, const ProgramImage* linker,
                           const std::vector<std::string>& words, const std::vector<std::string>& environment)
    : pointer(0)
{
    std::size_t bytes = 0;
    for (const auto* texts : {&words, &environment})
        for (const std::string& text : *texts)
            bytes += text.size() + 1 + sizeof(std::uintptr_t);
    rlimit limit{};
    getrlimit(RLIMIT_STACK, &limit);
    if (bytes > std::min<std::size_t>(limit.rlim_cur, usual_stack) / 4) // as Linux has it
        throw std::runtime_error(
            "The arguments and the environment are too long for a stack: raise ulimit -s.");
    char random[16];
    if (getrandom(random, sizeof random, 0) != static_cast<ssize_t>(sizeof random))
        throw std::runtime_error(std::string("Linux gives no random bytes (") + std::strerror(errno) + ").");
    Building stack(new_stack());
    const std::uintptr_t name = stack.add(words.front());
    const std::uintptr_t platform = stack.add(std::string("x86_64"));
    const std::vector<std::uintptr_t> variables = stack.add(environment);
    const std::vector<std::uintptr_t> arguments = stack.add(words);
    const std::uintptr_t drawn = stack.add(random, sizeof random, 16);
    std::vector<Elf64_auxv_t> auxiliary = own_auxiliary_vector();
    const auto set = [&](std::uint64_t type, std::uint64_t value) {
        const auto at = std::ranges::find(auxiliary, type, &Elf64_auxv_t::a_type);
        if (at != auxiliary.end())
            at->a_un.a_val = value;
        else
            auxiliary.push_back({type, {value}});
    };
    set(AT_PHDR, program.headers);
    set(AT_PHNUM, program.header_count);
    set(AT_ENTRY, program.entry);
    set(AT_BASE, linker != nullptr ? linker->base : 0);
    set(AT_EXECFN, name);
    set(AT_PLATFORM, platform);
    set(AT_RANDOM, drawn);
    auxiliary.push_back({AT_NULL, {0}});
    std::vector<std::uintptr_t> first{words.size()};
    first.insert(first.end(), arguments.begin(), arguments.end());
    first.insert(first.end(), variables.begin(), variables.end());
    const auto* const numbers = reinterpret_cast<const std::uintptr_t*>(auxiliary.data());
    first.insert(first.end(), numbers, numbers + auxiliary.size() * 2);
    pointer = stack.add(first.data(), first.size() * sizeof first[0], 16);
}

} // namespace parley::native
