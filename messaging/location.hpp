// SPDX-License-Identifier: MIT
// Factor "location": where does the message system live, and how may its code touch the caller's memory?
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"
#include "messaging/bound_once.hpp"

#include <cstddef>

namespace parley::messaging {

// The part of memory that every process of a job sees at the same address.
struct SharedRange {
    std::uintptr_t base = 0;
    std::size_t bytes = 0;
    bool everything = false; // all processes have one domain: each sees all the others' memory

    // Whether all of these bytes are seen by every process.
    constexpr bool contains(UserAddress address, std::size_t size) const
    {
        const std::uintptr_t offset = address.value - base;
        return everything || (offset <= bytes && size <= bytes - offset);
    }
};

class Location {
public:
    // These copy between the caller's own memory (UserAddress) and the system's, or within the caller's own.
    // A copy of more than a page may be preempted, so its caller holds no lock. Errors: bad_buffer, and then
    // part may have been copied.
    virtual Result<void> copy_in(std::byte* to, UserAddress from, std::size_t bytes) = 0;
    virtual Result<void> copy_out(UserAddress to, const std::byte* from, std::size_t bytes) = 0;
    virtual Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes) = 0;
    // As copy_in() and copy_out(), for the packet of an Active Message (active_messages.h): both sides have
    // PARLEY_ACTIVE_BRIEF bytes, or PARLEY_ACTIVE_BYTES if `bytes` is more, and so many may be copied.
    virtual Result<void> copy_packet_in(std::byte* to, UserAddress from, std::size_t bytes)
    {
        return copy_in(to, from, bytes);
    }
    virtual Result<void> copy_packet_out(UserAddress to, const std::byte* from, std::size_t bytes)
    {
        return copy_out(to, from, bytes);
    }
    // Copies from the caller's memory into that of another process of the job, named by its endpoint: at most
    // a page. The caller may hold a lock. Errors: bad_buffer.
    virtual Result<void> copy_to(unsigned receiver, UserAddress to, UserAddress from, std::size_t bytes) = 0;
    // What every process of the job sees at the same address. It does not change.
    virtual const SharedRange& shared() const = 0;
    // Whether a copy answers bad_buffer for a wrong address, instead of failing as any code of the program
    // would. This is bound once (AddressesChecked).
    virtual bool checks_addresses() const = 0;

protected:
    ~Location() = default;
};

struct AsksForChecks {
    template <class L>
    bool operator()(const L& location) const
    {
        return location.checks_addresses();
    }
};
template <class L>
using AddressesChecked = BoundOnce<AsksForChecks, L, Location>;

// Tries both ends of a buffer, so that a wrong address is the sender's error before anybody has heard of the
// message. `bytes` is not 0.
template <class L>
bool is_readable(L& location, UserAddress buffer, std::size_t bytes)
{
    std::byte byte{};
    return location.copy_in(&byte, buffer, 1) && location.copy_in(&byte, buffer + (bytes - 1), 1);
}

} // namespace parley::messaging
