// SPDX-License-Identifier: MIT
#include "native/network/job_departure.hpp"

#include "native/interface/departure.h"

#include <ucontext.h>

namespace parley::native {

SignalledDeparture::SignalledDeparture(const char* code_start, const char* code_end)
    : code_start_(reinterpret_cast<std::uintptr_t>(code_start)),
      code_end_(reinterpret_cast<std::uintptr_t>(code_end))
{
    only_ = this;
    sigevent expiry{};
    expiry.sigev_notify = SIGEV_SIGNAL;
    expiry.sigev_signo = PARLEY_NATIVE_DEPART;
    if (timer_create(CLOCK_MONOTONIC, &expiry, &timer_) != 0) {
        constexpr char line[] = "nxrun: Linux gives no timer: raise ulimit -i.\n";
        (void)!write(STDERR_FILENO, line, sizeof line - 1);
        _exit(1);
    }
    struct sigaction action{};
    action.sa_sigaction = take_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&action.sa_mask);
    sigaction(PARLEY_NATIVE_DEPART, &action, nullptr);
}

SignalledDeparture::~SignalledDeparture()
{
    std::signal(PARLEY_NATIVE_DEPART, SIG_IGN);
    timer_delete(timer_);
    only_ = nullptr;
}

// If the signal comes before works_ is stored, the look at asked_ that follows sees it; if it comes later,
// its handler sees works_.
void SignalledDeparture::until_asked(const std::function<void()>& work)
{
    if (sigsetjmp(way_out_, 1) == 0) {
        works_ = 1;
        if (!is_asked())
            work();
    }
    works_ = 0;
}

// Work that is elsewhere may be about to call the library, and to wait there: so this looks again.
void SignalledDeparture::take_signal(int, siginfo_t*, void* context)
{
    SignalledDeparture& self = *only_;
    self.asked_ = 1;
    if (self.works_ == 0)
        return;
    const auto at =
        static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
    if (at >= self.code_start_ && at < self.code_end_)
        siglongjmp(self.way_out_, 1);
    constexpr itimerspec soon{{}, {0, 1'000'000}};
    timer_settime(self.timer_, 0, &soon, nullptr);
}

} // namespace parley::native
