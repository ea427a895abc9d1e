// SPDX-License-Identifier: MIT
// What a call leaves for its program beside its answer (interface/message_calls.h). The process itself writes
// this.
#pragma once

#include "messaging/reply.hpp"

namespace parley::messaging {

class CallNotes {
public:
    // A send has answered with something else than 0.
    void note_unsent(const SendArguments& arguments) { left_.unsent = arguments; }
    // Where the bytes of the message are that was received last.
    void note_block(unsigned long place) { left_.block = place; }

    const parley_left& left() const { return left_; }

private:
    parley_left left_{};
};

} // namespace parley::messaging
