// SPDX-License-Identifier: MIT
// From the loader to the jobs: the boot as a table. Every step prints its name; a step that fails says why
// and ends the run.
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/trap.hpp"
#include "base/text.hpp"
#include "kernel/boot/steps.hpp"
#include "kernel/network/machines.hpp"
#include "kernel/report/console.hpp"
#include "kernel/report/panic.hpp"

#include <new>

namespace parley::kernel {

namespace {

struct BootStep {
    std::string_view name;
    StepResult (*run)(Kernel&);
};

constexpr BootStep boot_steps[] = {
    {"machine: ACPI tables", find_machine},
    {"memory: free frames", collect_frames},
    {"memory: page tables", make_page_tables},
    {"processor 0: descriptors, traps, protections", start_first_processor},
    {"archive: programs and files", open_archive},
    {"request: jobs to run", read_request},
    {"clock: time-stamp counter", start_clock},
    {"machines: the others", join_machines},
    {"processors: the others", start_other_processors},
};

[[noreturn]] void refuse_boot(std::string_view step, std::string_view sentence)
{
    Text<512> text;
    text << "parley: the boot stopped at \"" << step << "\": " << sentence << '\n';
    console().write(text.view());
    end_run(PARLEY_EXIT_FAILED);
}

} // namespace

// Made by hand, as the first thing: there is nobody to run constructors before boot_main.
alignas(Kernel) std::byte kernel_memory[sizeof(Kernel)];

extern "C" [[noreturn]] void boot_main(std::uint32_t magic, std::uint64_t information)
{
    Kernel& kernel = *::new (kernel_memory) Kernel;
    const bool known = arch::read_boot_info(kernel.boot, magic, PhysAddr{information}).has_value();
    console().start(kernel.boot.text_screen);
    console().write("Parley\n");
    // The first sign of life: from the time until here whoever watches knows how fast this machine is.
    kernel.record.heartbeat().beat(0, 0);
    if (!known)
        refuse_boot("loader", "the loader speaks neither PVH nor Multiboot2");
    for (const BootStep& step : boot_steps) {
        const StepResult result = step.run(kernel);
        if (!result)
            refuse_boot(step.name, result.error().sentence);
        Text<128> text;
        const std::uint64_t now = arch::nanoseconds();
        text << "  boot " << now / 1000 << " us  " << step.name << '\n';
        console().write(text.view());
        kernel.record.heartbeat().beat(now, 0);
    }
    run_request(kernel);
}

} // namespace parley::kernel
