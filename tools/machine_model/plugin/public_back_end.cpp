// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/machine_model/plugin/public_back_end.hpp"

#include "tools/machine_model/plugin/interface.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::machine_model {

namespace {

// int $VECTOR, by which the kernel reads the clock.
constexpr std::array<std::uint8_t, 2> kernel_reading{0xcd, 0x44};
constexpr std::array<std::uint8_t, 2> program_reading{0x0f, 0x31};       // rdtsc
constexpr std::array<std::uint8_t, 3> ordered_reading{0x0f, 0x01, 0xf9}; // rdtscp

constexpr Picoseconds microsecond = 1000 * nanosecond;

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
    switch (guest_call_of(code)) {
    case GuestCall::attach:
        call([](unsigned, void* data) { static_cast<PublicBackEnd*>(data)->attach(); }, this);
        break;
    case GuestCall::join:
        call([](unsigned processor, void* data) { static_cast<PublicBackEnd*>(data)->join(processor); },
             this);
        break;
    case GuestCall::wait:
        call([](unsigned, void* data) { static_cast<PublicBackEnd*>(data)->look_for_work(); }, this);
        break;
    case GuestCall::none: break;
    }
    return false;
}

void PublicBackEnd::attach()
{
    const std::lock_guard guard(mutex_);
    memory_ = GuestMemory::find();
    mailbox_.open(*memory_, Lacking::clock_and_ticks);
}

// The order begins when all have come: until then they run as the emulator lets them, and take no time. What
// is left of the block takes none either.
void PublicBackEnd::join(unsigned processor)
{
    {
        const std::lock_guard guard(mutex_);
        if (++joined_ == processors()) {
            has_started_ = true;
            takes_time_ = true;
            turns_.begin(processors() - 1, beginning_after(before_));
        }
    }
    turns_.wait(processor);
    limit_ = turns_.stop_soon();
    is_beginning_ = true;
}

BackEnd::Entry PublicBackEnd::hold(unsigned processor, std::uint64_t block, const void*)
{
    if (!has_started_)
        return Entry::untimed;
    if (!turns_.runs(processor))
        turns_.come_back(processor); // it has left HLT
    else if (is_beginning_)
        end_beginning(processor);
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
        return mailbox_.show(before_, reading.bytes);
    }
    running_.now += machine().time_of(InstructionClass::system);
    read_at_ = running_.now;
    limit_ = turns_.stop_soon();
    reading_ = &reading;
    takes_time_ = false;
    mailbox_.show(read_at_, reading.bytes);
}

void PublicBackEnd::end_beginning(unsigned processor)
{
    is_beginning_ = false;
    running_.now = order_.clock(processor);
    turns_.go_on_until(limit_);
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
