// SPDX-License-Identifier: MIT
// The message ids of one process. An id is generation << index_bits | index, always positive in 32 bits; a
// slot's generation grows with each use, so an old id is known to be old. Only the owner calls these.
#pragma once

#include "messaging/request.hpp"

#include <cstddef>
#include <new>

namespace parley::messaging {

class RequestTable {
public:
    static constexpr unsigned index_bits = 10;
    static constexpr std::uint32_t capacity = 1u << index_bits;
    static constexpr std::uint32_t last_generation = (1u << (30 - index_bits)) - 1;

    // A slot whose generation is new; null when all ids are in use.
    Request* allocate()
    {
        if (free_ == nullptr && unused_ == capacity)
            collect_abandoned();
        Request* request = free_;
        if (request != nullptr)
            free_ = request->next;
        else if (unused_ < capacity)
            request = new (slot(unused_++)) Request;
        else
            return nullptr;
        request->generation = request->generation == last_generation ? 1 : request->generation + 1;
        request->watched = false;
        request->quiet = false;
        return request;
    }

    void release(Request& request)
    {
        request.state.store(RequestState::free, std::memory_order_relaxed);
        request.next = free_;
        free_ = &request;
    }

    long id(const Request& request) const
    {
        return static_cast<long>(request.generation) << index_bits | (&request - slot(0));
    }

    // The request, or null when the id's request has just been released: programs call msgwait after msgdone
    // said 1.
    Result<Request*> find(long id)
    {
        const auto generation = static_cast<std::uint64_t>(id) >> index_bits;
        const auto index = static_cast<std::uint32_t>(id) & (capacity - 1);
        if (id <= 0 || index >= unused_)
            return std::unexpected(Error::bad_id);
        Request* const request = slot(index);
        const RequestState state = request->state.load(std::memory_order_relaxed);
        const bool is_free = state == RequestState::free || state == RequestState::abandoned;
        if (generation == request->generation)
            return is_free ? nullptr : request;
        if (generation + 1 == request->generation && !is_free)
            return nullptr;
        return std::unexpected(Error::bad_id);
    }

    bool all_delivered() const
    {
        for (std::uint32_t index = 0; index < unused_; ++index)
            if (!slot(index)->delivered())
                return false;
        return true;
    }

private:
    Request* slot(std::uint32_t index) { return reinterpret_cast<Request*>(storage_) + index; }
    const Request* slot(std::uint32_t index) const
    {
        return reinterpret_cast<const Request*>(storage_) + index;
    }

    void collect_abandoned()
    {
        for (std::uint32_t index = 0; index < unused_; ++index) {
            Request& request = *slot(index);
            if (request.state.load(std::memory_order_relaxed) == RequestState::abandoned &&
                request.delivered())
                release(request);
        }
    }

    Request* free_ = nullptr;
    std::uint32_t unused_ = 0; // slots from here on have never been used
    alignas(Request) std::byte storage_[capacity * sizeof(Request)];
};

} // namespace parley::messaging
