// SPDX-License-Identifier: MIT
// The messages that have come to a process which waits for ever, and why none of them ends its wait. Only for
// jobs in which nothing moves any more: no lock is taken.
#pragma once

#include "kernel/memory/shared_region.hpp"
#include "messaging/wait_record.hpp"

#include <string_view>

namespace parley::messaging {
struct Message;
}

namespace parley::kernel {

class NearMisses {
public:
    // `region`: where addresses of the message system lie, or null: in the kernel, which can be believed.
    explicit NearMisses(SharedRegion* region) : region_(region) { }

    // The first message in a process's queue, or null.
    const messaging::Message* first(const messaging::WaitRecord& record) const;
    const messaging::Message* after(const messaging::Message& message) const;

private:
    // What lies at an address, or null: nothing of the job's, or not whole in one page.
    const void* find(const void* address, std::size_t bytes, std::size_t alignment) const;
    template <class Object>
    const Object* find(const Object* object) const
    {
        return static_cast<const Object*>(find(object, sizeof(Object), alignof(Object)));
    }

    SharedRegion* region_;
};

// Why a message does not end that wait.
std::string_view reason_against(const messaging::Message& message, const messaging::WaitRecord& wait,
                                int from_node);

} // namespace parley::kernel
