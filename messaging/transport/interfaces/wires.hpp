// SPDX-License-Identifier: MIT
// Network interfaces and the wires between them, in simulated time: a model that knows no processes. Each
// interface is in a pool, of one or several. It has one way out and one way in, which carry one message at a
// time, and places for messages that wait for each; the places of a pool are one queue out and one in. The
// oldest message of a pool leaves by the way that is free first. One that has begun to leave can come in when
// the latency is over, by that way in of its destination's pool that is free first; its bytes follow it
// (cut-through). One that finds no room in the queue of its destination stays at the head of its sender's,
// and holds up what is behind it; what finds no room there waits in its sender's memory. So nothing is lost.
// Messages of one sender to one destination stay in order: what is shorter than one before it, and would be
// there sooner by another way, comes in when that does.
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

// How many there are, each at least 1.
struct WireNumbers {
    unsigned pools;
    unsigned interfaces; // of a pool
    unsigned room;       // messages in each of the two queues, for each interface

    constexpr unsigned places() const { return interfaces * room; }
};

class Wires {
public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    static constexpr std::size_t bytes_for(const WireNumbers& numbers)
    {
        return numbers.pools * (sizeof(Pool) + 2 * numbers.interfaces * sizeof(std::uint64_t) +
                                2 * numbers.places() * sizeof(Flight));
    }
    // `memory`: so much, aligned to 8 bytes.
    Wires(std::byte* memory, const WireNumbers& numbers, const WireTimes& times)
        : pools_(reinterpret_cast<Pool*>(memory)), number_(numbers.pools), times_(times)
    {
        auto* flights = reinterpret_cast<Flight*>(pools_ + number_);
        auto* free = reinterpret_cast<std::uint64_t*>(flights + 2 * number_ * numbers.places());
        const auto take_queue = [&] {
            const Queue queue{flights, numbers.places()};
            flights += numbers.places();
            return queue;
        };
        const auto take_ways = [&] {
            const Ways ways{free, numbers.interfaces};
            for (unsigned i = 0; i < numbers.interfaces; ++i)
                *free++ = 0;
            return ways;
        };
        for (unsigned i = 0; i < number_; ++i)
            new (&pools_[i]) Pool{{}, take_ways(), take_ways(), take_queue(), take_queue()};
    }
    Wires(const Wires&) = delete;

