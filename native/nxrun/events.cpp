// SPDX-License-Identifier: MIT
#include "native/nxrun/events.hpp"

#include "native/nxrun/options.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace parley::native {

int checked(int value, const char* what)
{
    if (value < 0)
        throw BadRequest{std::string("Linux refuses ") + what + ": " + std::strerror(errno) + "."};
    return value;
}

Events::Events() : events_(checked(epoll_create1(EPOLL_CLOEXEC), "a list of events")) { }

Events::~Events() { close(events_); }

void Events::watch(int descriptor, EventSource source, unsigned endpoint) const
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = std::uint64_t{static_cast<std::uint32_t>(source)} << 32 | endpoint;
    checked(epoll_ctl(events_, EPOLL_CTL_ADD, descriptor, &event), "to watch a rank");
}

void Events::forget(int descriptor) const { epoll_ctl(events_, EPOLL_CTL_DEL, descriptor, nullptr); }

} // namespace parley::native
