// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/machine_model/plugin/instrumentation.hpp"

#include "tools/machine_model/branch_predictor.hpp"
#include "tools/machine_model/dataflow.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace parley::machine_model {

namespace {

constexpr std::uint64_t page_bytes = 4096;

// Instructions that follow each other in memory.
struct Code {
    std::uint64_t address = 0;
    unsigned bytes = 0;
};

// One translated block. The emulator keeps its address for as long as it likes, so it stays.
struct TranslatedBlock {
    Code parts[2]; // it may go on in another page
    std::array<std::uint32_t, instruction_classes> instructions{};
    Picoseconds time = 0;             // what these take
    std::vector<std::uint64_t> begun; // how often, by processor
    // What follows is of machines whose processors overlap accesses.
    Dataflow flow;
    std::uint64_t address = 0; // virtual, as where it goes on if it does not jump
    std::uint64_t next = 0;
    bool copies = false; // it lies in a routine that copies
};

// One processor's time in such routines.
struct Copying {
    bool is_in = false;
    Picoseconds since = 0; // its clock when its last block began
    Picoseconds time = 0;
};

// What the callback of an overlapped access is told of its instruction.
struct Overlapped {
    const TranslatedBlock* block;
    Dataflow::Place place;
    bool is_locked;
    bool is_string;
    Hint hint; // in whose place it reads
};

// One processor that overlaps accesses.
struct Overlapping {
    RegisterTimes registers;
    std::optional<BranchPredictor> predictor;
    const TranslatedBlock* block = nullptr; // that it is in
    std::uint64_t position = 0;             // of the block's first instruction among all
    std::uint64_t jumps = 0;                // conditional ones
    std::uint64_t wrong = 0;                // of them, not foreseen
    Picoseconds for_jumps = 0;              // what these took
};

constinit BackEnd* back_end = nullptr;
std::mutex translating;
std::deque<TranslatedBlock>* blocks = nullptr;
std::vector<Picoseconds>* wide_time = nullptr; // of further steps, by processor
std::vector<AddressRange>* copy_routines = nullptr;
std::vector<Copying>* copying = nullptr; // by processor
CountsByInterval* intervals = nullptr;   // null: nobody wants them

// By which steps an instruction moves data: both what it reads and what it writes, unless these are the same
// and take their time once.
struct Movement {
    Machine::Steps read;
    Machine::Steps write;
    bool is_locked = false;
    bool reads_first = false; // where it comes as a writing alone
};
std::array<Movement, 2 * instruction_classes>* movements = nullptr;
std::deque<Overlapped>* overlapped = nullptr;    // as long as their blocks
std::vector<Overlapping>* overlapping = nullptr; // by processor; null: the machine overlaps nothing

// Before that processor counts anything further. Where nobody wants intervals it is not a single instruction,
// so the callbacks are there twice.
template <bool by_interval>
void look_at_interval(unsigned processor)
{
    if constexpr (by_interval) {
        const unsigned number = back_end->number_in_machine(processor);
        const Picoseconds now = back_end->running().now;
        if (intervals->is_over(number, now))
            intervals->end(number, now, back_end->machine().memory().counts(number));
    }
}

const Movement& movement_of(InstructionClass kind, bool writes_what_it_reads)
{
    return (*movements)[2 * static_cast<std::size_t>(kind) + (writes_what_it_reads ? 1 : 0)];
}

// In line, for it is called for each block.
[[gnu::always_inline]] inline void fetch(unsigned processor, const TranslatedBlock& block)
{
    RunningClock& running = back_end->running();
    for (const Code& code : block.parts)
        if (code.bytes != 0)
            running.now += back_end->machine().memory().fetch(
                {back_end->number_in_machine(processor), code.address, code.bytes, running.now});
}

// Before anything of the block takes time.
void count_copying(Copying& state, const TranslatedBlock& block)
{
    const Picoseconds now = back_end->running().now;
    if (state.is_in)
        state.time += now - state.since;
    state.is_in = block.copies;
    state.since = now;
}

// Between two blocks: the jump that may lie there, and what the first one's registers wait for.
void overlap_block(Overlapping& state, const TranslatedBlock& block)
{
    RunningClock& running = back_end->running();
    if (const TranslatedBlock* const before = state.block) {
        const Machine::Jumps& jumps = back_end->machine().jumps();
        if (state.predictor && before->flow.ends_in_jump()) {
            ++state.jumps;
            if (!state.predictor->foresaw(before->address, block.address != before->next)) {
                ++state.wrong;
                const Picoseconds known =
                    std::max(running.now, state.registers.of(before->flow.decided_by())) + jumps.wrong;
                state.for_jumps += known - running.now;
                running.now = known;
            }
        }
        state.registers.end_block(before->flow, running.now);
        state.position += before->flow.instructions();
    }
    state.block = &block;
}

template <bool by_interval>
[[gnu::noinline]] void on_block(unsigned processor, void* data)
{
    TranslatedBlock& block = *static_cast<TranslatedBlock*>(data);
    BackEnd::Entry entry = BackEnd::Entry::timed;
    if (back_end->running().stops(processor)) [[unlikely]]
        entry = back_end->hold(processor, block.address, __builtin_return_address(0));
    if (entry == BackEnd::Entry::untimed)
        return;
    if (entry == BackEnd::Entry::resumed) {
        if (overlapping != nullptr && back_end->is_modelled(processor))
            overlap_block((*overlapping)[processor], block);
        return;
    }
    ++block.begun[processor];
    if (!back_end->is_modelled(processor))
        return;
    look_at_interval<by_interval>(processor);
    count_copying((*copying)[processor], block);
    back_end->running().now +=
        back_end->machine().slower_by(back_end->number_in_machine(processor), block.time);
    if (overlapping != nullptr)
        overlap_block((*overlapping)[processor], block);
    if (back_end->machine().memory().takes_time())
        fetch(processor, block);
}

// Data that an instruction moves between memory and registers.
struct Moved {
    std::uint64_t physical;
    unsigned bytes;
    const Machine::Steps& steps;
    Picoseconds (Memory::*access)(const Access&);
};

void move(unsigned processor, const Moved& data)
{
    const unsigned step = std::min(data.bytes, data.steps.bytes);
    Memory& memory = back_end->machine().memory();
    RunningClock& running = back_end->running();
    const Picoseconds again =
        data.steps.again +
        back_end->machine().slower_by(back_end->number_in_machine(processor), data.steps.again);
    for (unsigned moved = 0; moved < data.bytes; moved += step) {
        if (moved != 0) {
            running.now += again;
            (*wide_time)[processor] += again;
        }
        const Access access{back_end->number_in_machine(processor), data.physical + moved, step, running.now};
        running.now += (memory.*data.access)(access);
    }
}

// The data are the instruction's Movement.
template <bool by_interval>
void on_access(unsigned processor, qemu_plugin_meminfo_t what, std::uint64_t address, void* data)
{
    if (!back_end->is_timed(processor))
        return;
    const qemu_plugin_hwaddr* place = qemu_plugin_get_hwaddr(what, address);
    if (place == nullptr || qemu_plugin_hwaddr_is_io(place))
        return;
    look_at_interval<by_interval>(processor);
    const auto& movement = *static_cast<const Movement*>(data);
    const unsigned bytes = 1U << qemu_plugin_mem_size_shift(what);
    const std::uint64_t physical = qemu_plugin_hwaddr_phys_addr(place);
    const bool is_store = qemu_plugin_mem_is_store(what);
    const auto reads = movement.is_locked ? &Memory::read_to_write : &Memory::read;
    if (movement.reads_first || !is_store)
        move(processor, {physical, bytes, movement.read, reads});
    if (is_store)
        move(processor, {physical, bytes, movement.write, &Memory::write});
}

// In place of on_access() where processors overlap accesses. The data are the instruction's Overlapped.
template <bool by_interval>
void on_overlapped_access(unsigned processor, qemu_plugin_meminfo_t what, std::uint64_t address, void* data)
{
    if (!back_end->is_timed(processor))
        return;
    const qemu_plugin_hwaddr* place = qemu_plugin_get_hwaddr(what, address);
    if (place == nullptr || qemu_plugin_hwaddr_is_io(place))
        return;
    look_at_interval<by_interval>(processor);
    const auto& instruction = *static_cast<const Overlapped*>(data);
    Overlapping& state = (*overlapping)[processor];
    OutOfOrder& core = *back_end->machine().out_of_order();
    RunningClock& running = back_end->running();
    Access access{back_end->number_in_machine(processor), qemu_plugin_hwaddr_phys_addr(place),
                  1U << qemu_plugin_mem_size_shift(what), running.now};
    const std::uint64_t position = state.position + instruction.place.position;
    const Picoseconds known = state.registers.of(instruction.place.address);
    const bool is_of_copy = instruction.block->copies;
    if (instruction.hint != Hint::none) {
        core.ask(access, known, instruction.hint == Hint::to_write);
        return;
    }
    if (instruction.is_locked) {
        core.exchange(access);
        if (back_end->joins_locked_accesses())
            core.exchange(access);
    } else if (qemu_plugin_mem_is_store(what)) {
        if (is_of_copy)
            core.write_copy(access, position, known, instruction.is_string);
        else
            core.write(access, position, known, instruction.is_string);
    } else {
        state.registers.set_read(instruction.place.reader, is_of_copy
                                                               ? core.read_to_copy(access, position, known)
                                                               : core.read(access, position, known));
    }
    running.now = access.at;
}

// Before an instruction that enters or leaves the kernel, or orders accesses.
void on_drain(unsigned processor, void*)
{
    if (!back_end->is_timed(processor))
        return;
    RunningClock& running = back_end->running();
    running.now =
        back_end->machine().out_of_order()->drain(back_end->number_in_machine(processor), running.now);
}

// In place of what other instructions add to the clock: afterwards it is another processor's.
void on_halt(unsigned processor, void*)
{
    back_end->running().now += back_end->machine().time_of(InstructionClass::system);
    back_end->halt(processor);
}

// An instruction may begin in one page and end in the next one. Its bytes in the second page are not charged:
// the emulator does not say where in memory they lie.
void add(TranslatedBlock& block, qemu_plugin_insn* instruction, unsigned bytes)
{
    const std::uint64_t rest_of_page = page_bytes - qemu_plugin_insn_vaddr(instruction) % page_bytes;
    bytes = static_cast<unsigned>(std::min<std::uint64_t>(bytes, rest_of_page));
    const std::uint64_t address = back_end->memory_offset(qemu_plugin_insn_haddr(instruction));
    for (Code& code : block.parts) {
        if (code.bytes == 0)
            code.address = address;
        if (address == code.address + code.bytes) {
            code.bytes += bytes;
            return;
        }
    }
}

void instrument_overlapped(qemu_plugin_insn* instruction, TranslatedBlock& block, InstructionClass kind,
                           std::span<const std::uint8_t> code, std::span<const std::uint8_t> before)
{
    const Hint hint = shows_place_of(before, code) ? hint_of(before) : Hint::none;
    const bool is_locked = kind == InstructionClass::atomic;
    const Dataflow::Place place = block.flow.add(register_use(code));
    const auto on_any = intervals == nullptr ? on_overlapped_access<false> : on_overlapped_access<true>;
    qemu_plugin_register_vcpu_mem_cb(instruction, on_any, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                     &overlapped->emplace_back(Overlapped{
                                         &block, place, is_locked, kind == InstructionClass::string, hint}));
    if (kind == InstructionClass::system && !is_halt(code))
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_drain, QEMU_PLUGIN_CB_NO_REGS, nullptr);
    block.next = qemu_plugin_insn_vaddr(instruction) + code.size();
}

