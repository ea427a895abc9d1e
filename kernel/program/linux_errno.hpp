// SPDX-License-Identifier: MIT
// What Linux calls return: a value, or the negated number of an error. Only the errors that are used.
#pragma once

#include "base/result.hpp"

namespace parley::kernel {

// A value >= 0 (addresses included: user space lies in the lower half) or -errno.
using LinuxValue = long;

namespace linux_error {
inline constexpr LinuxValue not_permitted = -1;  // EPERM
inline constexpr LinuxValue no_entry = -2;       // ENOENT
inline constexpr LinuxValue no_process = -3;     // ESRCH
inline constexpr LinuxValue interrupted = -4;    // EINTR
inline constexpr LinuxValue io = -5;             // EIO
inline constexpr LinuxValue bad_file = -9;       // EBADF
inline constexpr LinuxValue again = -11;         // EAGAIN
inline constexpr LinuxValue no_memory = -12;     // ENOMEM
inline constexpr LinuxValue access = -13;        // EACCES
inline constexpr LinuxValue fault = -14;         // EFAULT
inline constexpr LinuxValue exists = -17;        // EEXIST
inline constexpr LinuxValue no_device = -19;     // ENODEV
inline constexpr LinuxValue not_directory = -20; // ENOTDIR
inline constexpr LinuxValue is_directory = -21;  // EISDIR
inline constexpr LinuxValue invalid = -22;       // EINVAL
inline constexpr LinuxValue too_many_open = -24; // EMFILE
inline constexpr LinuxValue not_terminal = -25;  // ENOTTY
inline constexpr LinuxValue file_too_big = -27;  // EFBIG
inline constexpr LinuxValue no_space = -28;      // ENOSPC
inline constexpr LinuxValue illegal_seek = -29;  // ESPIPE
inline constexpr LinuxValue range = -34;         // ERANGE
inline constexpr LinuxValue name_too_long = -36; // ENAMETOOLONG
inline constexpr LinuxValue no_such_call = -38;  // ENOSYS
inline constexpr LinuxValue not_empty = -39;     // ENOTEMPTY
inline constexpr LinuxValue timed_out = -110;    // ETIMEDOUT
} // namespace linux_error

constexpr LinuxValue linux_value(Error error)
{
    switch (error) {
    case Error::bad_buffer: return linux_error::fault;
    case Error::no_memory: return linux_error::no_memory;
    case Error::killed:
    case Error::interrupted: return linux_error::interrupted;
    case Error::not_found: return linux_error::no_entry;
    case Error::not_permitted: return linux_error::not_permitted;
    default: return linux_error::invalid;
    }
}

constexpr LinuxValue linux_value(const Result<void>& result)
{
    return result ? 0 : linux_value(result.error());
}

} // namespace parley::kernel
