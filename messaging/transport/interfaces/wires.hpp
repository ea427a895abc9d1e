// SPDX-License-Identifier: MIT
// Network interfaces and the wires between them, in simulated time: a model that knows no processes. Each
// interface has one way out and one way in, which carry one message at a time, and a queue for each. A
// message that has begun to leave can come in when the latency is over; its bytes follow it (cut-through).
// One that finds no room in the queue of its destination stays at the head of its sender's, and holds up
// what is behind it; what finds no room there waits in its sender's memory. So nothing is lost, and messages
// from one interface to another stay in order.
//
// One party calls this. Times are in nanoseconds.
#pragma once

#include "messaging/message/message_list.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>

namespace parley::messaging {

struct WireTimes {
    std::uint64_t latency; // from the beginning of a message's way out until it can come in
    std::uint64_t message; // for which each message has a way, beside the time of its bytes
    std::uint64_t rate;    // bytes in a microsecond: at least 1

    constexpr std::uint64_t on_a_way(std::uint64_t bytes) const { return message + bytes * 1000 / rate; }
};

class Wires {
public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    // The memory that so many interfaces need, of which each queue has `room` messages.
    static constexpr std::size_t bytes_for(unsigned interfaces, unsigned room)
    {
        return interfaces * (sizeof(Interface) + 2 * room * sizeof(Flight));
    }
    // `memory`: so much, aligned to 8 bytes.
    Wires(std::byte* memory, unsigned interfaces, unsigned room, const WireTimes& times)
        : interfaces_(reinterpret_cast<Interface*>(memory)), number_(interfaces), times_(times)
    {
        auto* flights = reinterpret_cast<Flight*>(memory + interfaces * sizeof(Interface));
        for (unsigned i = 0; i < interfaces; ++i, flights += 2 * room)
            new (&interfaces_[i]) Interface{.out = {flights, room}, .in = {flights + room, room}};
    }
    Wires(const Wires&) = delete;

    // The interface `from` has been given a message. `to_of(message)` is another interface, now and later.
    void accept(Message& message, unsigned from)
    {
        interfaces_[from].waiting.push_back(message);
        ++held_;
    }
    // Moves all that can move by `now`, and takes out the message that has come first. Null: none has come.
    template <class ToOf>
    Message* next(std::uint64_t now, const ToOf& to_of)
    {
        move(now, to_of);
        Interface* first = nullptr;
        for (unsigned i = 0; i < number_; ++i)
            if (const std::uint64_t due = interfaces_[i].in.due();
                due <= now && (first == nullptr || due < first->in.due()))
                first = &interfaces_[i];
        if (first == nullptr)
            return nullptr;
        --held_;
        return first->in.pop().message;
    }
    // Gives all that is held to `take(message)`, in the order in which it comes, however long after `now` that
    // would be.
    template <class ToOf, class Take>
    void let_all_come(std::uint64_t now, const ToOf& to_of, const Take& take)
    {
        for (; !is_empty(); now = due())
            while (Message* const message = next(now, to_of))
                take(*message);
    }
    bool is_empty() const { return held_ == 0; }
    // When next() can move something, if nothing is accepted before; `never`: there is nothing.
    std::uint64_t due() const
    {
        std::uint64_t due = never;
        for (unsigned i = 0; i < number_; ++i) {
            const Interface& at = interfaces_[i];
            due = at.in.due() < due ? at.in.due() : due;
            if (!at.out.is_empty() && !interfaces_[at.out.first().to].in.is_full())
                due = at.out.due() < due ? at.out.due() : due;
        }
        return due;
    }

private:
    // A message in a queue, and until when it is on its way.
    struct Flight {
        Message* message;
        std::uint64_t until;
        std::uint64_t on_a_way;
        unsigned to; // interface
    };
    struct Queue {
        Flight* flights;
        unsigned room;
        unsigned begin = 0, count = 0;

        bool is_empty() const { return count == 0; }
        bool is_full() const { return count == room; }
        const Flight& first() const { return flights[begin]; }
        std::uint64_t due() const { return is_empty() ? never : first().until; }
        void push(const Flight& flight) { flights[(begin + count++) % room] = flight; }
        Flight pop()
        {
            const Flight flight = first();
            begin = (begin + 1) % room;
            --count;
            return flight;
        }
    };
    struct Interface {
        MessageList waiting{};
        std::uint64_t out_is_free = 0, in_is_free = 0; // from then on
        Queue out, in;
    };

    template <class ToOf>
    void move(std::uint64_t now, const ToOf& to_of)
    {
        for (unsigned i = 0; i < number_; ++i)
            send(interfaces_[i], now, to_of);
        while (Interface* const from = first_to_arrive(now)) {
            arrive(from->out.pop());
            send(*from, now, to_of);
        }
    }
    template <class ToOf>
    void send(Interface& from, std::uint64_t now, const ToOf& to_of)
    {
        while (!from.out.is_full() && !from.waiting.empty()) {
            Message& message = *from.waiting.remove_after(nullptr);
            const std::uint64_t begins = now > from.out_is_free ? now : from.out_is_free;
            const std::uint64_t on_a_way = times_.on_a_way(message.length());
            from.out_is_free = begins + on_a_way;
            from.out.push({&message, begins + times_.latency, on_a_way, to_of(message)});
        }
    }
    Interface* first_to_arrive(std::uint64_t now)
    {
        Interface* first = nullptr;
        for (unsigned i = 0; i < number_; ++i) {
            Interface& from = interfaces_[i];
            if (from.out.due() > now || interfaces_[from.out.first().to].in.is_full())
                continue;
            if (first == nullptr || from.out.due() < first->out.due())
                first = &from;
        }
        return first;
    }
    void arrive(Flight flight)
    {
        Interface& to = interfaces_[flight.to];
        const std::uint64_t begins = flight.until > to.in_is_free ? flight.until : to.in_is_free;
        flight.until = to.in_is_free = begins + flight.on_a_way;
        to.in.push(flight);
    }

    Interface* const interfaces_;
    const unsigned number_;
    const WireTimes times_;
    std::size_t held_ = 0;
};

} // namespace parley::messaging