void on_translation(qemu_plugin_id_t, qemu_plugin_tb* translated)
{
    const Machine& machine = back_end->machine();
    const std::lock_guard guard(translating); // a processor's thread may translate beside others
    TranslatedBlock& block = blocks->emplace_back();
    block.begun.resize(back_end->processors());
    qemu_plugin_register_vcpu_tb_exec_cb(translated, intervals == nullptr ? on_block<false> : on_block<true>,
                                         QEMU_PLUGIN_CB_NO_REGS, &block);
    block.address = qemu_plugin_tb_vaddr(translated);
    block.copies = std::ranges::any_of(*copy_routines,
                                       [&](const AddressRange& one) { return one.contains(block.address); });
    const std::size_t count = qemu_plugin_tb_n_insns(translated);
    std::span<const std::uint8_t> before;
    for (std::size_t i = 0; i < count; ++i) {
        qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(translated, i);
        const std::size_t bytes = qemu_plugin_insn_size(instruction);
        const std::span code{static_cast<const std::uint8_t*>(qemu_plugin_insn_data(instruction)), bytes};
        const InstructionClass kind = classify(code);
        ++block.instructions[static_cast<std::size_t>(kind)];
        block.time += machine.time_of(kind);
        add(block, instruction, static_cast<unsigned>(bytes));
        if (is_halt(code))
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_halt, QEMU_PLUGIN_CB_NO_REGS, nullptr);
        else if (!back_end->watch(instruction, code))
            qemu_plugin_register_vcpu_insn_exec_inline(instruction, QEMU_PLUGIN_INLINE_ADD_U64,
                                                       &back_end->running().now, machine.time_of(kind));
        if (overlapping != nullptr)
            instrument_overlapped(instruction, block, kind, code, before);
        else if (machine.accesses_take_time())
            qemu_plugin_register_vcpu_mem_cb(
                instruction, intervals == nullptr ? on_access<false> : on_access<true>,
                QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                const_cast<Movement*>(&movement_of(kind, writes_what_it_reads(code))));
        before = code;
    }
}

} // namespace

