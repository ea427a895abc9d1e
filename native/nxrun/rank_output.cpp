// SPDX-License-Identifier: MIT
#include "native/nxrun/rank_output.hpp"

#include "native/nxrun/options.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

namespace parley::native {

namespace {

constexpr std::size_t longest_line = 4096;

} // namespace

bool can_be_written(int file)
{
    pollfd ready{file, POLLOUT, 0};
    return poll(&ready, 1, 0) > 0;
}

RankOutput::RankOutput(bool tagged, int file)
    : tagged_(tagged), file_(file), events_(epoll_create1(EPOLL_CLOEXEC))
{
    if (events_ < 0)
        throw BadRequest{std::string("Linux refuses a list of events: ") + std::strerror(errno) + "."};
}

RankOutput::~RankOutput() { close(events_); }

void RankOutput::watch(Place& place) const
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &place;
    epoll_ctl(events_, EPOLL_CTL_ADD, place.output, &event);
}

std::optional<int> RankOutput::open(Place& place)
{
    if (!tagged_)
        return -1;
    int ends[2];
    if (pipe(ends) < 0)
        return {};
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    place.output = ends[0];
    ranks_.insert(&place);
    if (!awaits_reader_)
        watch(place);
    return ends[1];
}

void RankOutput::end(Place& place)
{
    if (place.output < 0)
        return;
    pollfd ready{place.output, POLLIN, 0};
    while (ranks_.contains(&place) && poll(&ready, 1, 0) > 0)
        take_some(place);
    take_lines(place, true);
    ranks_.erase(&place);
    close(place.output);
    place.output = -1;
    write();
}

void RankOutput::attend()
{
    epoll_event events[64];
    const int count = epoll_wait(events_, events, std::size(events), 0);
    for (int i = 0; i < count; ++i)
        if (events[i].data.ptr != nullptr) // else it is the reader
            take_some(*static_cast<Place*>(events[i].data.ptr));
    write();
}

void RankOutput::take_some(Place& place)
{
    char bytes[4096];
    const ssize_t count = read(place.output, bytes, sizeof bytes);
    if (count <= 0) {
        epoll_ctl(events_, EPOLL_CTL_DEL, place.output, nullptr);
        ranks_.erase(&place);
        return;
    }
    place.line.append(bytes, static_cast<std::size_t>(count));
    take_lines(place, false);
}

void RankOutput::take_lines(Place& place, bool all)
{
    const std::string tag = place.role == Role::host ? "[host] " : "[" + std::to_string(place.node) + "] ";
    std::size_t from = 0;
    while (from < place.line.size()) {
        std::size_t end = place.line.find('\n', from);
        if (end == std::string::npos && (place.line.size() - from > longest_line || all))
            end = place.line.size();
        if (end == std::string::npos)
            break;
        text_.append(tag).append(place.line, from, end - from).push_back('\n');
        from = std::min(end + 1, place.line.size());
    }
    place.line.erase(0, from);
}

// A pipe that can be written takes PIPE_BUF bytes without blocking.
void RankOutput::write()
{
    std::size_t written = 0;
    while (written < text_.size() && can_be_written(file_)) {
        const std::size_t piece = std::min<std::size_t>(text_.size() - written, PIPE_BUF);
        const ssize_t count = ::write(file_, text_.data() + written, piece);
        if (count < 0 && errno != EINTR && errno != EAGAIN) {
            failure_ = errno;
            written = text_.size();
        }
        written += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    text_.erase(0, written);
    if (text_.empty() == awaits_reader_)
        await_reader(!awaits_reader_);
}

void RankOutput::await_reader(bool awaits)
{
    awaits_reader_ = awaits;
    epoll_event event{};
    event.events = EPOLLOUT;
    epoll_ctl(events_, awaits ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, file_, &event);
    for (Place* const place : ranks_)
        if (awaits)
            epoll_ctl(events_, EPOLL_CTL_DEL, place->output, nullptr);
        else
            watch(*place);
}

} // namespace parley::native