    // The pool `from` has been given a message. `to_of(message)` is another pool, now and later.
    void accept(Message& message, unsigned from)
    {
        pools_[from].waiting.push_back(message);
        ++held_;
    }
    // Moves all that can move by `now`, which is never less than before, and takes out the message that has
    // come first. Null: none has come.
    template <class ToOf>
    Message* next(std::uint64_t now, const ToOf& to_of)
    {
        if (is_empty())
            return nullptr;
        move(now, to_of);
        Pool* first = nullptr;
        for (unsigned i = 0; i < number_; ++i)
            if (const std::uint64_t due = pools_[i].in.due();
                due <= now && (first == nullptr || due < first->in.due()))
                first = &pools_[i];
        if (first == nullptr)
            return nullptr;
        --held_;
        return first->in.pop().message;
    }
    // Gives all that is held to `take(message)`, in the order in which it comes, however long that is after
    // `now`.
    template <class ToOf, class Take>
    void let_all_come(std::uint64_t now, const ToOf& to_of, const Take& take)
    {
        for (; !is_empty(); now = due())
            while (Message* const message = next(now, to_of))
                take(*message);
    }
    bool is_empty() const { return held_ == 0; }
    // When next() can move something, if it has just found that none has come, and nothing is accepted
    // before; `never`: there is nothing.
    std::uint64_t due() const
    {
        std::uint64_t due = never;
        for (unsigned i = 0; i < number_; ++i) {
            const Pool& at = pools_[i];
            due = at.in.due() < due ? at.in.due() : due;
            if (!at.out.is_empty() && !pools_[at.out.first().to].in.is_full())
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
        unsigned to; // pool

        bool is_of_the_same_two(const Flight& other) const
        {
            return message->source() == other.message->source() &&
                   message->destination == other.message->destination;
        }
    };
    class Queue {
    public:
        Queue(Flight* flights, unsigned room) : flights_(flights), room_(room) { }

        bool is_empty() const { return count_ == 0; }
        bool is_full() const { return count_ == room_; }
        const Flight& first() const { return flights_[begin_]; }
        std::uint64_t due() const { return is_empty() ? never : first().until; }
        // It is over no sooner than the last.
        void push(const Flight& flight) { at(count_++) = flight; }
        // Puts it behind those that are over no later, and any of the same two processes, with which it is
        // over then.
        void insert(Flight flight)
        {
            unsigned at = count_++;
            for (; at > 0 && this->at(at - 1).until > flight.until; --at) {
                if (this->at(at - 1).is_of_the_same_two(flight)) {
                    flight.until = this->at(at - 1).until;
                    break;
                }
                this->at(at) = this->at(at - 1);
            }
            this->at(at) = flight;
        }
        Flight pop()
        {
            const Flight flight = first();
            begin_ = (begin_ + 1) % room_;
            --count_;
            return flight;
        }

    private:
        Flight& at(unsigned place) { return flights_[(begin_ + place) % room_]; }

        Flight* flights_;
        unsigned room_;
        unsigned begin_ = 0, count_ = 0;
    };
    // Out or in, of each interface of a pool.
    class Ways {
    public:
        // `free`: of each, from when on it is.
        Ways(std::uint64_t* free, unsigned number) : free_(free), number_(number) { }

        // The way that is free first has a message for so long, from `earliest` on or later. Answers since
        // when.
        std::uint64_t begin(std::uint64_t earliest, std::uint64_t on_a_way)
        {
            std::uint64_t* first = free_;
            for (unsigned i = 1; i < number_; ++i)
                if (free_[i] < *first)
                    first = &free_[i];
            const std::uint64_t begins = earliest > *first ? earliest : *first;
            *first = begins + on_a_way;
            return begins;
        }

    private:
        std::uint64_t* free_;
        unsigned number_;
    };
    struct Pool {
        MessageList waiting;
        Ways ways_out, ways_in;
        Queue out, in;
    };

    template <class ToOf>
    void move(std::uint64_t now, const ToOf& to_of)
    {
        for (unsigned i = 0; i < number_; ++i)
            send(pools_[i], now, to_of);
        while (Pool* const from = first_to_arrive(now)) {
            arrive(from->out.pop());
            send(*from, now, to_of);
        }
    }
    template <class ToOf>
    void send(Pool& from, std::uint64_t now, const ToOf& to_of)
    {
        while (!from.waiting.empty() && !from.out.is_full()) {
            Message& message = *from.waiting.pop_front();
            const std::uint64_t on_a_way = times_.on_a_way(message.length());
            const std::uint64_t begins = from.ways_out.begin(now, on_a_way);
            from.out.push({&message, begins + times_.latency, on_a_way, to_of(message)});
        }
    }
    Pool* first_to_arrive(std::uint64_t now)
    {
        Pool* first = nullptr;
        for (unsigned i = 0; i < number_; ++i) {
            Pool& from = pools_[i];
            if (from.out.due() > now || pools_[from.out.first().to].in.is_full())
                continue;
            if (first == nullptr || from.out.due() < first->out.due())
                first = &from;
        }
        return first;
    }
    void arrive(Flight flight)
    {
        Pool& to = pools_[flight.to];
        flight.until = to.ways_in.begin(flight.until, flight.on_a_way) + flight.on_a_way;
        to.in.insert(flight);
    }

    Pool* const pools_;
    const unsigned number_;
    const WireTimes times_;
    std::size_t held_ = 0;
};

} // namespace parley::messaging
