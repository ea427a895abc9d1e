// SPDX-License-Identifier: MIT
// This machine among those that run its jobs together, each a kernel of its own, joined by network cards: a
// link to each of the others. Frames come by interrupt and leave at once; the tick of the processor that
// keeps the time sends again what was lost.
#pragma once

#include "arch/x86_64/network_card.hpp"
#include "base/spin_lock.hpp"
#include "kernel/network/attendance.hpp"
#include "kernel/network/job_link.hpp"
#include "kernel/program/configuration.hpp"
#include "kernel/program/failure.hpp"

#include <array>
#include <span>
#include <string_view>

namespace parley::kernel {

struct Kernel;
class Window;

class Machines final : Wire {
public:
    // The part that carries a job's messages over the links implements this.
    class Listener {
    public:
        // Packets have come, there is room for others, or there is trouble. Called on any processor, with the
        // machines' lock held, so the listener calls none of the machines' operations meanwhile. The compiler
        // cannot hold that: the lock is theirs alone, and a listener knows no machines.
        virtual void look() = 0;

    protected:
        ~Listener() = default;
    };

    Machines(const MachineTable& table, std::uint32_t kernel, std::uint32_t boot)
        : table_(table), kernel_(kernel), boot_(boot),
          attendance_({.machines = table.number, .here = table.here, .kernel = kernel, .boot = boot},
                      trouble_)
    {
    }
    Machines(const Machines&) = delete;

    // Finds and starts the card. Called once, on the processor that is to have its interrupts.
    Loaded<void> start(Window& window);

    unsigned count() const { return table_.number; }
    unsigned here() const { return table_.here; }

    // ---- by the helper of the job that runs

    // Null: nobody listens any more.
    void listen(Listener* listener);
    // As JobLink has them. Where there is no room, the listener hears when there may be.
    bool send(unsigned machine, std::span<const std::byte> first, std::span<const std::byte> rest);
    bool has_room(unsigned machine, unsigned job);
    // Has the listener look at the next tick.
    void look_at_tick();
    std::size_t receive(unsigned machine, unsigned job, std::span<std::byte> into);
    // How a machine says that this job has ended there, as tell_end() was told, and which; 0: none has.
    unsigned heard_end(unsigned job, unsigned& machine);
    // What is wrong, a sentence that stays; empty: nothing.
    std::string_view trouble() const { return trouble_.sentence(); }

    // ---- by anybody, on any processor, interrupts off

    // Has the listener look, if there is one.
    void have_look();
    // Tells all others how a job has ended here, where it did not end well.
    void tell_end(unsigned job, unsigned end);
    // Whether another has not got all that it is to get, and is expected to.
    bool has_to_stay();
    // The card has raised its interrupt.
    void interrupted();
    // At each tick of the processor that keeps the time.
    void tick(std::uint64_t now);

private:
    void transmit(const FrameHead& head, std::span<const std::byte> packet) override REQUIRES(lock_);
    void take_frame(std::span<const std::byte> bytes, std::uint64_t now) REQUIRES(lock_);

    const MachineTable table_;
    const std::uint32_t kernel_, boot_;
    SpinLock lock_;
    arch::NetworkCard card_ GUARDED_BY(lock_);
    std::array<JobLink*, MachineTable::most> links_{};
    Listener* listener_ GUARDED_BY(lock_) = nullptr;
    bool wants_room_ GUARDED_BY(lock_) = false;
    bool looks_at_tick_ GUARDED_BY(lock_) = false;
    Trouble trouble_;
    Attendance attendance_ GUARDED_BY(lock_);
};

// Boot step: joins the other machines, if the request names any.
Loaded<void> join_machines(Kernel& kernel);
// The run is about to end: waits until the others have all that they are to get, each as long as it is heard
// of. One may be behind by several jobs, or have a slow host, and would take this machine for lost.
void leave_machines(Kernel& kernel);

} // namespace parley::kernel
