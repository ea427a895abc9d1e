// SPDX-License-Identifier: MIT
// The Linux calls that programs may make: the one list, LINUX_CALLS(X) expanding X(number, name), and a
// function for each. A function gets the six argument registers as they came, checks what it uses, and
// reaches user memory only through the user copy.
#pragma once

#include "kernel/program/personality.hpp"
#include "kernel/user_copy.hpp"

namespace parley::kernel::linux_calls {

#define LINUX_CALLS(X)        \
    X(0, read)                \
    X(1, write)               \
    X(2, open)                \
    X(3, close)               \
    X(4, stat)                \
    X(5, fstat)               \
    X(6, lstat)               \
    X(8, lseek)               \
    X(9, mmap)                \
    X(10, mprotect)           \
    X(11, munmap)             \
    X(12, brk)                \
    X(13, rt_sigaction)       \
    X(14, rt_sigprocmask)     \
    X(16, ioctl)              \
    X(17, pread64)            \
    X(18, pwrite64)           \
    X(19, readv)              \
    X(20, writev)             \
    X(21, access)             \
    X(24, sched_yield)        \
    X(25, mremap)             \
    X(32, dup)                \
    X(33, dup2)               \
    X(28, madvise)            \
    X(35, nanosleep)          \
    X(39, getpid)             \
    X(56, clone)              \
    X(60, exit)               \
    X(62, kill)               \
    X(63, uname)              \
    X(72, fcntl)              \
    X(74, fsync)              \
    X(75, fdatasync)          \
    X(76, truncate)           \
    X(77, ftruncate)          \
    X(79, getcwd)             \
    X(80, chdir)              \
    X(82, rename)             \
    X(83, mkdir)              \
    X(84, rmdir)              \
    X(85, creat)              \
    X(87, unlink)             \
    X(89, readlink)           \
    X(90, chmod)              \
    X(95, umask)              \
    X(96, gettimeofday)       \
    X(98, getrusage)          \
    X(99, sysinfo)            \
    X(100, times)             \
    X(102, getuid)            \
    X(104, getgid)            \
    X(107, geteuid)           \
    X(108, getegid)           \
    X(110, getppid)           \
    X(140, getpriority)       \
    X(141, setpriority)       \
    X(158, arch_prctl)        \
    X(162, sync)              \
    X(186, gettid)            \
    X(201, time)              \
    X(202, futex)             \
    X(204, sched_getaffinity) \
    X(218, set_tid_address)   \
    X(228, clock_gettime)     \
    X(229, clock_getres)      \
    X(230, clock_nanosleep)   \
    X(231, exit_group)        \
    X(234, tgkill)            \
    X(257, openat)            \
    X(262, newfstatat)        \
    X(263, unlinkat)          \
    X(264, renameat)          \
    X(267, readlinkat)        \
    X(269, faccessat)         \
    X(273, set_robust_list)   \
    X(292, dup3)              \
    X(302, prlimit64)         \
    X(316, renameat2)         \
    X(318, getrandom)         \
    X(334, rseq)              \
    X(435, clone3)

// Those of them that use nothing of what a program's threads share, may wait long, or never return.
#define LINUX_CALLS_APART(X)  \
    X(14, rt_sigprocmask)     \
    X(24, sched_yield)        \
    X(28, madvise)            \
    X(35, nanosleep)          \
    X(39, getpid)             \
    X(56, clone)              \
    X(60, exit)               \
    X(62, kill)               \
    X(96, gettimeofday)       \
    X(158, arch_prctl)        \
    X(186, gettid)            \
    X(201, time)              \
    X(202, futex)             \
    X(204, sched_getaffinity) \
    X(218, set_tid_address)   \
    X(228, clock_gettime)     \
    X(230, clock_nanosleep)   \
    X(231, exit_group)        \
    X(234, tgkill)            \
    X(273, set_robust_list)   \
    X(435, clone3)

using Arguments = const long (&)[6];

#define LINUX_CALL_DECLARATION(number, name) LinuxValue name(Personality&, Arguments);
LINUX_CALLS(LINUX_CALL_DECLARATION)
#undef LINUX_CALL_DECLARATION

// An argument that is an address; may be anything.
constexpr UserAddress address(long argument) { return {static_cast<std::uintptr_t>(argument)}; }

// What a timespec in user memory says, in nanoseconds. Errors, as Linux has them: it is not the program's, or
// no time.
std::expected<std::uint64_t, LinuxValue> fetch_time(UserAddress from);

// An argument that is an int: programs leave anything in the register's upper half.
constexpr long integer(long argument) { return static_cast<int>(argument); }

// Writes a call's result structure; its size is part of Linux's interface, so it is named at the call.
template <std::size_t bytes, class T>
LinuxValue answer(UserAddress to, const T& value)
{
    static_assert(sizeof(T) == bytes);
    return linux_value(write_user(to, value));
}

} // namespace parley::kernel::linux_calls
