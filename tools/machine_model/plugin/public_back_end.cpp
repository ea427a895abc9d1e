// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/machine_model/plugin/public_back_end.hpp"

#include "tools/machine_model/plugin/interface.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::machine_model {

namespace {

// As in arch/x86_64/model_clock.hpp; a test boots both.
constexpr std::uint64_t mailbox_address = 0x9000;
constexpr std::uint64_t mailbox_is_there = 0x656d6954'79656c50;
enum MailboxWord { magic, time, asked };
// NOPs with an address of their own: nopl CALL(%rax).
constexpr std::array<std::uint8_t, 7> attach_call{0x0f, 0x1f, 0x80, 0x01, 0x00, 0xfe, 0x51};
constexpr std::array<std::uint8_t, 7> join_call{0x0f, 0x1f, 0x80, 0x02, 0x00, 0xfe, 0x51};
// int $VECTOR, by which the kernel reads the clock and waits.
constexpr std::array<std::uint8_t, 2> kernel_reading{0xcd, 0x44};
constexpr std::array<std::uint8_t, 2> kernel_waiting{0xcd, 0x45};
constexpr std::array<std::uint8_t, 2> program_reading{0x0f, 0x31};       // rdtsc
constexpr std::array<std::uint8_t, 3> ordered_reading{0x0f, 0x01, 0xf9}; // rdtscp

constexpr Picoseconds microsecond = 1000 * nanosecond;
// How often a processor looks for work that has none.
constexpr Picoseconds between_looks = 100 * microsecond;

bool is(std::span<const std::uint8_t> code, std::span<const std::uint8_t> other)
{
    return std::ranges::equal(code, other);
}

} // namespace

PublicBackEnd::PublicBackEnd(Machine machine, unsigned processors, unsigned modelled, Picoseconds lookahead)
    : BackEnd{std::move(machine), processors, modelled, lookahead}
{
    takes_time_ = false;
}

bool PublicBackEnd::watch(qemu_plugin_insn* instruction, std::span<const std::uint8_t> code)
{
    const auto call = [&](qemu_plugin_vcpu_udata_cb_t callback, void* data) {
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, callback, QEMU_PLUGIN_CB_NO_REGS, data);
    };
    if (is(code, kernel_reading) || is(code, program_reading) || is(code, ordered_reading)) {
        call(
            [](unsigned, void* data) {
                const Reading& reading = *static_cast<Reading*>(data);
                reading.back_end->read_clock(reading);
            },
            &readings_.emplace_back(Reading{this, qemu_plugin_insn_vaddr(instruction) + code.size(),
                                            code.size(), is(code, kernel_reading)}));
        return true;
    }
    if (is(code, kernel_waiting))
        call([](unsigned, void* data) { static_cast<PublicBackEnd*>(data)->look_for_work(); }, this);
    else if (is(code, attach_call))
        call([](unsigned, void* data) { static_cast<PublicBackEnd*>(data)->attach(); }, this);
    else if (is(code, join_call))
        call([](unsigned processor, void* data) { static_cast<PublicBackEnd*>(data)->join(processor); },
             this);
    return false;
}

// The kernel asks whether there is a mailbox.
void PublicBackEnd::attach()
{
    const std::lock_guard guard(mutex_);
    memory_ = GuestMemory::find();
    mailbox_ = reinterpret_cast<volatile std::uint64_t*>(memory_->at(mailbox_address));
    if (mailbox_ != nullptr)
        mailbox_[magic] = mailbox_is_there;
}

void PublicBackEnd::show(Picoseconds now, const Reading& reading)
{
    if (mailbox_ == nullptr)
        return;
    mailbox_[time] = now / nanosecond;
    mailbox_[asked] = reading.bytes;
}

// The order begins when all have come: until then they run as the emulator lets them, and take no time.
void PublicBackEnd::join(unsigned processor)
{
    {
        const std::lock_guard guard(mutex_);
        if (++joined_ == processors()) {
            has_started_ = true;
            takes_time_ = true;
            turns_.begin(processors() - 1, before_);
        }
    }
    turns_.wait(processor);
}

BackEnd::Entry PublicBackEnd::hold(unsigned processor, std::uint64_t block, const void*)
{
    if (!has_started_)
        return Entry::untimed;
    if (!turns_.runs(processor))
        turns_.come_back(processor); // it has left HLT
    else if (reading_ != nullptr)
        return block == reading_->goes_on_at ? end_reading() : Entry::untimed;
    else
        turns_.pass_on(processor);
    return Entry::timed;
}

// The kernel sleeps when it has failed, and else looks for work instead.
void PublicBackEnd::halt(unsigned processor)
{
    if (has_started_ && turns_.runs(processor))
        turns_.halt(processor);
}

// What the trap's handler does stands for the instruction, and takes that one's time.
void PublicBackEnd::read_clock(const Reading& reading)
{
    if (!has_started_) {
        const std::lock_guard guard(mutex_);
        before_ += microsecond;
        return show(before_, reading);
    }
    running_.now += machine_.time_of(InstructionClass::system);
    read_at_ = running_.now;
    limit_ = turns_.stop_soon();
    reading_ = &reading;
    takes_time_ = false;
    show(read_at_, reading);
}

BackEnd::Entry PublicBackEnd::end_reading()
{
    running_.now = read_at_;
    turns_.go_on_until(limit_);
    takes_time_ = true;
    return std::exchange(reading_, nullptr)->ends_block ? Entry::timed : Entry::resumed;
}

void PublicBackEnd::look_for_work()
{
    if (has_started_)
        running_.now += between_looks;
}

} // namespace parley::machine_model
