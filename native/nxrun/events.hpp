// SPDX-License-Identifier: MIT
// What nxrun's one thread sleeps for: descriptors that can be read.
#pragma once

#include <cstdint>
#include <sys/epoll.h>

namespace parley::native {

// What comes over a descriptor.
enum class EventSource : std::uint32_t { signal, limit, tick, request, output, turn, machines };

// Answers `value`, unless it is negative: then Linux refuses `what`, and this throws BadRequest.
int checked(int value, const char* what);

class Events {
public:
    // Throws BadRequest.
    Events();
    ~Events();
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;

    // `endpoint`: the rank's, of a request. Throws BadRequest.
    void watch(int descriptor, EventSource source, unsigned endpoint = 0) const;
    void forget(int descriptor) const;

    // Sleeps until something has come, and calls attend(source, endpoint) for each descriptor.
    template <class Attend>
    void await(const Attend& attend) const
    {
        epoll_event events[64];
        const int count = epoll_wait(events_, events, 64, -1);
        for (int i = 0; i < count; ++i)
            attend(static_cast<EventSource>(events[i].data.u64 >> 32),
                   static_cast<unsigned>(events[i].data.u64));
    }

private:
    const int events_;
};

} // namespace parley::native
