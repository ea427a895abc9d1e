// SPDX-License-Identifier: MIT
#include "kernel/user_copy.hpp"

#include "arch/x86_64/user_copy.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/program/address_space.hpp"

#include <cstring>

namespace parley::kernel {

namespace {

// Interrupts stay off for one piece: about 15 microseconds.
constexpr std::size_t piece_bytes = 65536;

bool in_user_space(UserAddress address, std::size_t bytes)
{
    return address.value < AddressSpace::user_end && bytes <= AddressSpace::user_end - address.value;
}

std::byte* as_pointer(UserAddress address) { return reinterpret_cast<std::byte*>(address.value); }

Result<void> copy_piece(std::byte* to, const std::byte* from, std::size_t bytes)
{
    if (!arch::copy_with_user(to, from, bytes)) [[unlikely]]
        return std::unexpected(Error::bad_buffer);
    return {};
}

[[gnu::noinline]] Result<void> copy_in_pieces(std::byte* to, const std::byte* from, std::size_t bytes)
{
    while (bytes > piece_bytes) {
        TRY_VOID(copy_piece(to, from, piece_bytes));
        bytes -= piece_bytes;
        to += piece_bytes;
        from += piece_bytes;
        preemption_point();
    }
    return copy_piece(to, from, bytes);
}

Result<void> copy_checked(std::byte* to, const std::byte* from, std::size_t bytes)
{
    return bytes <= piece_bytes ? copy_piece(to, from, bytes) : copy_in_pieces(to, from, bytes);
}

// Then it has its own memory there.
bool stays_in_kernel() { return sched::current().execution.floating_point == nullptr; }

[[gnu::noinline]] Result<void> copy_outside_user_space(void* to, const void* from, std::size_t bytes)
{
    if (!stays_in_kernel())
        return std::unexpected(Error::bad_buffer);
    std::memcpy(to, from, bytes);
    return {};
}

} // namespace

Result<void> copy_from_user(void* to, UserAddress from, std::size_t bytes)
{
    if (!in_user_space(from, bytes))
        return copy_outside_user_space(to, as_pointer(from), bytes);
    return copy_checked(static_cast<std::byte*>(to), as_pointer(from), bytes);
}

Result<void> copy_to_user(UserAddress to, const void* from, std::size_t bytes)
{
    if (!in_user_space(to, bytes))
        return copy_outside_user_space(as_pointer(to), from, bytes);
    return copy_checked(as_pointer(to), static_cast<const std::byte*>(from), bytes);
}

Result<void> copy_user_to_user(UserAddress to, UserAddress from, std::size_t bytes)
{
    const bool both = in_user_space(to, bytes) && in_user_space(from, bytes);
    if (!both && !stays_in_kernel())
        return std::unexpected(Error::bad_buffer);
    return copy_checked(as_pointer(to), as_pointer(from), bytes);
}

} // namespace parley::kernel
