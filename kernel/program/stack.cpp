// SPDX-License-Identifier: MIT
#include "kernel/program/stack.hpp"

#include "kernel/program/elf.hpp"
#include "kernel/program/random.hpp"

#include <algorithm>
#include <cstring>

namespace parley::kernel {

namespace {

// Types of auxiliary vector entries, as Linux numbers them.
enum Auxiliary : std::uint64_t {
    at_null = 0,
    at_phdr = 3,
    at_phent = 4,
    at_phnum = 5,
    at_pagesz = 6,
    at_base = 7,
    at_flags = 8,
    at_entry = 9,
    at_uid = 11,
    at_euid = 12,
    at_gid = 13,
    at_egid = 14,
    at_platform = 15,
    at_hwcap = 16,
    at_clktck = 17,
    at_secure = 23,
    at_random = 25,
    at_hwcap2 = 26,
    at_execfn = 31,
    at_minsigstksz = 51,
};

constexpr std::size_t auxiliary_entries = 21;
constexpr std::string_view platform = "x86_64";
constexpr std::string_view environment_texts[] = {
    "PATH=/bin", "HOME=/", "LANG=C", "PWD=/", "GFORTRAN_UNBUFFERED_PRECONNECTED=y", "PARLEY_TABLE=1",
};

std::uint64_t processor_features()
{
    // AT_HWCAP is CPUID leaf 1's edx; what every x86-64 processor has: FPU, TSC, CX8, CMOV, FXSR, SSE, SSE2.
    return 1u << 0 | 1u << 4 | 1u << 8 | 1u << 15 | 1u << 24 | 1u << 25 | 1u << 26;
}

// Fills the scratch buffer: texts from its end downwards, the table of words in what is left. Once something
// did not fit, everything after is passed over and fits() says so.
class StackWriter {
public:
    StackWriter(std::span<std::byte> scratch, UserAddress top)
        : scratch_(scratch), top_(top), low_(scratch.size())
    {
        std::fill(scratch_.begin(), scratch_.end(),
                  std::byte{0}); // gaps between the pieces reach the program too
    }

    UserAddress push(const void* from, std::size_t bytes, std::size_t alignment)
    {
        fits_ = fits_ && bytes + alignment <= low_;
        if (fits_) {
            low_ = round_down(low_ - bytes, alignment);
            std::copy_n(static_cast<const std::byte*>(from), bytes, scratch_.data() + low_);
        }
        return address();
    }
    UserAddress push_text(std::string_view text)
    {
        push("", 1, 1);
        return push(text.data(), text.size(), 1);
    }
    // Room for `count` words below everything else; word() fills them in order.
    void open_table(std::size_t count)
    {
        fits_ = fits_ && count * sizeof(std::uint64_t) + 16 <= low_;
        if (fits_)
            low_ = round_down(low_ - count * sizeof(std::uint64_t), 16);
        cursor_ = low_;
    }
    void word(std::uint64_t value)
    {
        if (fits_)
            std::memcpy(scratch_.data() + cursor_, &value, sizeof value);
        cursor_ += sizeof value;
    }
    void entry(std::uint64_t type, std::uint64_t value)
    {
        word(type);
        word(value);
    }
    bool fits() const { return fits_; }
    UserAddress address() const { return {top_.value - (scratch_.size() - low_)}; }
    std::span<const std::byte> contents() const { return std::span<const std::byte>(scratch_).subspan(low_); }

private:
    std::span<std::byte> scratch_;
    UserAddress top_;
    std::size_t low_;
    std::size_t cursor_ = 0;
    bool fits_ = true;
};

// Where the things that the auxiliary vector points to were put.
struct Pushed {
    UserAddress start;
    UserAddress random;
    UserAddress platform;
    UserAddress name;
};

void write_auxiliary(StackWriter& writer, const LoadedImage& image, const Pushed& pushed)
{
    writer.entry(at_phdr, image.program_headers.value);
    writer.entry(at_phent, sizeof(elf::ProgramHeader));
    writer.entry(at_phnum, image.program_header_count);
    writer.entry(at_pagesz, page_bytes);
    writer.entry(at_base, 0); // no dynamic loader
    writer.entry(at_flags, 0);
    writer.entry(at_entry, image.entry.value);
    for (const std::uint64_t identity : {at_uid, at_euid, at_gid, at_egid})
        writer.entry(identity, 0);
    writer.entry(at_secure, 0);
    writer.entry(at_random, pushed.random.value);
    writer.entry(at_hwcap, processor_features());
    writer.entry(at_hwcap2, 0);
    writer.entry(at_clktck, 100);
    writer.entry(at_platform, pushed.platform.value);
    writer.entry(at_execfn, pushed.name.value);
    writer.entry(at_minsigstksz, 2048);
    writer.entry(PARLEY_AT_START, pushed.start.value);
    writer.entry(at_null, 0);
}

// Pointers to texts that lie one after the other from `first` on, each ended by a NUL; then a null pointer.
void write_pointers(StackWriter& writer, UserAddress first, std::span<const std::string_view> texts)
{
    for (const std::string_view text : texts) {
        writer.word(first.value);
        first = first + text.size() + 1;
    }
    writer.word(0);
}

UserAddress push_texts(StackWriter& writer, std::span<const std::string_view> texts)
{
    for (std::size_t index = texts.size(); index > 0; --index)
        writer.push_text(texts[index - 1]);
    return writer.address();
}

} // namespace

std::span<const std::string_view> standard_environment(bool table_follows)
{
    const std::span<const std::string_view> texts(environment_texts);
    return table_follows ? texts : texts.first(texts.size() - 1);
}

Loaded<UserAddress> build_stack(AddressSpace& space, UserAddress top, const StackContents& contents,
                                std::span<std::byte> scratch)
{
    StackWriter writer(scratch.first(round_down(scratch.size(), 16)), top);
    Random random(contents.seed);
    const std::uint64_t random_words[] = {random.next(), random.next()};
    Pushed pushed{};
    pushed.start = writer.push(&contents.start, sizeof contents.start, 16);
    pushed.random = writer.push(random_words, sizeof random_words, 16);
    pushed.platform = writer.push_text(platform);
    const UserAddress environment = push_texts(writer, contents.environment);
    const UserAddress arguments = push_texts(writer, contents.arguments);
    pushed.name = arguments;

    writer.open_table(1 + contents.arguments.size() + 1 + contents.environment.size() + 1 +
                      2 * auxiliary_entries);
    writer.word(contents.arguments.size());
    write_pointers(writer, arguments, contents.arguments);
    write_pointers(writer, environment, contents.environment);
    write_auxiliary(writer, contents.image, pushed);
    if (!writer.fits())
        return refuse("the arguments are too long; a program gets at most 16 KiB of them", Error::bad_length);
    TRY_VOID(explain(space.store(writer.address(), writer.contents().data(), writer.contents().size()),
                     "there is no memory for the stack"));
    return writer.address();
}

} // namespace parley::kernel
