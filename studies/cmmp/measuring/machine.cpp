// SPDX-License-Identifier: MIT
#include "studies/cmmp/measuring/machine.hpp"

#include "arch/x86_64/trap.hpp"
#include "kernel/kernel.hpp"
#include "kernel/process/user_process.hpp"
#include "studies/cmmp/measuring/disks.hpp"
#include "studies/cmmp/measuring/program_banks.hpp"

namespace parley::cmmp {

namespace {

using kernel::Kernel;
using kernel::Loaded;

constexpr std::string_view too_little_memory = "there is too little memory for what is injected";

// The process that gives out time slices. It waits for its first request.
Result<TimeSlices*> new_time_slices(Kernel& kernel, const Losses& losses)
{
    static constinit sched::Process giver;
    const std::uint64_t stack = TRY(kernel.memory.own_window().stack(arch::kernel_stack_bytes));
    const std::uint64_t ticks = losses.slice / losses.tick;
    TimeSlices* const slices = TRY(kernel.memory.own_window().create<TimeSlices>(
        ticks, losses.allotment, losses.request * 1'000ULL, kernel.queues.scheduler(), giver));
    giver.name = "time slices";
    giver.execution.kernel_stack = stack;
    giver.kind = sched::ProcessKind::system;
    giver.queue = &kernel.queues.urgent();
    giver.execution.context = arch::new_context(
        stack,
        [](void* argument) {
            sched::finish_switch();
            static_cast<TimeSlices*>(argument)->give_out();
        },
        slices);
    return slices;
}

Result<kernel::Hooks> make(Kernel& kernel, const Losses& losses)
{
    kernel::Window& window = kernel.memory.own_window();
    LossyMachine& machine = *TRY(window.create<LossyMachine>(losses));
    kernel::Hooks hooks;
    if (losses.slow != 0) {
        const unsigned fast =
            kernel.processors.count() -
            (losses.slow < kernel.processors.count() ? losses.slow : kernel.processors.count());
        machine.slow_processors = TRY(window.create<SlowProcessors>(kernel.processors.servers(), fast,
                                                                    losses.slowdown, losses.stealing != 0));
    }
    if (losses.slice != 0)
        machine.time_slices = TRY(new_time_slices(kernel, losses));
    if (losses.device_every != 0)
        machine.device = TRY(window.create<Device>());
    if (losses.banks != 0) {
        kernel.memory.frames().divide(losses.banks);
        machine.banks = TRY(window.create<MemoryBanks>(losses.banks));
        hooks.pages = TRY(window.create<BankedPages>(*machine.banks));
    }
    if (losses.disks != 0)
        hooks.disk = TRY(window.create<Disks>(losses.rotation * 1'000ULL, losses.disks));
    hooks.tick = TRY(window.create<Ticks>(machine, kernel.processors));
    hooks.report = TRY(window.create<Report>(machine));
    return hooks;
}

} // namespace

bool Ticks::is_slow(unsigned processor) const
{
    return machine_.slow_processors != nullptr && processor < processors_.count() &&
           processor + machine_.losses.slow >= processors_.count();
}

bool Ticks::samples_banks() const { return machine_.banks != nullptr && machine_.losses.samples != 0; }

// A slow one loses time at each of its ticks, or looks for a fast one that is idle, one asks a device, and
// each notes the bank that it is at. Where programs' ticks are rare, the timekeeper asks the device.
bool Ticks::always_ticks(unsigned processor) const
{
    return is_slow(processor) ||
           (machine_.device != nullptr && processor == machine_.losses.device_asker && !ticks_rarely()) ||
           (samples_banks() && processor < processors_.count());
}

void Ticks::machine_started()
{
    if (machine_.device == nullptr)
        return;
    const Losses& losses = machine_.losses;
    const DeviceTraffic traffic(sched::time_slice_nanoseconds, losses.device_every * 1'000ULL,
                                losses.service_shortest * 1'000ULL, losses.service_longest * 1'000ULL);
    machine_.device->start(
        traffic, processors_.block(losses.device_owner),
        processors_.block(ticks_rarely() ? processors_.timekeeper() : losses.device_asker));
}

bool Ticks::is_common_tick(unsigned processor)
{
    if (!ticks_rarely() || !always_ticks(processor))
        return true;
    return ++slow_ticks_[processor] % (tick_nanoseconds() / sched::time_slice_nanoseconds) == 0;
}

void Ticks::tick(const arch::TrapFrame& frame)
{
    const arch::Processor& processor = arch::this_processor();
    if (machine_.device != nullptr)
        machine_.device->tick(processor);
    // Where the instruction lies that the program is at.
    if (samples_banks() && processor.id < processors_.count())
        machine_.banks->note(processor.id, frame.from_user() ? kernel::UserProcess::here().domain()->bank_of(
                                                                   {frame.instruction})
                                                             : std::nullopt);
}

bool Ticks::slice_ended(bool asked, bool may_give_way)
{
    const unsigned processor = sched::Dispatcher::here().index();
    sched::Process& process = sched::current();
    const bool common = is_common_tick(processor);
    if (!common)
        --process.ticks; // which slices are counted in
    // A process that has gone to a fast processor gives way to nobody before it goes on there.
    if (is_slow(processor) && machine_.slow_processors->tick(may_give_way))
        return false;
    if (!common)
        return asked;
    if (!asked && process.kind == sched::ProcessKind::uninterruptible)
        return false;
    if (machine_.time_slices == nullptr)
        return true;
    using Due = TimeSlices::Due;
    const Due due = machine_.time_slices->due(process);
    if (due == Due::more_slices && may_give_way) {
        machine_.time_slices->ask();
        return false;
    }
    return asked || due == Due::others_first;
}

void Ticks::interrupted()
{
    if (machine_.device != nullptr)
        machine_.device->serve();
}

Loaded<kernel::PagePlacement*> BankedPages::placement(const kernel::JobConfiguration& job,
                                                      kernel::Window& window, unsigned process)
{
    for (unsigned i = 0; i < job.programs(); ++i) {
        if (!ProgramBanks::of_process(job.pages, banks_.count(), i))
            return kernel::refuse(
                "its pages are to be private, apart, shared, or in a bank of the machine for each process",
                Error::bad_argument);
    }
    const Result<ProgramBanks*> made = window.create<ProgramBanks>(job.pages, banks_, process);
    if (!made)
        return kernel::refuse(too_little_memory, made.error());
    return *made;
}

Loaded<kernel::PagePlacement*> BankedPages::shared_placement(const kernel::JobConfiguration& job,
                                                             kernel::Window& window)
{
    const Result<SharedBanks*> made = window.create<SharedBanks>(job.pages, banks_);
    if (!made)
        return kernel::refuse(too_little_memory, made.error());
    return *made;
}

void Report::add_to_plan(TextWriter& text)
{
    const Losses& losses = machine_.losses;
    if (losses.slow != 0)
        text << "slow_processors=" << losses.slow << "\nslowdown_percent=" << losses.slowdown
             << "\nstealing=" << losses.stealing << '\n';
    if (losses.tick != Losses().tick)
        text << "tick_ms=" << losses.tick << '\n';
    if (losses.slice != 0)
        text << "slice_ms=" << losses.slice << "\nallotment=" << losses.allotment
             << "\nrequest_us=" << losses.request << '\n';
    if (losses.device_every != 0)
        text << "device_owner=" << losses.device_owner << "\ndevice_asker=" << losses.device_asker
             << "\ndevice_every_us=" << losses.device_every
             << "\nservice_shortest_us=" << losses.service_shortest
             << "\nservice_longest_us=" << losses.service_longest << '\n';
    if (losses.banks != 0)
        text << "banks=" << losses.banks << '\n';
    if (losses.disks != 0)
        text << "disks=" << losses.disks << "\nrotation_us=" << losses.rotation << '\n';
}

void Report::add_to_job_end(TextWriter& text)
{
    if (machine_.slow_processors != nullptr)
        text << "taken_over=" << machine_.slow_processors->taken_over() << '\n';
    if (machine_.time_slices != nullptr)
        text << "slice_requests=" << machine_.time_slices->requests() << '\n';
    if (machine_.device != nullptr) {
        const Device::Served served = machine_.device->served();
        text << "device_requests=" << served.requests << "\ndevice_ns=" << served.nanoseconds << '\n';
    }
    if (machine_.banks == nullptr)
        return;
    text << "pages_placed=" << machine_.banks->take_placed()
         << "\npages_elsewhere=" << machine_.banks->take_elsewhere() << '\n';
    if (machine_.losses.samples == 0)
        return;
    text << "bank_samples=";
    // All banks and loads take 3.5 KiB.
    machine_.banks->take_samples([&](unsigned bank, unsigned load, std::uint64_t samples) {
        text << bank << ':' << load << ':' << samples << ' ';
    });
    text << '\n';
}

} // namespace parley::cmmp

namespace parley::kernel {

Loaded<Hooks> make_hooks(Kernel& kernel)
{
    if (kernel.configuration.machine.empty())
        return {};
    const auto losses = cmmp::read_losses(kernel.configuration.machine, kernel.processors.count());
    if (!losses)
        return refuse(losses.error(), Error::bad_argument);
    return explain(cmmp::make(kernel, *losses), cmmp::too_little_memory);
}

} // namespace parley::kernel
