// SPDX-License-Identifier: MIT
// The `results` and `process` proxies, and what the `gangs` proxy is where nobody measures gangs.
#include "interface/results.h"
#include "kernel/found.hpp"
#include "kernel/job/job.hpp"
#include "kernel/process/proxy_methods.hpp"
#include "kernel/process/shared_words.hpp"
#include "kernel/process/upcall.hpp"
#include "kernel/user_copy.hpp"

#include "kernel/trace_points.hpp"

namespace parley::kernel {

namespace {

using arch::CallFrame;

// A text that the program gave: it must end inside its array.
template <std::size_t size>
bool ends_inside(const char (&text)[size])
{
    for (char character : text) {
        if (character == 0)
            return true;
    }
    return false;
}

Result<std::uint64_t> report(UserProcess& self, UserAddress from)
{
    const auto row = TRY(read_user<parley_row>(from));
    if (!ends_inside(row.name) || !ends_inside(row.unit) || !ends_inside(row.access))
        return std::unexpected(Error::bad_argument);
    const struct {
        std::uint32_t job;
        std::int32_t node;
    } origin{self.job().number(), self.node()};
    run_record().add_row(bytes_of(origin), bytes_of(row));
    return 0;
}

} // namespace

std::uint64_t results_report(UserProcess& self, CallFrame& frame)
{
    return answer(report(self, {frame.rsi}));
}

std::uint64_t process_yield(UserProcess& self, CallFrame&)
{
    self.yield();
    return 0;
}

std::uint64_t process_block(UserProcess& self, CallFrame& frame)
{
    return answer(block_on_shared_word(self, {frame.rsi}, static_cast<std::uint32_t>(frame.rdx)));
}

std::uint64_t process_wake(UserProcess& self, CallFrame& frame)
{
    return answer(wake_shared_word(self, {frame.rsi}, static_cast<unsigned>(frame.rdx)));
}

std::uint64_t process_null(UserProcess&, CallFrame&) { return 0; }

std::uint64_t process_note(UserProcess& self, CallFrame& frame)
{
    trace::noted(self, static_cast<unsigned>(frame.rsi), static_cast<std::uint32_t>(frame.rdx), frame.r10);
    return 0;
}

std::uint64_t process_set_upcall(UserProcess& self, CallFrame& frame)
{
    return answer(set_upcall(self, {frame.rsi}, {frame.rdx}, {frame.r10}));
}

std::uint64_t process_notify(UserProcess& self, CallFrame& frame)
{
    UserProcess* const target =
        frame.rsi < UINT32_MAX ? self.job().processes().find(static_cast<unsigned>(frame.rsi)) : nullptr;
    if (target == nullptr)
        return failure(Error::bad_process);
    interrupt_program(*target);
    return 0;
}

// A measuring kernel has another (measuring/gangs.cpp).
[[gnu::weak]] std::uint64_t gangs_measure(UserProcess&, CallFrame&) { return failure(Error::no_such_call); }

} // namespace parley::kernel
