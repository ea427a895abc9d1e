// SPDX-License-Identifier: MIT
// The one seam to user memory. Every access to a user program's memory goes through these functions: they
// check that the range is user space, open SMAP for just the copy, and turn a fault into Error::bad_buffer.
// They act on the address space that is current, may take page faults, and are preemptible between pieces:
// call them without locks.
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"

#include <type_traits>

namespace parley::kernel {

// A process that never leaves the kernel has its own memory there, which is copied as a program's would be.
Result<void> copy_from_user(void* to, UserAddress from, std::size_t bytes);
Result<void> copy_to_user(UserAddress to, const void* from, std::size_t bytes);
Result<void> copy_user_to_user(UserAddress to, UserAddress from, std::size_t bytes);

// One object, fetched exactly once.
template <class T>
    requires std::is_trivially_copyable_v<T>
Result<T> read_user(UserAddress from)
{
    T value;
    TRY_VOID(copy_from_user(&value, from, sizeof value));
    return value;
}

template <class T>
    requires std::is_trivially_copyable_v<T>
Result<void> write_user(UserAddress to, const T& value)
{
    return copy_to_user(to, &value, sizeof value);
}

} // namespace parley::kernel
