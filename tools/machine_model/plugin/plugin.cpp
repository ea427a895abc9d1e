// SPDX-License-Identifier: GPL-2.0-or-later
// The emulator's plugin: reads its arguments, instruments what the emulator translates, writes its report.
//
// Arguments: machine=FILE (parameters, MachineFile), processors=N (those that the machine has; the emulator
// may have one more, its first, which keeps the time), lookahead=PS, report=FILE (written when the machine
// ends).
#include "tools/machine_model/branch_predictor.hpp"
#include "tools/machine_model/dataflow.hpp"
#include "tools/machine_model/plugin/interface.hpp"
#include "tools/machine_model/plugin/simulation.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace parley::machine_model {

namespace {

// Instructions that follow each other in memory.
struct Code {
    std::uint64_t address = 0;
    unsigned bytes = 0;
};

// One translated block. The emulator keeps its address for as long as it likes, so it stays.
struct Block {
    Code parts[2]; // it may go on in another page
    std::array<std::uint32_t, instruction_classes> instructions{};
    Picoseconds time = 0;             // what these take
    std::vector<std::uint64_t> begun; // how often, by processor
    // What follows is of machines whose processors overlap accesses.
    Dataflow flow;
    std::uint64_t address = 0; // virtual, as where it goes on if it does not jump
    std::uint64_t next = 0;
};

// What the callback of an overlapped access is told of its instruction.
struct Overlapped {
    const Block* block;
    Dataflow::Place place;
    bool is_locked;
    bool is_string;
};

// One processor that overlaps accesses.
struct Overlapping {
    RegisterTimes registers;
    std::optional<BranchPredictor> predictor;
    const Block* block = nullptr; // that it is in
    std::uint64_t position = 0;   // of the block's first instruction among all
    std::uint64_t jumps = 0;      // conditional ones
    std::uint64_t wrong = 0;      // of them, not foreseen
    Picoseconds for_jumps = 0;    // what these took
};

constinit Simulation* simulation = nullptr;
constinit Emulator* emulator = nullptr;
constinit const std::string* report_path = nullptr; // never destroyed: it is used while the process ends
std::deque<Block>* blocks = nullptr;
std::vector<Picoseconds>* wide_time = nullptr; // of further steps, by processor

// By which steps an instruction moves data: both what it reads and what it writes, unless these are the same
// and take their time once.
struct Movement {
    Machine::Steps read;
    Machine::Steps write;
};
std::array<Movement, 2 * instruction_classes>* movements = nullptr;
std::deque<Overlapped>* overlapped = nullptr;    // as long as their blocks
std::vector<Overlapping>* overlapping = nullptr; // by processor; null: the machine overlaps nothing

const Movement& movement_of(InstructionClass kind, bool writes_what_it_reads)
{
    return (*movements)[2 * static_cast<std::size_t>(kind) + (writes_what_it_reads ? 1 : 0)];
}

// How the emulator exits when the model refuses (tools/parley_runner/model.py knows both).
constexpr int bad_machine = 64;
constexpr int bad_emulator = 69;

[[noreturn]] void fail(int status, const std::string& sentence)
{
    std::fprintf(stderr, "machine model: %s\n", sentence.c_str());
    std::_Exit(status);
}

[[noreturn]] void fail_for_emulator(const std::string& lacking)
{
    fail(bad_emulator, "This emulator cannot be modelled by the fast back end: " + lacking +
                           "; take QEMU 7.2 as Debian builds it, or CLOCK=counted.");
}

void fetch(unsigned processor, const Block& block)
{
    RunningClock& running = simulation->running();
    for (const Code& code : block.parts)
        if (code.bytes != 0)
            running.now += simulation->machine().memory().fetch(
                {simulation->number_in_machine(processor), code.address, code.bytes, running.now});
}

// Between two blocks: the jump that may lie there, and what the first one's registers wait for.
void overlap_block(Overlapping& state, const Block& block)
{
    RunningClock& running = simulation->running();
    if (const Block* const before = state.block) {
        const Machine::Jumps& jumps = simulation->machine().jumps();
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

[[gnu::noinline]] void on_block(unsigned processor, void* data)
{
    Block& block = *static_cast<Block*>(data);
    const RunningClock& running = simulation->running();
    if (processor != running.processor || running.now >= running.limit) [[unlikely]]
        simulation->hold(processor, __builtin_return_address(0));
    ++block.begun[processor];
    if (!simulation->is_modelled(processor))
        return;
    simulation->running().now +=
        simulation->machine().slower_by(simulation->number_in_machine(processor), block.time);
    if (overlapping != nullptr)
        overlap_block((*overlapping)[processor], block);
    if (simulation->machine().memory().takes_time())
        fetch(processor, block);
}

// The data are the instruction's Movement.
void on_access(unsigned processor, qemu_plugin_meminfo_t what, std::uint64_t address, void* data)
{
    if (!simulation->is_modelled(processor))
        return;
    const qemu_plugin_hwaddr* place = qemu_plugin_get_hwaddr(what, address);
    if (place == nullptr || qemu_plugin_hwaddr_is_io(place))
        return;
    const auto& movement = *static_cast<const Movement*>(data);
    const unsigned bytes = 1U << qemu_plugin_mem_size_shift(what);
    const std::uint64_t physical = qemu_plugin_hwaddr_phys_addr(place);
    const bool is_store = qemu_plugin_mem_is_store(what);
    const Machine::Steps& steps = is_store ? movement.write : movement.read;
    const unsigned step = std::min(bytes, steps.bytes);
    Memory& memory = simulation->machine().memory();
    RunningClock& running = simulation->running();
    const Picoseconds again =
        steps.again + simulation->machine().slower_by(simulation->number_in_machine(processor), steps.again);
    for (unsigned moved = 0; moved < bytes; moved += step) {
        if (moved != 0) {
            running.now += again;
            (*wide_time)[processor] += again;
        }
        const Access access{simulation->number_in_machine(processor), physical + moved, step, running.now};
        running.now += is_store ? memory.write(access) : memory.read(access);
    }
}

// In place of on_access() where processors overlap accesses. The data are the instruction's Overlapped.
void on_overlapped_access(unsigned processor, qemu_plugin_meminfo_t what, std::uint64_t address, void* data)
{
    if (!simulation->is_modelled(processor))
        return;
    const qemu_plugin_hwaddr* place = qemu_plugin_get_hwaddr(what, address);
    if (place == nullptr || qemu_plugin_hwaddr_is_io(place))
        return;
    const auto& instruction = *static_cast<const Overlapped*>(data);
    Overlapping& state = (*overlapping)[processor];
    OutOfOrder& core = *simulation->machine().out_of_order();
    RunningClock& running = simulation->running();
    Access access{simulation->number_in_machine(processor), qemu_plugin_hwaddr_phys_addr(place),
                  1U << qemu_plugin_mem_size_shift(what), running.now};
    const std::uint64_t position = state.position + instruction.place.position;
    const Picoseconds known = state.registers.of(instruction.place.address);
    if (instruction.is_locked)
        core.exchange(access);
    else if (qemu_plugin_mem_is_store(what))
        core.write(access, position, known, instruction.is_string);
    else
        state.registers.set_read(instruction.place.reader, core.read(access, position, known));
    running.now = access.at;
}

// Before an instruction that enters or leaves the kernel, or orders accesses.
void on_drain(unsigned processor, void*)
{
    if (!simulation->is_modelled(processor))
        return;
    RunningClock& running = simulation->running();
    running.now =
        simulation->machine().out_of_order()->drain(simulation->number_in_machine(processor), running.now);
}

// In place of what other instructions add to the clock: afterwards it is another processor's.
void on_halt(unsigned processor, void*)
{
    simulation->running().now += simulation->machine().time_of(InstructionClass::system);
    simulation->halt(processor);
}

void add(Block& block, qemu_plugin_insn* instruction, unsigned bytes)
{
    const std::uint64_t address = emulator->memory_offset(qemu_plugin_insn_haddr(instruction));
    for (Code& code : block.parts) {
        if (code.bytes == 0)
            code.address = address;
        if (address == code.address + code.bytes) {
            code.bytes += bytes;
            return;
        }
    }
}

void instrument_overlapped(qemu_plugin_insn* instruction, Block& block, InstructionClass kind,
                           std::span<const std::uint8_t> code)
{
    const bool is_locked = kind == InstructionClass::atomic;
    const Dataflow::Place place = block.flow.add(register_use(code));
    qemu_plugin_register_vcpu_mem_cb(
        instruction, on_overlapped_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
        &overlapped->emplace_back(Overlapped{&block, place, is_locked, kind == InstructionClass::string}));
    if (kind == InstructionClass::system && !is_halt(code))
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_drain, QEMU_PLUGIN_CB_NO_REGS, nullptr);
    block.next = qemu_plugin_insn_vaddr(instruction) + code.size();
}

void on_translation(qemu_plugin_id_t, qemu_plugin_tb* translated)
{
    const Machine& machine = simulation->machine();
    Block& block = blocks->emplace_back();
    block.begun.resize(simulation->processors());
    qemu_plugin_register_vcpu_tb_exec_cb(translated, on_block, QEMU_PLUGIN_CB_NO_REGS, &block);
    block.address = qemu_plugin_tb_vaddr(translated);
    const std::size_t count = qemu_plugin_tb_n_insns(translated);
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
        else
            qemu_plugin_register_vcpu_insn_exec_inline(instruction, QEMU_PLUGIN_INLINE_ADD_U64,
                                                       &simulation->running().now, machine.time_of(kind));
        if (overlapping != nullptr)
            instrument_overlapped(instruction, block, kind, code);
        else if (machine.accesses_take_time())
            qemu_plugin_register_vcpu_mem_cb(
                instruction, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                const_cast<Movement*>(&movement_of(kind, writes_what_it_reads(code))));
    }
}

// The accelerator is there when its first processor is.
void on_processor(qemu_plugin_id_t, unsigned processor)
{
    if (processor != 0)
        return;
    const auto real = emulator->install({
        [](CPUState* target, int mask) { simulation->interrupt(target, mask); },
        [] { return simulation->virtual_clock(); },
        [] { return simulation->elapsed_ticks(); },
    });
    if (!real)
        fail_for_emulator(real.error());
    simulation->set_real_interrupt(*real);
}

// How many instructions of each class a processor has begun: a block that an exception left counts whole.
std::array<std::uint64_t, instruction_classes> instructions_of(unsigned processor)
{
    std::array<std::uint64_t, instruction_classes> result{};
    for (const Block& block : *blocks)
        for (unsigned kind = 0; kind < instruction_classes; ++kind)
            result[kind] += block.begun[processor] * block.instructions[kind];
    return result;
}

// A line for the whole, and one for each processor: name=number, times in picoseconds.
// Called when the emulator's process ends by itself, which the machine's exit port brings about.
void write_report()
{
    std::ofstream out{*report_path};
    out << "back_end=fast\nswitches=" << simulation->switches() << '\n';
    for (unsigned processor = 0; processor < simulation->processors(); ++processor) {
        if (!simulation->is_modelled(processor))
            continue;
        const unsigned number = simulation->number_in_machine(processor);
        const MemoryCounts& counts = simulation->machine().memory().counts(number);
        out << "processor=" << number << " clock=" << simulation->clock(processor)
            << " reads=" << counts.reads << " read_misses=" << counts.read_misses
            << " writes=" << counts.writes << " write_misses=" << counts.write_misses
            << " fetches=" << counts.fetches << " fetch_misses=" << counts.fetch_misses
            << " invalidations=" << counts.invalidations << " from_caches=" << counts.from_caches
            << " write_backs=" << counts.write_backs << " bus_transfers=" << counts.bus_transfers
            << " bus_waiting=" << counts.bus_waiting << " memory_time=" << counts.time
            << " wide_time=" << (*wide_time)[processor] << " asleep=" << simulation->asleep(processor);
        if (overlapping != nullptr) {
            const OverlapCounts& overlap = simulation->machine().out_of_order()->counts(number);
            const Overlapping& state = (*overlapping)[processor];
            out << " forwarded=" << overlap.forwarded << " asked_ahead=" << overlap.asked_ahead
                << " for_window=" << overlap.for_window << " for_stores=" << overlap.for_stores
                << " for_drains=" << overlap.for_drains << " jumps=" << state.jumps
                << " wrong_jumps=" << state.wrong << " for_jumps=" << state.for_jumps;
        }
        const auto instructions = instructions_of(processor);
        for (unsigned kind = 0; kind < instruction_classes; ++kind)
            out << ' ' << instruction_class_names[kind] << '=' << instructions[kind];
        out << '\n';
    }
}

std::string text_of(const std::string& path)
{
    std::ifstream file{path};
    if (!file)
        fail(bad_machine, "The machine's file " + path + " cannot be read.");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

struct Arguments {
    std::string machine;
    unsigned processors = 0;
    Picoseconds lookahead = 0;
};

Arguments arguments_of(int count, char** words)
{
    Arguments result;
    for (int i = 0; i < count; ++i) {
        const std::string word = words[i];
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (name == "machine")
            result.machine = value;
        else if (name == "report")
            report_path = new std::string{value};
        else if (name == "processors")
            result.processors = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
        else if (name == "lookahead")
            result.lookahead = std::strtoull(value.c_str(), nullptr, 10);
        else
            fail(bad_machine, "The model has no argument '" + word + "'.");
    }
    return result;
}

void install(qemu_plugin_id_t id, const qemu_info_t& info, const Arguments& arguments)
{
    if (!info.system_emulation || std::strcmp(info.target_name, "x86_64") != 0)
        fail_for_emulator("it does not run a whole machine of x86-64 processors");
    auto found = Emulator::find();
    if (!found)
        fail_for_emulator(found.error());
    const auto processors = static_cast<unsigned>(info.system.smp_vcpus);
    if (arguments.processors == 0 || arguments.processors > processors ||
        processors > arguments.processors + 1)
        fail(bad_machine, "The emulator has as many processors as the machine, or one more.");
    const auto file = MachineFile::parse(text_of(arguments.machine));
    if (!file)
        fail(bad_machine, file.error());
    auto machine = Machine::make(*file, arguments.processors);
    if (!machine)
        fail(bad_machine, machine.error());
    emulator = new Emulator{*found};
    blocks = new std::deque<Block>;
    wide_time = new std::vector<Picoseconds>(processors);
    if (machine->out_of_order() != nullptr) {
        overlapped = new std::deque<Overlapped>;
        overlapping = new std::vector<Overlapping>(processors);
        for (Overlapping& one : *overlapping)
            if (machine->jumps().counters != 0)
                one.predictor.emplace(machine->jumps().counters);
    }
    movements = new std::array<Movement, 2 * instruction_classes>;
    for (unsigned kind = 0; kind < instruction_classes; ++kind) {
        const Machine::Steps& steps = machine->steps_of(static_cast<InstructionClass>(kind));
        (*movements)[2 * kind] = {steps, steps};
        (*movements)[2 * kind + 1] = {{}, steps};
    }
    simulation =
        new Simulation{*emulator, std::move(*machine), processors, arguments.processors, arguments.lookahead};
    qemu_plugin_register_vcpu_init_cb(id, on_processor);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    if (report_path != nullptr)
        std::atexit(write_report);
}

} // namespace

} // namespace parley::machine_model

QEMU_PLUGIN_EXPORT int qemu_plugin_version;
int qemu_plugin_version = 1;

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int count,
                                           char** words)
{
    parley::machine_model::install(id, *info, parley::machine_model::arguments_of(count, words));
    return 0;
}
