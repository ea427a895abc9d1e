// SPDX-License-Identifier: MIT
// Blocking for the user-level message library: sleep on a word of the job's shared region, with the
// condition checked again in the kernel.
#pragma once

#include "base/result.hpp"
#include "kernel/process/user_process.hpp"

namespace parley::kernel {

// The calling process sleeps while the word holds `expected`. Errors: bad_buffer, killed.
Result<std::uint64_t> block_on_shared_word(UserProcess& self, UserAddress word, std::uint32_t expected);
// Wakes at most `count` that sleep on the word, and answers how many. Errors: bad_buffer.
Result<std::uint64_t> wake_shared_word(UserProcess& self, UserAddress word, unsigned count);

} // namespace parley::kernel
