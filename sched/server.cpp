// SPDX-License-Identifier: MIT
#include "sched/server.hpp"

#include "sched/ready_queue.hpp"

namespace parley::sched {

Process* Server::next_process()
{
    // A queue that belongs to a gang goes with the gang. So we say which queue we are about to ask, and look
    // again whether we still serve it; who takes a queue away first has us serve another and then looks
    // whether we are asking: one sees the other.
    ReadyQueue* queue = queue_.load(std::memory_order_seq_cst);
    for (;;) {
        asked_.store(queue, std::memory_order_seq_cst);
        ReadyQueue* const now = queue_.load(std::memory_order_seq_cst);
        if (now == queue)
            break;
        queue = now;
    }
    Process* const process = queue->take(*this);
    asked_.store(nullptr, std::memory_order_release);
    return process;
}

} // namespace parley::sched
