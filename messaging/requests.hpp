// SPDX-License-Identifier: MIT
// The sends and receives of one process that go on while it does something else, and their ids. An id is
// generation << index_bits | index, always positive in 32 bits; a slot's generation grows with each use, so
// an old id is known to be old. Only the owner calls this. Invariant: the slots below `unused_` hold
// requests, and lie in pages of their room that have memory.
#pragma once

#include "messaging/completion.hpp"
#include "messaging/receive.hpp"
#include "messaging/wait_record.hpp"

#include "platform.hpp"

#include <cstddef>
#include <cstdint>
#include <new>

namespace parley::messaging {

enum class RequestState : std::uint32_t {
    free,
    sending,   // complete when its deliveries are
    receiving, // complete when its receive has ended
    abandoned, // a send that nobody will ask for; free again when its deliveries are complete
};

constexpr bool may_follow(RequestState now, RequestState next)
{
    switch (next) {
    case RequestState::free: return now != RequestState::free;
    case RequestState::sending:
    case RequestState::receiving: return now == RequestState::free;
    case RequestState::abandoned: return now == RequestState::sending;
    }
    return false;
}

struct Request {
    State<RequestState> state{RequestState::free};
    std::uint32_t generation = 0;
    Completion deliveries; // of a send
    Receive receive;       // of a receive
    long type = 0;         // or selector; with its peer it says what a wait is for
    std::int32_t peer = -1;
    Request* next = nullptr;

    // Acquire: the caller sees what whoever completed the request did before.
    bool is_complete() const
    {
        return state.is(RequestState::receiving) ? receive.has_ended() : deliveries.is_reached();
    }
};

static_assert(sizeof(Request) <= page_bytes);

class Requests {
public:
    static constexpr unsigned index_bits = 10;
    static constexpr std::uint32_t capacity = 1u << index_bits;
    static constexpr std::uint32_t last_generation = (1u << (30 - index_bits)) - 1;

    // The slots lie in `room`: pages that are only reserved, because most processes never have more than a
    // few requests. The pages get their memory as the slots are used.
    static constexpr std::size_t room_bytes = round_up(capacity * sizeof(Request), page_bytes);
    explicit Requests(std::byte* room) : room_(room) { }
    Requests(const Requests&) = delete;

    // Begins a new request that is sending or receiving. Errors: no_ids, no_memory.
    Result<Request*> begin(RequestState what)
    {
        if (free_ == nullptr && unused_ == capacity)
            collect_abandoned();
        Request* request = free_;
        if (request != nullptr)
            free_ = request->next;
        else
            request = TRY(next_unused());
        request->generation = request->generation == last_generation ? 1 : request->generation + 1;
        request->state.move(what, std::memory_order_relaxed);
        return request;
    }

    // Ends a request: its id is old from now on. If it is a receive, that is in none of its mailbox's lists.
    void end(Request& request)
    {
        request.receive.rest();
        request.receive.notifies = false;
        request.state.move(RequestState::free, std::memory_order_relaxed);
        request.next = free_;
        free_ = &request;
    }

    // Ends a send, as soon as no message counts on it any more.
    void abandon(Request& request)
    {
        if (request.deliveries.is_reached())
            end(request);
        else
            request.state.move(RequestState::abandoned, std::memory_order_relaxed);
    }

    // The id by which the program knows a request, until the request ends.
    long id(const Request& request) const
    {
        return static_cast<long>(request.generation) << index_bits | (&request - slot(0));
    }

    // Finds a request. Null: the id's request has just ended, which is no error, because programs call
    // msgwait after msgdone said 1. Errors: bad_id.
    Result<Request*> find(long id)
    {
        const auto generation = static_cast<std::uint64_t>(id) >> index_bits;
        const auto index = static_cast<std::uint32_t>(id) & (capacity - 1);
        if (id <= 0 || index >= unused_)
            return std::unexpected(Error::bad_id);
        Request* const request = slot(index);
        const bool is_old =
            request->state.is(RequestState::free) || request->state.is(RequestState::abandoned);
        if (generation == request->generation)
            return is_old ? nullptr : request;
        if (generation + 1 == request->generation && !is_old)
            return nullptr;
        return std::unexpected(Error::bad_id);
    }

    // The request is what is left of a csend that was interrupted; there is one at a time.
    void remember_csend(const Request& request, const WaitDetails& details)
    {
        csend_id_ = id(request);
        csend_ = details;
    }
    // What a wait for this request is for.
    WaitDetails details(long id, const Request& request) const
    {
        if (id == csend_id_)
            return csend_;
        if (WaitedPeer(request.peer).is_library())
            return {WaitReason::request, request.type, 0, request.peer, true};
        const bool is_sent = request.state.is(RequestState::sending);
        return {is_sent ? WaitReason::sent : WaitReason::request, request.type, id, request.peer, true};
    }

    // Makes all ids unused again. The process has no requests under way.
    void reset()
    {
        free_ = nullptr;
        unused_ = 0;
        csend_id_ = 0;
    }

    // Whether no message counts on any of them, abandoned ones included.
    bool all_delivered() const
    {
        for (std::uint32_t index = 0; index < unused_; ++index)
            if (!slot(index)->deliveries.is_reached())
                return false;
        return true;
    }

    // Calls `take` with each receive that the program still has an id of.
    template <class Take>
    void for_each_receive(Take take) const
    {
        for (std::uint32_t index = 0; index < unused_; ++index)
            if (slot(index)->state.is(RequestState::receiving))
                take(*slot(index));
    }

private:
    Request* slot(std::uint32_t index) const { return reinterpret_cast<Request*>(room_) + index; }

    Result<Request*> next_unused()
    {
        if (unused_ == capacity)
            return std::unexpected(Error::no_ids);
        if ((unused_ + 1) * sizeof(Request) > populated_) {
            TRY_VOID(platform::populate(room_ + populated_, page_bytes));
            populated_ += page_bytes;
        }
        return new (slot(unused_++)) Request;
    }

    void collect_abandoned()
    {
        for (std::uint32_t index = 0; index < unused_; ++index)
            if (slot(index)->state.is(RequestState::abandoned) && slot(index)->deliveries.is_reached())
                end(*slot(index));
    }

    long csend_id_ = 0;
    WaitDetails csend_{};
    Request* free_ = nullptr;
    std::uint32_t unused_ = 0; // slots from here on have never been used
    std::byte* const room_;
    std::size_t populated_ = 0; // bytes of the room
};

} // namespace parley::messaging
