// SPDX-License-Identifier: MIT
// A process of a job in a test: its calls go straight into the job's message system, as a kernel or a library
// makes them for it.
#pragma once

#include "messaging/behaviours/test_process.hpp"
#include "messaging/design/design.hpp"
#include "messaging/message_system.hpp"

#include <functional>
#include <string>
#include <utility>

namespace parley::testing {

// What programs must know of a design, as its classes say.
behaviours::Capabilities capabilities_in_tests(const messaging::Design& design);

class CallingProcess final : public behaviours::TestProcess {
public:
    using Note = std::function<void(const std::string&)>;

    // `note` is told what the process has expected in vain.
    CallingProcess(messaging::MessageSystem& system, unsigned endpoint, unsigned nodes,
                   const behaviours::Capabilities& capabilities, Note note)
        : TestProcess(static_cast<int>(endpoint), static_cast<int>(nodes), capabilities),
          calls_(system.calls_of(endpoint)), note_(std::move(note))
    {
    }

    behaviours::Answer send(long type, const void* buffer, long length, long to,
                            behaviours::Context context = behaviours::Context::program) override;
    behaviours::Answer start_send(long type, const void* buffer, long length, long to) override;
    behaviours::Answer receive(long typesel, void* buffer, long maximum) override;
    behaviours::Answer receive_block(long typesel, void* buffer, long maximum,
                                     behaviours::Context context = behaviours::Context::program) override;
    behaviours::Answer start_receive(long typesel, void* buffer, long maximum) override;
    behaviours::Answer done(long id) override;
    behaviours::Answer wait(long id) override;
    behaviours::Answer cancel(long id) override;
    behaviours::Answer probe(long typesel, bool may_wait) override;
    void* allocate(long bytes) override;
    behaviours::Answer release(void* block) override;
    void expect(bool holds, const char* sentence) override;

    // All its calls, for what no behaviour asks.
    const parley_calls& calls() const { return calls_; }

private:
    const parley_calls calls_;
    const Note note_;
};

} // namespace parley::testing
