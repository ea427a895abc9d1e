// SPDX-License-Identifier: MIT
// A thread of control that one other resumes, and that gives way by itself. Beyond its first step, switches
// are jumps, which make no system call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <setjmp.h>
#include <ucontext.h>

namespace parley::testing {

class Fiber {
public:
    explicit Fiber(std::function<void()> body) : body_(std::move(body)) { }
    Fiber(const Fiber&) = delete;

    // The fiber goes on until it gives way or ends. Called by its owner, unless it has ended.
    void resume()
    {
        if (_setjmp(owner_) != 0)
            return;
        if (begun_)
            _longjmp(place_, 1);
        begun_ = true;
        getcontext(&first_);
        first_.uc_stack.ss_sp = stack_.get();
        first_.uc_stack.ss_size = stack_bytes;
        const auto bits = reinterpret_cast<std::uintptr_t>(this);
        makecontext(&first_, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
                    static_cast<unsigned>(bits >> 32), static_cast<unsigned>(bits));
        setcontext(&first_);
    }
    // Called by the fiber itself.
    void give_way()
    {
        if (_setjmp(place_) == 0)
            _longjmp(owner_, 1);
    }
    bool ended() const { return ended_; }

private:
    static constexpr std::size_t stack_bytes = 64 << 10;

    static void enter(unsigned high, unsigned low)
    {
        auto* const self = reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | low);
        self->body_();
        self->ended_ = true;
        _longjmp(self->owner_, 1);
    }

    std::function<void()> body_;
    std::unique_ptr<char[]> stack_{new char[stack_bytes]};
    ucontext_t first_{}; // where it begins
    jmp_buf place_{}, owner_{};
    bool begun_ = false;
    bool ended_ = false;
};

} // namespace parley::testing
