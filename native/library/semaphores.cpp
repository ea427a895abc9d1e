// SPDX-License-Identifier: MIT
#include "native/library/semaphores.hpp"

#include "native/interface/native_job.h"
#include "native/library/linux_calls.hpp"
#include "native/library/shared_semaphores.hpp"

#include "platform.hpp"

namespace parley::library {

namespace {

class TimeStampClock final : public sched::SemaphoreClock {
public:
    explicit TimeStampClock(std::uint64_t hertz) : hertz_(hertz) { }

    std::uint64_t nanoseconds() override { return library::nanoseconds(platform::cycles(), hertz_); }
    // Nobody closes semaphores on Linux: policy processes are told to end, as delivery processes are.
    bool sleep_until(std::uint64_t until, const Atomic<bool>&) override
    {
        const std::uint64_t now = nanoseconds();
        return until <= now || sleep_for(until - now);
    }

private:
    const std::uint64_t hertz_;
};

SharedSemaphores& of(parley_job_semaphores* self) { return *reinterpret_cast<SharedSemaphores*>(self); }
const SharedSemaphores& of(const parley_job_semaphores* self)
{
    return *reinterpret_cast<const SharedSemaphores*>(self);
}

std::string_view name_of(const parley_semaphore_kind& kind) { return {kind.name, kind.length}; }

LeafValues values_of(const parley_semaphore_kind& kind)
{
    LeafValues values;
    for (unsigned long at = 0; at < kind.count; ++at)
        values.add(kind.values[at]);
    return values;
}

long number_of(const Result<void>& done) { return done ? 0 : -static_cast<long>(done.error()); }

// ---- for nxrun ----

unsigned policy_processes(const parley_semaphore_kind* kind)
{
    TimeStampClock clock(1);
    return SharedSemaphores::policy_processes(name_of(*kind), values_of(*kind), clock);
}

unsigned long bytes(unsigned programs) { return sizeof(TimeStampClock) + SharedSemaphores::bytes(programs); }

parley_job_semaphores* make(void* memory, unsigned long bytes, const parley_semaphore_kind* kind,
                            unsigned programs, unsigned long hertz)
{
    RestOfMemory rest({static_cast<std::byte*>(memory), bytes});
    const Result<TimeStampClock*> clock = rest.create<TimeStampClock>(hertz);
    if (!clock)
        return nullptr;
    const auto made = SharedSemaphores::make(rest, name_of(*kind), values_of(*kind), programs, **clock);
    return made ? reinterpret_cast<parley_job_semaphores*>(*made) : nullptr;
}

const void* waiters(parley_job_semaphores* self) { return of(self).waiters(); }

// ---- policy processes ----

[[noreturn]] void end_process()
{
    for (;;)
        linux_call(LinuxCall::end_process, 0);
}

extern "C" [[noreturn, gnu::used]] void parley_library_serve(const parley_start* start)
{
    const auto& job = *reinterpret_cast<const parley_native_job*>(PARLEY_NATIVE_JOB_BASE);
    of(job.semaphores).kind().run(static_cast<unsigned>(start->endpoint - start->endpoints));
    end_process();
}

// There is nobody to return to.
[[gnu::naked]] void serve()
{
    asm("popq %rdi\n\t"
        "xorl %ebp, %ebp\n\t"
        "andq $-16, %rsp\n\t"
        "call parley_library_serve\n\t"
        "ud2");
}

// ---- the calls ----

long open(parley_job_semaphores* self, long number, long count)
{
    const Result<long> id =
        of(self).open(static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(count));
    return id ? *id : -static_cast<long>(id.error());
}

long bind(parley_job_semaphores* self, long id, unsigned** word)
{
    const Result<SharedSemaphores::Binding> found = of(self).bind(id);
    *word = found ? found->word : nullptr;
    return found ? static_cast<long>(found->delay) : -static_cast<long>(found.error());
}

long p(parley_job_semaphores* self, unsigned endpoint, long id)
{
    return number_of(of(self).p(endpoint, id));
}

long v(parley_job_semaphores* self, long id) { return number_of(of(self).v(id)); }

long v_all(parley_job_semaphores* self, const long* ids, long count)
{
    if (count < 0 || count > PARLEY_MOST_AT_ONCE)
        return -static_cast<long>(Error::bad_argument);
    return number_of(of(self).v_all({ids, static_cast<std::size_t>(count)}));
}

void read_counts(const parley_job_semaphores* self, parley_semaphore_counts* counts)
{
    *counts = of(self).counts();
}

} // namespace

constinit const parley_native_semaphores semaphores = {
    .policy_processes = policy_processes,
    .bytes = bytes,
    .make = make,
    .waiters = waiters,
    .serve = serve,
    .open = open,
    .bind = bind,
    .p = p,
    .v = v,
    .v_all = v_all,
    .read_counts = read_counts,
};

} // namespace parley::library
