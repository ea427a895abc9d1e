// SPDX-License-Identifier: MIT
// Where a measuring kernel joins the nucleus: what is linked beside it changes the machine, or watches it, at
// these places and no others. A hook that is not there is null, and then the machine is as it is.
#pragma once

#include "base/text.hpp"
#include "kernel/memory/page_placement.hpp"
#include "kernel/program/failure.hpp"

namespace parley::arch {

struct TrapFrame;

} // namespace parley::arch

namespace parley::kernel {

struct JobConfiguration;
struct Kernel;
class Window;

// A study's part in processors and their ticks. All but the first three are called on a processor with
// interrupts off and no locks held.
class TickHook {
public:
    // Whether that processor's ticks go on whatever it runs. Called before the processor runs anything.
    virtual bool always_ticks(unsigned processor) const = 0;
    // Nanoseconds between the ticks of processors whose ticks do not always go on, up to a second. Called
    // before the processor runs anything.
    virtual std::uint64_t tick_nanoseconds() const = 0;
    // Tells that all processors run. Called once, by the processor that boots.
    virtual void machine_started() = 0;
    // Called at each tick, before the processor decides who goes on.
    virtual void tick(const arch::TrapFrame& frame) = 0;
    // Called at a tick. Answers whether the process that the tick interrupted gives way to the others.
    // `asked`: the scheduler wants the processor to decide again. `may_give_way`: the process may leave its
    // processor now; if so this may make it leave, and returns when it is dispatched again.
    virtual bool slice_ended(bool asked, bool may_give_way) = 0;
    // The interrupt DEVICE_VECTOR has come, which only hooks send.
    virtual void interrupted() = 0;

protected:
    ~TickHook() = default;
};

// A study's say in where programs' pages lie.
class PageHook {
public:
    // Makes the placement for a domain of a job that is being built, in the job's window, which outlives the
    // domain. `process`: whose domain it is, where a process has it to itself. Fails with a sentence about
    // the job's `pages`.
    virtual Loaded<PagePlacement*> placement(const JobConfiguration& job, Window& window,
                                             unsigned process) = 0;
    // As placement(), for the pages that the job's processes share.
    virtual Loaded<PagePlacement*> shared_placement(const JobConfiguration& job, Window& window) = 0;

protected:
    ~PageHook() = default;
};

// A study's disks, to which the pages of waiting processes go. Where there is none, pages take no time.
class DiskHook {
public:
    // The time at which so many pages of a job's process of that endpoint have been written, or read, if the
    // request comes at `now`; nanoseconds of the machine's clock. Any process may call it.
    virtual std::uint64_t written_at(unsigned endpoint, unsigned pages, std::uint64_t now) = 0;
    virtual std::uint64_t read_at(unsigned endpoint, unsigned pages, std::uint64_t now) = 0;

protected:
    ~DiskHook() = default;
};

// What a study adds to the run's record, in lines `name=value`.
class ReportHook {
public:
    virtual void add_to_plan(TextWriter& text) = 0;
    // Adds what was counted since the last job ended, at most 4 KiB.
    virtual void add_to_job_end(TextWriter& text) = 0;

protected:
    ~ReportHook() = default;
};

struct Hooks {
    TickHook* tick = nullptr;
    PageHook* pages = nullptr;
    DiskHook* disk = nullptr;
    ReportHook* report = nullptr;
};

// Called once, when the request has been read and the scheduler's queues have been made, and only one
// processor runs. The nucleus's own makes no hooks, and refuses a request whose `machine` asks for any; a
// measuring kernel links another. Hooks live as long as the machine runs.
Loaded<Hooks> make_hooks(Kernel& kernel);

} // namespace parley::kernel
