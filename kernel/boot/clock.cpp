// SPDX-License-Identifier: MIT
// Boot step: the clock, and what ticks by it.
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/apic.hpp"
#include "arch/x86_64/model_clock.hpp"
#include "base/text.hpp"
#include "kernel/boot/steps.hpp"

namespace parley::kernel {

namespace {

constinit char sentence_memory[160];

// A measurement errs by what its own instructions take, so where the counter is told to count nanoseconds the
// clock is exact, and the measurement only says whether that can be true.
StepResult check_clock_of_nanoseconds(std::uint64_t measured)
{
    constexpr std::uint64_t told = 1'000'000'000;
    constexpr std::uint64_t most_error = told / 100;
    if (measured >= told - most_error && measured <= told + most_error)
        return {};
    TextWriter sentence(sentence_memory);
    sentence << "the request says that the counter counts nanoseconds, but it counts " << measured
             << " times a second; boot with clock=free, or where instructions are counted";
    return refuse(sentence.view(), Error::bad_argument);
}

} // namespace

StepResult start_clock(Kernel& kernel)
{
    const std::uint16_t timer = kernel.machine.timer_port;
    if (kernel.configuration.clock == Clock::free) {
        if (!arch::has_ticks())
            return refuse(
                "the time of this modelled machine has not begun, so its counter cannot be measured; "
                "boot with clock=counted",
                Error::bad_argument);
        arch::calibrate_clock(timer);
    } else {
        arch::take_clock_of_nanoseconds();
        // Without ticks modelled time has not begun, and the ACPI timer may go by another.
        if (arch::has_ticks())
            TRY_VOID(check_clock_of_nanoseconds(arch::measured_hertz(timer)));
    }
    arch::calibrate_timer();
    return {};
}

} // namespace parley::kernel
