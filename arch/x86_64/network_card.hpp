// SPDX-License-Identifier: MIT
// The emulator's network card, as virtio's older interface has it: a queue of pages in which frames arrive,
// and one of pages from which they leave. It interrupts for each batch that has come; that one has left is
// seen when the next wants its page. One party at a time calls it.
#pragma once

#include "arch/x86_64/page_table.hpp"
#include "base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace parley::arch {

class NetworkCard {
public:
    // What fits into a page beside the card's own head and that of the network.
    static constexpr std::size_t longest_frame = 4064;

    // Where a device's registers are mapped: Window::map_device().
    class Mapper {
    public:
        virtual Result<std::byte*> map_device(PhysAddr frame) = 0;

    protected:
        ~Mapper() = default;
    };

    NetworkCard() = default;
    NetworkCard(const NetworkCard&) = delete;

    // Finds the card and starts it; from then on it raises `vector` on that processor when frames come.
    // `number`: its address in the network, and that of frames to it. Errors: not_found; no_memory.
    Result<void> start(FrameSource& frames, Mapper& mapper, unsigned number, std::uint32_t apic_id,
                       unsigned vector);

    // Sends both parts as one frame to the card of that number; loses it where all pages are on their way.
    void send(unsigned number, std::span<const std::byte> first, std::span<const std::byte> rest);

    // Looks for the next frame that has come; its bytes are there until give_back(), which has to follow.
    // False: there is none.
    bool next_frame(std::span<const std::byte>& frame);
    void give_back();
    // The card may use the pages that were given back.
    void go_on() { notify(0); }

private:
    static constexpr unsigned pages = 64; // of each queue

    // As the card knows them.
    struct Descriptor {
        std::uint64_t address;
        std::uint32_t bytes;
        std::uint16_t flags;
        std::uint16_t next;
    };
    struct Used {
        std::uint32_t descriptor;
        std::uint32_t bytes;
    };
    struct Queue {
        unsigned size = 0;
        Descriptor* descriptors = nullptr;
        volatile std::uint16_t* offered = nullptr; // flags, index, ring
        volatile std::uint16_t* used = nullptr;    // flags, index
        volatile Used* used_ring = nullptr;
        std::uint16_t offered_index = 0;
        std::uint16_t seen = 0; // of used ones
        std::array<std::byte*, pages> page{};

        void offer(unsigned descriptor);
        bool has_used() const { return used[1] != seen; }
    };

    Result<void> make_queue(unsigned number, std::byte* memory, FrameSource& frames);
    void notify(unsigned queue);

    std::uint16_t ports_ = 0;
    std::uint8_t number_ = 0;
    Queue incoming_, outgoing_;
    std::array<bool, pages> is_leaving_{}; // pages of outgoing_
};

} // namespace parley::arch
