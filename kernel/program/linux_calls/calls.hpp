// SPDX-License-Identifier: MIT
// The Linux calls that programs may make: the one list, LINUX_CALLS, and a function for each. A function gets
// the six argument registers as they came, checks what it uses, and reaches user memory only through the user
// copy. SHARED(number, name): threads of a program make it one after another, for it uses what they share.
// APART(number, name): it uses nothing of that, may wait long, or never returns.
#pragma once

#include "kernel/program/personality.hpp"
#include "kernel/user_copy.hpp"

namespace parley::kernel::linux_calls {

#define LINUX_CALLS(SHARED, APART) \
    SHARED(0, read)                \
    SHARED(1, write)               \
    SHARED(2, open)                \
    SHARED(3, close)               \
    SHARED(4, stat)                \
    SHARED(5, fstat)               \
    SHARED(6, lstat)               \
    SHARED(8, lseek)               \
    SHARED(9, mmap)                \
    SHARED(10, mprotect)           \
    SHARED(11, munmap)             \
    SHARED(12, brk)                \
    SHARED(13, rt_sigaction)       \
    APART(14, rt_sigprocmask)      \
    SHARED(16, ioctl)              \
    SHARED(17, pread64)            \
    SHARED(18, pwrite64)           \
    SHARED(19, readv)              \
    SHARED(20, writev)             \
    SHARED(21, access)             \
    APART(24, sched_yield)         \
    SHARED(25, mremap)             \
    SHARED(32, dup)                \
    SHARED(33, dup2)               \
    APART(28, madvise)             \
    APART(35, nanosleep)           \
    APART(39, getpid)              \
    APART(56, clone)               \
    APART(60, exit)                \
    APART(62, kill)                \
    SHARED(63, uname)              \
    SHARED(72, fcntl)              \
    SHARED(74, fsync)              \
    SHARED(75, fdatasync)          \
    SHARED(76, truncate)           \
    SHARED(77, ftruncate)          \
    SHARED(79, getcwd)             \
    SHARED(80, chdir)              \
    SHARED(82, rename)             \
    SHARED(83, mkdir)              \
    SHARED(84, rmdir)              \
    SHARED(85, creat)              \
    SHARED(87, unlink)             \
    SHARED(89, readlink)           \
    SHARED(90, chmod)              \
    SHARED(95, umask)              \
    APART(96, gettimeofday)        \
    SHARED(98, getrusage)          \
    SHARED(99, sysinfo)            \
    SHARED(100, times)             \
    SHARED(102, getuid)            \
    SHARED(104, getgid)            \
    SHARED(107, geteuid)           \
    SHARED(108, getegid)           \
    SHARED(110, getppid)           \
    SHARED(140, getpriority)       \
    SHARED(141, setpriority)       \
    APART(158, arch_prctl)         \
    SHARED(162, sync)              \
    APART(186, gettid)             \
    APART(201, time)               \
    APART(202, futex)              \
    APART(203, sched_setaffinity)  \
    APART(204, sched_getaffinity)  \
    APART(218, set_tid_address)    \
    APART(228, clock_gettime)      \
    SHARED(229, clock_getres)      \
    APART(230, clock_nanosleep)    \
    APART(231, exit_group)         \
    APART(234, tgkill)             \
    SHARED(257, openat)            \
    SHARED(262, newfstatat)        \
    SHARED(263, unlinkat)          \
    SHARED(264, renameat)          \
    SHARED(267, readlinkat)        \
    SHARED(269, faccessat)         \
    APART(273, set_robust_list)    \
    SHARED(292, dup3)              \
    SHARED(302, prlimit64)         \
    SHARED(316, renameat2)         \
    SHARED(318, getrandom)         \
    SHARED(334, rseq)              \
    APART(435, clone3)

using Arguments = const long (&)[6];

#define LINUX_CALL_DECLARATION(number, name) LinuxValue name(Personality&, Arguments);
LINUX_CALLS(LINUX_CALL_DECLARATION, LINUX_CALL_DECLARATION)
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
