// SPDX-License-Identifier: MIT
// What a call leaves for its program beside its answer (interface/message_calls.h). Only the process
// itself writes it.
#pragma once

#include "messaging/reply.hpp"

namespace parley::messaging {

class CallNotes {
public:
    // A send has answered something else than 0.
    void note_unsent(const SendArguments& arguments) { left_.unsent = arguments; }
    // The bytes of the message that was received last are at `address`.
    void note_block(unsigned long address) { left_.block = address; }

    const parley_left& left() const { return left_; }

private:
    parley_left left_{};
};

} // namespace parley::messaging
