// SPDX-License-Identifier: MIT
// The messages that have come to a process which waits for ever, and why none of them ends its wait. Only for
// jobs in which nothing moves any more: no lock is taken.
#pragma once

#include "kernel/job/job_messages.hpp"

namespace parley::messaging {
struct Message;
}

namespace parley::kernel {

class UnmatchedCandidates {
public:
    explicit UnmatchedCandidates(JobMessages& messages) : messages_(messages) { }

    // The first message in a process's queue, or null.
    const messaging::Message* first(const messaging::WaitRecord& record) const;
    const messaging::Message* after(const messaging::Message& message) const;

private:
    // What the message system keeps there, or null.
    template <class Object>
    const Object* find(const Object* object) const
    {
        return static_cast<const Object*>(messages_.view(object, sizeof(Object), alignof(Object)));
    }

    JobMessages& messages_;
};

} // namespace parley::kernel
