// SPDX-License-Identifier: MIT
// Boot steps: what memory there is, and the kernel's own tables for it.
#include "arch/x86_64/memory_map.hpp"
#include "kernel/boot/steps.hpp"

namespace parley::kernel {

namespace {

extern "C" char kernel_end[];

// Below 1 MiB the firmware, the loader and the trampoline have their places.
constexpr PhysAddr first_usable{0x100000};

PhysAddr image_end() { return {reinterpret_cast<std::uint64_t>(kernel_end) - KERNEL_BASE}; }

// Add [start, end) without the part that [hole.start, hole.end) covers.
void add_around(FramePool& pool, PhysAddr start, PhysAddr end, arch::MemoryRange hole)
{
    const PhysAddr hole_start{round_down(hole.start.value, page_bytes)};
    const PhysAddr hole_end{round_up(hole.end.value, page_bytes)};
    if (hole_end <= start || hole_start >= end)
        return pool.add(start, end);
    if (start < hole_start)
        pool.add(start, hole_start);
    if (hole_end < end)
        pool.add(hole_end, end);
}

// The boot's page tables reach 4 GiB; more memory is left alone.
constexpr PhysAddr reachable{std::uint64_t{4} << 30};

} // namespace

StepResult find_machine(Kernel& kernel)
{
    return explain(arch::read_acpi(kernel.machine, kernel.boot.acpi_root),
                   "the machine has no usable ACPI tables");
}

StepResult collect_frames(Kernel& kernel)
{
    for (std::size_t i = 0; i < kernel.boot.memory_count; ++i) {
        PhysAddr start = kernel.boot.memory[i].start;
        PhysAddr end = kernel.boot.memory[i].end;
        start = start < first_usable ? first_usable : start;
        start = start < image_end() && end > image_end() ? image_end() : start;
        end = end > reachable ? reachable : end;
        if (start < end)
            add_around(kernel.memory.frames(), start, end, kernel.boot.module);
    }
    if (kernel.memory.frames().free_frames() == 0)
        return refuse("the loader reports no usable memory", Error::no_memory);
    return {};
}

StepResult make_page_tables(Kernel& kernel)
{
    const Result<arch::PageTable> table =
        arch::build_kernel_table(reachable.value, kernel.memory.take_own_frames());
    if (!table)
        return refuse("there is too little memory for the page tables", table.error());
    table->activate();
    kernel.memory.open_own_window();
    return {};
}

} // namespace parley::kernel
