// SPDX-License-Identifier: MIT
// A device that belongs to one processor, as on C.mmp (Oleinick and Fuller, 1): whoever wants something of it
// asks its owner by an interprocessor interrupt, and the owner runs the service routine, which lengthens what
// ran there and nothing else. The device and what is wanted of it are simulated: at its ticks one processor
// makes requests (device_traffic.hpp), whose service takes a time that is injected, and the record of
// the run says so. The interrupts are real.
#pragma once

#include "arch/x86_64/apic.hpp"
#include "arch/x86_64/asm_offsets.hpp"
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/pause.hpp"
#include "arch/x86_64/processor.hpp"
#include "sched/dispatcher.hpp"
#include "studies/cmmp/measuring/device_traffic.hpp"

#include "sched/trace_points.hpp"

namespace parley::cmmp {

class Device {
public:
    // What service routines have taken since this was last asked.
    struct Served {
        std::uint64_t requests;
        std::uint64_t nanoseconds;
    };

    // Once, when both processors have started. `asker` makes the requests.
    void start(const DeviceTraffic& traffic, const arch::Processor& owner, const arch::Processor& asker)
    {
        traffic_ = traffic;
        owner_ = &owner;
        asker_.store(&asker, std::memory_order_release); // the asker's next tick finds the others
    }

    // At a tick of that processor, with interrupts off.
    void tick(const arch::Processor& processor)
    {
        if (asker_.load(std::memory_order_acquire) != &processor)
            return;
        const std::uint64_t service = traffic_.at_tick();
        if (service == 0)
            return;
        requests_.fetch_add(1, std::memory_order_relaxed);
        // Release: the owner, which the interrupt reaches, sees it.
        wanted_.fetch_add(service, std::memory_order_release);
        if (owner_ == &processor)
            serve();
        else
            arch::send_interrupt(owner_->apic_id, DEVICE_VECTOR);
    }
    // The service routine: on the owner, with interrupts off. Interrupts that came meanwhile are one.
    void serve()
    {
        sched::trace::interrupt_begins();
        const std::uint64_t begin = arch::nanoseconds();
        const std::uint64_t end = begin + wanted_.exchange(0, std::memory_order_acquire);
        while (arch::nanoseconds() < end)
            arch::pause();
        const std::uint64_t took = arch::nanoseconds() - begin;
        sched::current().interrupted_nanoseconds += took;
        served_nanoseconds_.fetch_add(took, std::memory_order_relaxed);
        sched::trace::interrupt_ends();
    }

    Served served()
    {
        return {requests_.exchange(0, std::memory_order_relaxed),
                served_nanoseconds_.exchange(0, std::memory_order_relaxed)};
    }

private:
    DeviceTraffic traffic_;
    const arch::Processor* owner_ = nullptr;
    Atomic<const arch::Processor*> asker_{nullptr}; // null: there is no device
    Atomic<std::uint64_t> wanted_{0};               // of the owner, in nanoseconds
    Atomic<std::uint64_t> requests_{0};
    Atomic<std::uint64_t> served_nanoseconds_{0};
};

} // namespace parley::cmmp
