// SPDX-License-Identifier: MIT
// brk, mmap and relatives. No page becomes writable and executable. Mapped files are private copies.
#include "kernel/program/linux_calls/calls.hpp"

#include <algorithm>
#include <optional>

namespace parley::kernel::linux_calls {

namespace {

constexpr long prot_read = 1, prot_write = 2, prot_exec = 4;
constexpr long map_type = 0x0f, map_shared = 1, map_private = 2, map_shared_validate = 3, map_fixed = 0x10,
               map_anonymous = 0x20, map_fixed_noreplace = 0x100000;
constexpr long mremap_may_move = 1;

struct Range {
    UserAddress start;
    std::size_t bytes; // whole pages
};

// Pages of user space; the start of a range may be 0 where anywhere is meant.
std::optional<Range> range_of(long start, long bytes)
{
    const auto first = static_cast<std::uintptr_t>(start);
    const auto length = static_cast<std::size_t>(bytes);
    if (first % page_bytes != 0 || length == 0 || length > AddressSpace::user_end ||
        first > AddressSpace::user_end)
        return std::nullopt;
    const std::size_t whole = round_up(length, page_bytes);
    if (whole > AddressSpace::user_end - first)
        return std::nullopt;
    return Range{{first}, whole};
}

std::expected<Protection, LinuxValue> protection_of(long bits)
{
    if ((bits & ~(prot_read | prot_write | prot_exec)) != 0)
        return std::unexpected(linux_error::invalid);
    if ((bits & prot_write) != 0 && (bits & prot_exec) != 0)
        return std::unexpected(linux_error::access);
    if ((bits & prot_write) != 0)
        return Protection::read_write;
    if ((bits & prot_exec) != 0)
        return Protection::read_execute;
    return (bits & prot_read) != 0 ? Protection::read : Protection::none;
}

LinuxValue value_of(const Result<UserAddress>& mapped)
{
    return mapped ? static_cast<LinuxValue>(mapped->value) : linux_value(mapped.error());
}

struct Mapping {
    Range range;
    Protection protection;
    bool fixed;
    Replace replace;
};

LinuxValue map(Personality& personality, const Mapping& mapping, Protection protection)
{
    const UserAddress start = mapping.fixed ? mapping.range.start : UserAddress{0};
    const auto mapped = personality.space().map(start, mapping.range.bytes, protection, mapping.replace);
    if (!mapped && mapped.error() == Error::bad_argument && mapping.fixed && mapping.replace == Replace::no)
        return linux_error::exists;
    return value_of(mapped);
}

LinuxValue fill_from_file(Personality& personality, UserAddress to, std::size_t bytes, long descriptor,
                          std::size_t offset)
{
    const auto bounce = personality.bounce();
    for (std::size_t done = 0; done < bytes;) {
        const auto piece = bounce.first(std::min(bounce.size(), bytes - done));
        const LinuxValue got = personality.files().read_at(descriptor, offset + done, piece);
        if (got <= 0)
            return got;
        const auto copied = copy_to_user(to + done, piece.data(), static_cast<std::size_t>(got));
        if (!copied)
            return linux_value(copied.error());
        done += static_cast<std::size_t>(got);
        if (const auto alive = personality.control().preemption_point(); !alive)
            return linux_value(alive.error());
    }
    return 0;
}

LinuxValue map_file(Personality& personality, const Mapping& mapping, long descriptor, long offset)
{
    if (offset < 0 || static_cast<std::size_t>(offset) % page_bytes != 0)
        return linux_error::invalid;
    const LinuxValue probe = personality.files().read_at(descriptor, 0, {});
    if (probe < 0)
        return probe == linux_error::illegal_seek ? linux_error::no_device : probe;
    const LinuxValue start = map(personality, mapping, Protection::read_write);
    if (start < 0)
        return start;
    LinuxValue result = fill_from_file(personality, address(start), mapping.range.bytes, descriptor,
                                       static_cast<std::size_t>(offset));
    if (result == 0 && mapping.protection != Protection::read_write)
        result =
            linux_value(personality.space().protect(address(start), mapping.range.bytes, mapping.protection));
    if (result == 0)
        return start;
    (void)personality.space().unmap(address(start),
                                    mapping.range.bytes); // the first failure is the one to report
    return result;
}

LinuxValue move_mapping(Personality& personality, const Range& old, std::size_t bytes)
{
    AddressSpace& space = personality.space();
    const auto moved = space.map({0}, bytes, Protection::read_write, Replace::no);
    if (!moved)
        return linux_value(moved.error());
    const auto copied = copy_user_to_user(*moved, old.start, old.bytes);
    const Result<void> dropped = copied ? space.unmap(old.start, old.bytes) : space.unmap(*moved, bytes);
    if (!copied)
        return linux_value(copied.error());
    return dropped ? static_cast<LinuxValue>(moved->value) : linux_value(dropped.error());
}

} // namespace

LinuxValue brk(Personality& personality, Arguments arguments)
{
    personality.heap().move_end(address(arguments[0]));
    return static_cast<LinuxValue>(personality.heap().end().value);
}

LinuxValue mmap(Personality& personality, Arguments arguments)
{
    const long flags = arguments[3];
    const long type = flags & map_type;
    if (type < map_shared || type > map_shared_validate)
        return linux_error::invalid;
    const bool fixed = (flags & (map_fixed | map_fixed_noreplace)) != 0;
    const auto range = range_of(fixed ? arguments[0] : 0, arguments[1]);
    const auto protection = protection_of(arguments[2]);
    if (!range || (fixed && range->start.value == 0))
        return arguments[1] > 0 && !fixed ? linux_error::no_memory : linux_error::invalid;
    if (!protection)
        return protection.error();
    const bool replaces = fixed && (flags & map_fixed_noreplace) == 0;
    const Mapping mapping{*range, *protection, fixed, replaces ? Replace::yes : Replace::no};
    if ((flags & map_anonymous) != 0)
        return map(personality, mapping, *protection);
    // What is written to a shared mapping would have to reach the file, which copies cannot do.
    if (type != map_private && *protection == Protection::read_write)
        return linux_error::no_device;
    return map_file(personality, mapping, integer(arguments[4]), arguments[5]);
}

LinuxValue munmap(Personality& personality, Arguments arguments)
{
    const auto range = range_of(arguments[0], arguments[1]);
    if (!range)
        return linux_error::invalid;
    return linux_value(personality.space().unmap(range->start, range->bytes));
}

LinuxValue mprotect(Personality& personality, Arguments arguments)
{
    const auto protection = protection_of(arguments[2]);
    if (!protection)
        return protection.error();
    if (arguments[1] == 0)
        return 0;
    const auto range = range_of(arguments[0], arguments[1]);
    if (!range)
        return linux_error::invalid;
    // Linux says "no memory" when part of the range is not mapped.
    return personality.space().protect(range->start, range->bytes, *protection) ? 0 : linux_error::no_memory;
}

// MADV_DONTNEED alone changes what a program sees; all other advice may be ignored.
LinuxValue madvise(Personality& personality, Arguments arguments)
{
    constexpr long not_needed = 4;
    if (arguments[1] == 0)
        return 0;
    const auto range = range_of(arguments[0], arguments[1]);
    if (!range)
        return linux_error::invalid;
    if (!personality.space().covers(range->start, range->bytes))
        return linux_error::no_memory;
    return integer(arguments[2]) == not_needed
               ? linux_value(personality.space().discard(range->start, range->bytes))
               : 0;
}

LinuxValue mremap(Personality& personality, Arguments arguments)
{
    const auto old = range_of(arguments[0], arguments[1]);
    const auto wanted = range_of(arguments[0], arguments[2]);
    if (!old || !wanted || (arguments[3] & ~mremap_may_move) != 0)
        return linux_error::invalid;
    AddressSpace& space = personality.space();
    if (!space.covers(old->start, old->bytes))
        return linux_error::fault;
    if (wanted->bytes == old->bytes)
        return arguments[0];
    if (wanted->bytes < old->bytes) {
        const LinuxValue cut =
            linux_value(space.unmap(old->start + wanted->bytes, old->bytes - wanted->bytes));
        return cut < 0 ? cut : arguments[0];
    }
    const std::size_t more = wanted->bytes - old->bytes;
    if (space.map(old->start + old->bytes, more, Protection::read_write, Replace::no))
        return arguments[0];
    return (arguments[3] & mremap_may_move) != 0 ? move_mapping(personality, *old, wanted->bytes)
                                                 : linux_error::no_memory;
}

} // namespace parley::kernel::linux_calls
