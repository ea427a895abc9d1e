// SPDX-License-Identifier: MIT
#include "kernel/processors.hpp"

#include <utility>

namespace parley::kernel {

void Processors::make_first_service_processor()
{
    has_service_processor_ = true;
    blocks_[count_] = std::exchange(blocks_[0], nullptr);
    blocks_[count_]->id = count_;
}

void Processors::set_dispatcher(unsigned id, sched::Dispatcher& dispatcher)
{
    dispatchers_[id] = &dispatcher;
    (id < count_ ? servers_ : service_server_).add(dispatcher);
}

void Processors::wake_where_it_runs(const sched::Process& process) const
{
    for (unsigned id = 0; id < count_; ++id) {
        sched::Dispatcher& dispatcher = *dispatchers_[id];
        if (dispatcher.runs(process) && &dispatcher != &sched::Dispatcher::here())
            dispatcher.wake();
    }
}

void Processors::decide_again() const
{
    for (unsigned id = 0; id < count_; ++id) {
        sched::Dispatcher& dispatcher = *dispatchers_[id];
        dispatcher.request_decision();
        if (&dispatcher != &sched::Dispatcher::here())
            dispatcher.wake();
    }
}

} // namespace parley::kernel
