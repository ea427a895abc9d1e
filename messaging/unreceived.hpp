// SPDX-License-Identifier: MIT
// What a process that has ended by itself has left: messages that it never received, receives that it never
// waited for, and what it asked about requests that had ended before. This lies in the process's record, so
// it is found without trusting anything else. The lock of the process's mailbox guards it while the job runs;
// anyone reads it afterwards. It takes no memory: of what has no room here only the number is known.
#pragma once

#include <cstdint>

namespace parley::messaging {

class Unreceived {
public:
    enum class Kind : std::uint32_t {
        none,
        message, // nobody has received it
        posted,  // an irecv that never got a message
        arrived, // an irecv that has its message, and was never waited for
        // A call on the id of a request that had ended; its `type` is the first such id.
        waited_again,
        asked_again,
        cancelled_again,
    };

    static constexpr bool is_of_a_call(Kind kind) { return kind >= Kind::waited_again; }

    struct Item {
        Kind kind = Kind::none;
        std::uint32_t count = 0;
        std::int64_t type = 0;  // or selector, or id
        std::int64_t bytes = 0; // of a message
        std::int32_t node = -1; // whom it is from; -1: any
        std::int32_t pid = 0;   // of a message

        // Whether this item counts what `other` is.
        bool holds(const Item& other) const
        {
            if (kind != other.kind || is_of_a_call(kind))
                return kind == other.kind;
            return type == other.type && bytes == other.bytes && node == other.node && pid == other.pid;
        }
    };

    static constexpr unsigned most_items = 13;

    void note(const Item& one)
    {
        for (Item& item : items_) {
            if (item.kind == Kind::none)
                item = one;
            if (!item.holds(one))
                continue;
            ++item.count;
            return;
        }
        ++others_;
    }

    // Calls `take` with each kind of thing that has been noted, in the order in which the first of each was.
    template <class Take>
    void for_each(Take take) const
    {
        for (const Item& item : items_)
            if (item.kind != Kind::none)
                take(item);
    }
    // How many things had no room any more.
    std::uint64_t others() const { return others_; }
    bool empty() const { return items_[0].kind == Kind::none; }

private:
    Item items_[most_items];
    std::uint64_t others_ = 0;
};

} // namespace parley::messaging