void instrument(qemu_plugin_id_t id, BackEnd& with, std::vector<AddressRange> copies,
                CountsByInterval* by_interval)
{
    back_end = &with;
    intervals = by_interval;
    Machine& machine = with.machine();
    blocks = new std::deque<TranslatedBlock>;
    wide_time = new std::vector<Picoseconds>(with.processors());
    copy_routines = new std::vector<AddressRange>(std::move(copies));
    copying = new std::vector<Copying>(with.processors());
    if (machine.out_of_order() != nullptr) {
        overlapped = new std::deque<Overlapped>;
        overlapping = new std::vector<Overlapping>(with.processors());
        for (Overlapping& one : *overlapping)
            if (machine.jumps().counters != 0)
                one.predictor.emplace(machine.jumps().counters);
    }
    movements = new std::array<Movement, 2 * instruction_classes>;
    for (unsigned kind = 0; kind < instruction_classes; ++kind) {
        const Machine::Steps& steps = machine.steps_of(static_cast<InstructionClass>(kind));
        const bool is_locked = static_cast<InstructionClass>(kind) == InstructionClass::atomic;
        const bool joined = is_locked && with.joins_locked_accesses();
        (*movements)[2 * kind] = {steps, steps, is_locked, joined};
        (*movements)[2 * kind + 1] = {{}, steps, is_locked, joined};
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
}

std::array<std::uint64_t, instruction_classes> instructions_of(unsigned processor)
{
    std::array<std::uint64_t, instruction_classes> result{};
    for (const TranslatedBlock& block : *blocks)
        for (unsigned kind = 0; kind < instruction_classes; ++kind)
            result[kind] += block.begun[processor] * block.instructions[kind];
    return result;
}

Picoseconds wide_time_of(unsigned processor) { return (*wide_time)[processor]; }

Picoseconds copying_of(unsigned processor)
{
    const Copying& state = (*copying)[processor];
    return state.time + (state.is_in ? back_end->clock(processor) - state.since : 0);
}

std::optional<JumpCounts> jumps_of(unsigned processor)
{
    if (overlapping == nullptr)
        return std::nullopt;
    const Overlapping& state = (*overlapping)[processor];
    return JumpCounts{state.jumps, state.wrong, state.for_jumps};
}

} // namespace parley::machine_model
