// SPDX-License-Identifier: MIT
#include "kernel/network/machines.hpp"

#include "arch/x86_64/apic.hpp"
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/registers.hpp"
#include "arch/x86_64/trap.hpp"
#include "kernel/found.hpp"

#include <algorithm>
#include <cstring>

namespace parley::kernel {

namespace {

extern "C" char text_start[];
extern "C" char text_end[];

// A checksum of the kernel's code and of the request. Machines whose checksums differ run no job together.
std::uint32_t identity_of(const Kernel& kernel)
{
    const std::uint32_t machines = kernel.configuration.machines.number;
    Crc32 sum;
    sum.add(
        {reinterpret_cast<const std::byte*>(text_start), static_cast<std::size_t>(text_end - text_start)});
    if (const auto file = kernel.archive.find("parley.conf"))
        sum.add(file->bytes);
    sum.add(std::as_bytes(std::span(&machines, 1)));
    return sum.value();
}

class WindowMapper final : public arch::NetworkCard::Mapper {
public:
    explicit WindowMapper(Window& window) : window_(window) { }
    Result<std::byte*> map_device(PhysAddr frame) override { return window_.map_device(frame); }

private:
    Window& window_;
};

} // namespace

Loaded<void> Machines::start(Window& window)
{
    constexpr std::string_view too_little_memory =
        "there is too little memory for the links to other machines";
    for (unsigned machine = 0; machine < count(); ++machine) {
        if (machine == here())
            continue;
        const ReliableLink::Ends ends{here(), machine, kernel_, boot_};
        links_[machine] =
            TRY(explain(window.create<JobLink>(static_cast<Wire&>(*this), ends), too_little_memory));
    }
    WindowMapper mapper(window);
    const Result<void> started = [&] {
        const LockGuard guard(lock_);
        attendance_.begin(arch::nanoseconds());
        return card_.start(window.frames(), mapper, here(), arch::apic_id(), NETWORK_VECTOR);
    }();
    if (!started && started.error() == Error::no_memory)
        return refuse(too_little_memory, Error::no_memory);
    if (!started)
        return refuse(
            "this machine has no network card of virtio's older interface that sends interrupt messages; "
            "boot it with -device virtio-net-pci,disable-modern=on",
            Error::not_found);
    return {};
}

void Machines::listen(Listener* listener)
{
    const LockGuard guard(lock_);
    listener_ = listener;
}

bool Machines::send(unsigned machine, std::span<const std::byte> first, std::span<const std::byte> rest)
{
    const LockGuard guard(lock_);
    if (links_[machine]->send(first, rest, arch::nanoseconds()))
        return true;
    wants_room_ = true;
    return false;
}

bool Machines::has_room(unsigned machine, unsigned job)
{
    const LockGuard guard(lock_);
    const bool has_room = links_[machine]->has_room(job);
    wants_room_ = wants_room_ || !has_room;
    return has_room;
}

void Machines::look_at_tick()
{
    const LockGuard guard(lock_);
    looks_at_tick_ = true;
}

void Machines::have_look()
{
    const LockGuard guard(lock_);
    if (listener_ != nullptr)
        listener_->look();
}

std::size_t Machines::receive(unsigned machine, unsigned job, std::span<std::byte> into)
{
    const LockGuard guard(lock_);
    return links_[machine]->receive(job, into, arch::nanoseconds());
}

unsigned Machines::heard_end(unsigned job, unsigned& machine)
{
    const LockGuard guard(lock_);
    for (machine = 0; machine < count(); ++machine)
        if (const unsigned end = machine == here() ? 0 : links_[machine]->heard_end(job))
            return end;
    return 0;
}

void Machines::tell_end(unsigned job, unsigned end)
{
    const LockGuard guard(lock_);
    for (JobLink* const link : links_)
        if (link != nullptr)
            link->tell_end(job, end, arch::nanoseconds());
}

bool Machines::has_to_stay()
{
    const LockGuard guard(lock_);
    const std::uint64_t now = arch::nanoseconds();
    for (const JobLink* const link : links_)
        if (link != nullptr && !link->has_sent_all() && attendance_.expects(link->last_heard(), now))
            return true;
    return false;
}

void Machines::transmit(const FrameHead& head, std::span<const std::byte> packet)
{
    card_.send(head.to, std::as_bytes(std::span(&head, 1)), packet);
}

void Machines::take_frame(std::span<const std::byte> bytes, std::uint64_t now)
{
    FrameHead head;
    std::span<const std::byte> packet;
    if (!read_frame(bytes, head, packet))
        return;
    if (!attendance_.admits(head))
        return;
    JobLink& link = *links_[head.from];
    link.arrive(head, packet, now);
    if (link.has_begun_anew())
        attendance_.note_new_boot(head.from);
}

void Machines::interrupted()
{
    const LockGuard guard(lock_);
    const std::uint64_t now = arch::nanoseconds();
    for (std::span<const std::byte> bytes; card_.next_frame(bytes); card_.give_back())
        take_frame(bytes, now);
    card_.go_on();
    bool has_packets = false;
    for (JobLink* const link : links_) {
        if (link == nullptr)
            continue;
        link->answer(now);
        has_packets = has_packets || link->has_packet();
    }
    if (listener_ == nullptr || !(has_packets || wants_room_ || trouble_.is_there()))
        return;
    wants_room_ = false;
    listener_->look();
}

void Machines::tick(std::uint64_t now)
{
    const LockGuard guard(lock_);
    for (unsigned machine = 0; machine < count(); ++machine) {
        if (machine == here())
            continue;
        links_[machine]->tick(now);
        attendance_.look(machine, links_[machine]->last_heard(), now);
    }
    if (listener_ != nullptr && (looks_at_tick_ || trouble_.is_there()))
        listener_->look();
    looks_at_tick_ = false;
}

Loaded<void> join_machines(Kernel& kernel)
{
    const MachineTable& table = kernel.configuration.machines;
    if (table.number == 1)
        return {};
    Window& window = kernel.memory.own_window();
    const auto boot = std::max(1u, static_cast<std::uint32_t>(arch::read_time_stamp()));
    kernel.machines = TRY(explain(window.create<Machines>(table, identity_of(kernel), boot),
                                  "there is too little memory for the links to other machines"));
    return kernel.machines->start(window);
}

void leave_machines(Kernel& kernel)
{
    constexpr std::uint64_t step = 10'000'000;
    if (kernel.machines == nullptr)
        return;
    while (kernel.machines->has_to_stay())
        (void)kernel.timers.sleep_until(arch::nanoseconds() + step);
}

} // namespace parley::kernel

namespace parley::arch {

void on_network() { kernel::found::kernel().machines->interrupted(); }

} // namespace parley::arch
