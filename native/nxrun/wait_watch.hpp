// SPDX-License-Identifier: MIT
// Watches what the ranks of a job wait for, as the kernel's monitor does (kernel/job/wait_monitor.hpp), and
// finds out when none can ever go on.
#pragma once

#include "native/nxrun/places.hpp"
#include "native/nxrun/shared_file.hpp"
#include "native/nxrun/source_names.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::messaging {
class Unreceived;
struct WaitRecord;
} // namespace parley::messaging

namespace parley::native {

class WaitWatch {
public:
    // `here`: the machine whose ranks these are.
    WaitWatch(const Places& places, unsigned here, const SharedFile& arena, SourceNames& names)
        : places_(places), here_(here), arena_(arena), names_(names)
    {
    }

    struct Look {
        bool all;             // ranks wait, and none has been signalled since it looked
        bool somebody;        // is there who waits for others
        std::uint64_t epochs; // a hash: the same at two looks, if nobody has gone on between them
    };
    Look look() const;

    // Whether every rank waits, none has been signalled since it looked, and all was so at the last look
    // already.
    bool nobody_can_go_on();
    // One line for each rank that waits, one for each message that has come to it and does not end its wait,
    // and one for each that computes, is in a Linux call or has left.
    std::string report() const;
    // What the rank of an endpoint of this machine has left.
    const messaging::Unreceived& unreceived(unsigned endpoint) const;

private:
    const messaging::WaitRecord& record(unsigned endpoint) const;
    bool waits(const Place& place, std::uint32_t& epoch) const;
    void report_queue(const messaging::WaitRecord& at, std::string& text) const;
    template <class Object>
    const Object* find(const Object* object) const;

    const Places& places_;
    const unsigned here_;
    const SharedFile& arena_;
    SourceNames& names_;
    Look last_{};
};

} // namespace parley::native
