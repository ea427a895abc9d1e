// SPDX-License-Identifier: MIT
// How a machine's helper lets go of its job when nxrun ends the ranks by force. A rank that was ended in the
// message library may hold a lock of the job's memory for ever; whoever waits for that lock would never tell
// the other machines of the end.
#pragma once

#include <csignal>
#include <cstdint>
#include <ctime>
#include <functional>
#include <setjmp.h>
#include <unistd.h>

namespace parley::native {

class JobDeparture {
public:
    // Runs `work`, which calls the message library, until it returns or nxrun asks for the departure. Then
    // the work may end in the middle of a call of the library; elsewhere it goes on, and looks at is_asked()
    // between its steps.
    virtual void until_asked(const std::function<void()>& work) = 0;
    virtual bool is_asked() const = 0;
    // Called when nothing is left to do. If the departure was asked for, the process ends here, because
    // closing its endpoint would take locks.
    virtual void finish() = 0;

protected:
    ~JobDeparture() = default;
};

// nxrun asks by the signal PARLEY_NATIVE_DEPART, as it asks ranks (native/interface/departure.h). A process
// has one of these, and one thread runs its work.
class SignalledDeparture final : public JobDeparture {
public:
    // From here on the signal is taken. `code_start` to `code_end`: the message library, which calls nothing
    // that must not be left in the middle.
    SignalledDeparture(const char* code_start, const char* code_end);
    SignalledDeparture(const SignalledDeparture&) = delete;
    SignalledDeparture& operator=(const SignalledDeparture&) = delete;
    ~SignalledDeparture();

    void until_asked(const std::function<void()>& work) override;
    bool is_asked() const override { return asked_ != 0; }
    void finish() override
    {
        if (is_asked())
            _exit(0);
    }

private:
    static void take_signal(int, siginfo_t*, void* context);

    inline static SignalledDeparture* only_ = nullptr;
    const std::uintptr_t code_start_, code_end_;
    timer_t timer_{};
    sigjmp_buf way_out_{};
    volatile std::sig_atomic_t works_ = 0, asked_ = 0;
};

} // namespace parley::native
