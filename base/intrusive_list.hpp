// SPDX-License-Identifier: MIT
// A list, first in, first out, that links elements through a member of each and allocates nothing. An
// element is on one list for each of its links at a time. The list is not synchronised: the caller holds a
// lock that guards it.
#pragma once

#include "assertion.hpp"

#include <cstddef>

namespace parley {

struct Link {
    Link* next = nullptr;
    Link* previous = nullptr;
    void* owner = nullptr; // the element, set while linked

    bool linked() const { return next != nullptr; }
};

// List<Process, &Process::ready_link>
template <class T, Link T::* link>
class List {
public:
    List() { head_.next = head_.previous = &head_; }
    List(const List&) = delete;

    bool empty() const { return head_.next == &head_; }

    void push_back(T& element)
    {
        Link& place = element.*link;
        assert_that([&] { return !place.linked(); });
        Link& last = *head_.previous;
        place.owner = &element;
        place.previous = &last;
        place.next = &head_;
        last.next = &place;
        head_.previous = &place;
    }

    // The element becomes the first.
    void push_front(T& element)
    {
        Link& place = element.*link;
        assert_that([&] { return !place.linked(); });
        place.owner = &element;
        place.next = head_.next;
        place.previous = &head_;
        head_.next->previous = &place;
        head_.next = &place;
    }

    // The oldest element, or null when there is none.
    T* pop_front()
    {
        if (empty())
            return nullptr;
        T* element = static_cast<T*>(head_.next->owner);
        remove(*element);
        return element;
    }

    void remove(T& element)
    {
        Link& place = element.*link;
        assert_that([&] { return place.linked(); });
        Link& before = *place.previous;
        Link& after = *place.next;
        before.next = &after;
        after.previous = &before;
        place = Link{};
    }

    // The oldest element, and the one after an element; null at the end.
    T* first() const { return element(head_.next); }
    T* after(const T& before) const { return element((before.*link).next); }

private:
    T* element(const Link* at) const { return at == &head_ ? nullptr : static_cast<T*>(at->owner); }

    Link head_;
};

} // namespace parley
