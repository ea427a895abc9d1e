// SPDX-License-Identifier: MIT
// A first-in first-out list of messages, linked through Message::next. A message is in one list at a time. A
// list that several processes know is GUARDED_BY a lock.
#pragma once

#include "messaging/message/message.hpp"

namespace parley::messaging {

class MessageList {
public:
    bool empty() const { return first_ == nullptr; }
    Message* first() const { return first_; }

    void push_back(Message& message)
    {
        begin_link(message.next);
        message.next = nullptr;
        (last_ == nullptr ? first_ : last_->next) = &message;
        last_ = &message;
    }

    void push_front(Message& message)
    {
        begin_link(message.next);
        message.next = first_;
        first_ = &message;
        if (last_ == nullptr)
            last_ = &message;
    }

    // Puts all of another list in front, in its order; the other list is empty afterwards.
    void push_front(MessageList& others)
    {
        if (others.empty())
            return;
        others.last_->next = first_;
        if (last_ == nullptr)
            last_ = others.last_;
        first_ = others.first_;
        others = {};
    }

    // Removes the message that follows `previous` (null: the first).
    Message* remove_after(Message* previous)
    {
        Message*& link = previous == nullptr ? first_ : previous->next;
        Message* const message = link;
        if (message == nullptr)
            return nullptr;
        link = message->next;
        end_link(message->next);
        if (last_ == message)
            last_ = previous;
        return message;
    }

    // False: it is not in the list.
    bool remove(const Message& message)
    {
        Message* previous = nullptr;
        for (Message* at = first_; at != nullptr && at != &message; at = at->next)
            previous = at;
        if ((previous == nullptr ? first_ : previous->next) != &message)
            return false;
        remove_after(previous);
        return true;
    }

    // Null: it is empty.
    Message* pop_front() { return remove_after(nullptr); }

private:
    Message* first_ = nullptr;
    Message* last_ = nullptr;
};

} // namespace parley::messaging
