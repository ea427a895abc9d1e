// SPDX-License-Identifier: MIT
// The study's hooks (kernel/hooks.hpp): what slowed C.mmp's processors down, each part where the request asks
// for it and null where it does not.
#pragma once

#include "kernel/hooks.hpp"
#include "kernel/processors.hpp"
#include "studies/cmmp/measuring/device.hpp"
#include "studies/cmmp/measuring/losses.hpp"
#include "studies/cmmp/measuring/memory_banks.hpp"
#include "studies/cmmp/measuring/slow_processors.hpp"
#include "studies/cmmp/measuring/time_slices.hpp"

namespace parley::cmmp {

struct LossyMachine {
    explicit LossyMachine(const Losses& injected) : losses(injected) { }

    const Losses losses;
    SlowProcessors* slow_processors = nullptr;
    TimeSlices* time_slices = nullptr;
    Device* device = nullptr;
    MemoryBanks* banks = nullptr;
};

class Ticks final : public kernel::TickHook {
public:
    Ticks(const LossyMachine& machine, const kernel::Processors& processors)
        : machine_(machine), processors_(processors)
    {
    }

    bool always_ticks(unsigned processor) const override;
    std::uint64_t tick_nanoseconds() const override { return machine_.losses.tick * 1'000'000ULL; }
    void machine_started() override;
    void tick(const arch::TrapFrame& frame) override;
    bool slice_ended(bool asked, bool may_give_way) override;
    void interrupted() override;

private:
    bool is_slow(unsigned processor) const;
    bool samples_banks() const;
    // Whether programs' ticks are rarer than those that always go on.
    bool ticks_rarely() const { return tick_nanoseconds() > sched::time_slice_nanoseconds; }
    // `processor` ticks more often than programs' processors do. Whether this tick of it falls together with
    // one of theirs.
    bool is_common_tick(unsigned processor);

    const LossyMachine& machine_;
    const kernel::Processors& processors_;
    std::uint64_t slow_ticks_[PARLEY_MAX_PROCESSORS] = {}; // each written by its processor alone
};

// Only where there are banks.
class BankedPages final : public kernel::PageHook {
public:
    explicit BankedPages(MemoryBanks& banks) : banks_(banks) { }

    kernel::Loaded<kernel::PagePlacement*> placement(const kernel::JobConfiguration& job,
                                                     kernel::Window& window, unsigned process) override;
    kernel::Loaded<kernel::PagePlacement*> shared_placement(const kernel::JobConfiguration& job,
                                                            kernel::Window& window) override;

private:
    MemoryBanks& banks_;
};

class Report final : public kernel::ReportHook {
public:
    explicit Report(const LossyMachine& machine) : machine_(machine) { }

    void add_to_plan(TextWriter& text) override;
    void add_to_job_end(TextWriter& text) override;

private:
    const LossyMachine& machine_;
};

} // namespace parley::cmmp
