// SPDX-License-Identifier: MIT
// The atomic type of the whole message system. The exhaustive explorer puts a header of the same name first
// on its include path, and so runs these very sources with every order of their atomic steps.
#pragma once

#include <atomic>

namespace parley::messaging {

template <class T>
using Atomic = std::atomic<T>;

} // namespace parley::messaging
