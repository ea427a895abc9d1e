// SPDX-License-Identifier: MIT
// The type of words that several processors share without a kernel lock, in the message system and its
// waiting. The explorer puts a header of the same name first on its include path, and so runs these very
// sources in every order of their atomic steps.
#pragma once

#include <atomic>

namespace parley {

template <class T>
using Atomic = std::atomic<T>;

} // namespace parley
