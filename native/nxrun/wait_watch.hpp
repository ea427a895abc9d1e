// SPDX-License-Identifier: MIT
// Watches what the ranks of a job wait for, as the kernel's monitor does (kernel/job/wait_monitor.hpp), and
// finds out when none can ever go on.
#pragma once

#include "native/nxrun/place.hpp"
#include "native/nxrun/shared_file.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace parley::messaging {
struct WaitRecord;
}

namespace parley::native {

class WaitWatch {
public:
    WaitWatch(const std::deque<Place>& places, const SharedFile& arena) : places_(places), arena_(arena) { }

    // Whether every rank waits, none has been signalled since it looked, and all was so at the last look
    // already.
    bool nobody_can_go_on();
    // One line for each rank that waits, one for each message that has come to it and does not end its wait,
    // and one for each that computes or has left.
    std::string report() const;

private:
    const messaging::WaitRecord& record(unsigned endpoint) const;
    bool waits(const Place& place, std::uint32_t& epoch) const;
    void report_queue(const messaging::WaitRecord& at, std::string& text) const;
    template <class Object>
    const Object* find(const Object* object) const;

    const std::deque<Place>& places_;
    const SharedFile& arena_;
    std::vector<std::uint32_t> last_, now_; // epochs
};

} // namespace parley::native
