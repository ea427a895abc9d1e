// SPDX-License-Identifier: MIT
#include "kernel/boot/plant.hpp"

#include "arch/x86_64/registers.hpp"
#include "kernel/report/panic.hpp"
#include "messaging/receive.hpp"

namespace parley::kernel {

namespace {

// No table to find a handler in: the processor gives up and resets.
[[noreturn]] void triple_fault()
{
    struct [[gnu::packed]] {
        std::uint16_t limit = 0;
        std::uint64_t base = 0;
    } const nothing;
    asm volatile("lidt %0; int3" ::"m"(nothing));
    __builtin_unreachable();
}

[[noreturn]] void hang()
{
    for (;;)
        asm volatile("cli; pause");
}

// A measurement that no program took.
void fake_result(ResultsChannel& results)
{
    const std::uint32_t job = 0;
    const std::int32_t node = 0;
    parley_row row{};
    __builtin_memcpy(row.name, "round trip", sizeof "round trip");
    __builtin_memcpy(row.unit, "ns", sizeof "ns");
    results.send(PARLEY_FRAME_ROW, {bytes_of(job), bytes_of(node), bytes_of(row)});
}

// A receive that ends with a message which it never had: checked builds stop here, others do not notice.
[[gnu::noinline]] void wrong_transition()
{
    messaging::Receive receive;
    receive.finish(messaging::Envelope({0, 0}, 0));
}

} // namespace

void plant_before_jobs(Kernel& kernel)
{
    if (kernel.configuration.plant == "hang")
        hang();
    if (kernel.configuration.plant == "triple-fault")
        triple_fault();
    if (kernel.configuration.plant == "wrong-transition")
        wrong_transition();
    if (kernel.configuration.plant == "no-result")
        end_run(PARLEY_EXIT_SUCCESS);
}

void plant_after_jobs(Kernel& kernel)
{
    if (kernel.configuration.plant == "fake-result")
        fake_result(kernel.record.results());
    if (kernel.configuration.plant == "truncated-record")
        kernel.record.results().truncate_next();
}

void plant_at_exit(const Configuration& configuration)
{
    if (configuration.plant == "hang-at-exit")
        hang();
}

void plant_at_end(Kernel& kernel)
{
    if (kernel.configuration.plant == "panic-after-success")
        panic("planted");
}

} // namespace parley::kernel
