// SPDX-License-Identifier: MIT
// The requests of a process that stands alone, with the room that they lie in.
#pragma once

#include "messaging/requests.hpp"
#include "testing/mapped_memory.hpp"

namespace parley::testing {

class OwnRequests : MappedMemory, public messaging::Requests {
public:
    OwnRequests() : MappedMemory(room_bytes), Requests(start()) { }
};

} // namespace parley::testing
