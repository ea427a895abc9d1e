// SPDX-License-Identifier: MIT
// What every call on a message system returns, and the arguments of a send and of a receive. Layouts follow
// the proxy call.
#pragma once

#include "kernel/base/address.hpp"

namespace parley::messaging {

struct Reply {
    long value = 0;
    long type = -1;  // of the message a receive or probe found; -1 otherwise
    long source = 0; // node | pid << 32
    long block = 0;  // receive_block: where the bytes are; done and probe: the length
};

struct SendArguments {
    long type;
    UserAddress buffer;
    long length;
    long node;    // -1: all nodes but the caller's
    long address; // pid | context << 32
};

struct ReceiveArguments {
    long typesel;
    UserAddress buffer;
    long maximum;
    long nodesel; // -1: any
    long address; // pid selector | context << 32
};

} // namespace parley::messaging
