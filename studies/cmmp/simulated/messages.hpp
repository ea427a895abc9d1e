// SPDX-License-Identifier: MIT
// Messages between programs of the simulated machine: not this system's classes, which need memory and
// processors of their own, but what csend, crecv and a wait for a message cost under one of its designs.
#pragma once

#include "studies/cmmp/simulated/programs.hpp"

#include <cstddef>
#include <cstring>
#include <deque>
#include <vector>

namespace parley::simulated {

struct MessageCosts {
    Nanoseconds send = 0;     // of who sends
    Nanoseconds receive = 0;  // of who receives, once the message is there
    Nanoseconds turn = 0;     // between two looks of who waits; 0: it leaves its processor
    bool synchronous = false; // who sends waits until the message has been received
};

class Messages {
public:
    Messages(const MessageCosts& costs, unsigned processes) : costs_(costs), boxes_(processes) { }
    Messages(const Messages&) = delete;

    void send(unsigned to, long type, const void* bytes, std::size_t count)
    {
        SimulatedPrograms::here()->compute(costs_.send);
        std::deque<Message>& box = boxes_[to];
        const auto* const first = static_cast<const std::byte*>(bytes);
        Message& message = box.emplace_back(type, std::vector<std::byte>(first, first + count));
        bool received = false;
        message.received = costs_.synchronous ? &received : nullptr;
        news_of(box);
        while (costs_.synchronous && !received)
            wait_on(received);
    }
    // The oldest of that type.
    void receive(long type, void* bytes)
    {
        std::deque<Message>& box = boxes_[SimulatedPrograms::here()->current()];
        for (;;) {
            for (auto message = box.begin(); message != box.end(); ++message) {
                if (message->type != type)
                    continue;
                const Message taken = std::move(*message);
                box.erase(message);
                SimulatedPrograms::here()->compute(costs_.receive);
                std::memcpy(bytes, taken.bytes.data(), taken.bytes.size());
                if (taken.received != nullptr) {
                    *taken.received = true;
                    news_of(*taken.received);
                }
                return;
            }
            wait_on(box);
        }
    }

private:
    struct Message {
        long type;
        std::vector<std::byte> bytes;
        bool* received = nullptr; // who sent it waits for this
    };

    template <class Thing>
    void news_of(const Thing& thing)
    {
        if (costs_.turn != 0)
            SimulatedPrograms::here()->changed();
        else
            SimulatedPrograms::here()->wake(&thing, 1);
    }
    template <class Thing>
    void wait_on(const Thing& thing)
    {
        if (costs_.turn != 0)
            SimulatedPrograms::here()->spin(costs_.turn);
        else
            SimulatedPrograms::here()->sleep(&thing);
    }

    const MessageCosts costs_;
    std::vector<std::deque<Message>> boxes_; // of each process; a deque of them stays where it is
};

} // namespace parley::simulated
