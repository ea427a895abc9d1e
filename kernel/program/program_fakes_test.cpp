// SPDX-License-Identifier: MIT
// The fakes' bodies and the user copy that acts on them.
#include "kernel/program/program_fakes.hpp"

#include <algorithm>

#include "kernel/user_copy.hpp"

namespace parley::kernel::testing {

bool FakeSpace::free(std::uintptr_t page, std::size_t count) const
{
    const auto next = pages_.lower_bound(page);
    return next == pages_.end() || next->first >= page + count;
}

Result<UserAddress> FakeSpace::map(UserAddress start, std::size_t bytes, Protection protection,
                                   Replace replace)
{
    const std::size_t count = round_up(bytes, page_bytes) / page_bytes;
    if (count == 0 || start.value % page_bytes != 0)
        return std::unexpected(Error::bad_argument);
    if (pages_.size() + count > page_limit)
        return std::unexpected(Error::no_memory);
    std::uintptr_t page = start.value / page_bytes;
    if (start.value == 0) {
        page = next_;
        next_ += count + 1; // a hole after each, so that overruns show
    } else if (start.value < user_start || start.value + bytes > user_end) {
        return std::unexpected(Error::bad_argument);
    } else if (!free(page, count)) {
        if (replace == Replace::no)
            return std::unexpected(Error::bad_argument);
        (void)unmap(start, bytes);
    }
    for (std::size_t index = 0; index < count; ++index)
        pages_[page + index] = Page{.protection = protection};
    return UserAddress{page * page_bytes};
}

Result<void> FakeSpace::unmap(UserAddress start, std::size_t bytes)
{
    const std::uintptr_t first = start.value / page_bytes;
    pages_.erase(pages_.lower_bound(first),
                 pages_.lower_bound(first + round_up(bytes, page_bytes) / page_bytes));
    return {};
}

Result<void> FakeSpace::protect(UserAddress start, std::size_t bytes, Protection protection)
{
    for (std::uintptr_t at = start.value; at < start.value + bytes; at += page_bytes) {
        if (!mapped(at))
            return std::unexpected(Error::bad_argument);
        pages_[at / page_bytes].protection = protection;
    }
    return {};
}

Result<void> FakeSpace::discard(UserAddress start, std::size_t bytes)
{
    for (std::uintptr_t at = start.value; at < start.value + bytes; at += page_bytes) {
        if (mapped(at))
            pages_.at(at / page_bytes).bytes.fill(std::byte{0});
    }
    return {};
}

WordWait FakeControl::wait_on_word(UserAddress word, std::uint32_t expected,
                                   std::optional<std::uint64_t> until)
{
    std::uint32_t value = 0;
    if (!FakeSpace::current->load_checked(&value, word, sizeof value))
        return WordWait::bad_word;
    if (value != expected)
        return WordWait::had_changed;
    if (!until)
        return WordWait::killed;
    now = std::max(now, *until);
    return WordWait::timed_out;
}

bool FakeSpace::covers(UserAddress start, std::size_t bytes)
{
    for (std::uintptr_t at = start.value; at < start.value + bytes; at += page_bytes) {
        if (!mapped(at))
            return false;
    }
    return true;
}

Result<void> FakeSpace::store(UserAddress to, const void* from, std::size_t bytes)
{
    for (std::size_t index = 0; index < bytes; ++index) {
        const std::uintptr_t at = to.value + index;
        if (!mapped(at))
            return std::unexpected(Error::bad_argument);
        pages_[at / page_bytes].bytes[at % page_bytes] = static_cast<const std::byte*>(from)[index];
    }
    return {};
}

Result<void> FakeSpace::load_checked(void* to, UserAddress from, std::size_t bytes) const
{
    for (std::size_t index = 0; index < bytes; ++index) {
        const std::uintptr_t at = from.value + index;
        if (protection_at(at) == Protection::none)
            return std::unexpected(Error::bad_buffer);
        static_cast<std::byte*>(to)[index] = pages_.at(at / page_bytes).bytes[at % page_bytes];
    }
    return {};
}

Result<void> FakeSpace::store_checked(UserAddress to, const void* from, std::size_t bytes)
{
    for (std::size_t index = 0; index < bytes; ++index) {
        if (protection_at(to.value + index) != Protection::read_write)
            return std::unexpected(Error::bad_buffer);
        TRY_VOID(store(to + index, static_cast<const std::byte*>(from) + index, 1));
    }
    return {};
}

long FakeSpace::put_text(const std::string& text)
{
    const long place = room(text.size() + 1);
    (void)store({static_cast<std::uintptr_t>(place)}, text.c_str(), text.size() + 1);
    return place;
}

long FakeSpace::room(std::size_t bytes)
{
    return static_cast<long>(map({0}, bytes, Protection::read_write, Replace::no)->value);
}

std::string FakeSpace::get_text(std::uintptr_t from) const
{
    std::string text;
    for (char character = get<char>(from); character != '\0'; character = get<char>(++from))
        text += character;
    return text;
}

std::string FakeSpace::get_bytes(std::uintptr_t from, std::size_t bytes) const
{
    std::string text(bytes, '\0');
    (void)load_checked(text.data(), {from}, bytes);
    return text;
}

Protection FakeSpace::protection_at(std::uintptr_t address) const
{
    const auto page = pages_.find(address / page_bytes);
    return page == pages_.end() ? Protection::none : page->second.protection;
}

} // namespace parley::kernel::testing

namespace parley::kernel {

using testing::FakeSpace;

Result<void> copy_from_user(void* to, UserAddress from, std::size_t bytes)
{
    return FakeSpace::current->load_checked(to, from, bytes);
}

Result<void> copy_to_user(UserAddress to, const void* from, std::size_t bytes)
{
    return FakeSpace::current->store_checked(to, from, bytes);
}

Result<void> copy_user_to_user(UserAddress to, UserAddress from, std::size_t bytes)
{
    std::vector<std::byte> bounce(bytes);
    TRY_VOID(copy_from_user(bounce.data(), from, bytes));
    return copy_to_user(to, bounce.data(), bytes);
}

} // namespace parley::kernel
