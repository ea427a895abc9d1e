// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/machine_model/plugin/guest_protocol.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::machine_model {

namespace {

constexpr std::uint64_t mailbox_address = 0x9000;
enum MailboxWord { magic, time, asked };

// NOPs with an address of their own, nopl CALL(%rax); and int $VECTOR, in place of STI and HLT.
constexpr std::array<std::uint8_t, 7> attach_code{0x0f, 0x1f, 0x80, 0x01, 0x00, 0xfe, 0x51};
constexpr std::array<std::uint8_t, 7> join_code{0x0f, 0x1f, 0x80, 0x02, 0x00, 0xfe, 0x51};
constexpr std::array<std::uint8_t, 2> wait_code{0xcd, 0x45};

} // namespace

GuestCall guest_call_of(std::span<const std::uint8_t> code)
{
    if (std::ranges::equal(code, attach_code))
        return GuestCall::attach;
    if (std::ranges::equal(code, join_code))
        return GuestCall::join;
    return std::ranges::equal(code, wait_code) ? GuestCall::wait : GuestCall::none;
}

void GuestMailbox::open(const GuestMemory& memory, Lacking what)
{
    words_ = reinterpret_cast<volatile std::uint64_t*>(memory.at(mailbox_address));
    if (words_ != nullptr)
        words_[magic] = std::to_underlying(what);
}

void GuestMailbox::show(Picoseconds now, std::uint64_t bytes)
{
    if (words_ == nullptr)
        return;
    words_[time] = now / nanosecond;
    words_[asked] = bytes;
}

} // namespace parley::machine_model
