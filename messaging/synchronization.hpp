// SPDX-License-Identifier: MIT
// Factor "synchronization": how does a party wait? The factor knows nothing of messages and lives with the
// scheduler; these are its names here.
#pragma once

#include "sched/synchronization/synchronization.hpp"

namespace parley::messaging {

using sched::Event;
using sched::Lock;
using sched::Party;
using sched::Synchronization;

} // namespace parley::messaging
