// SPDX-License-Identifier: MIT
#include "arch/x86_64/network_card.hpp"

#include "arch/x86_64/memory_map.hpp"
#include "arch/x86_64/pci.hpp"
#include "arch/x86_64/registers.hpp"

#include <atomic>
#include <cstring>

namespace parley::arch {

namespace {

constexpr std::uint16_t vendor = 0x1af4;
constexpr std::uint16_t network_device = 0x1000;

// The card's registers, by their distance from its first port.
enum class CardRegister : std::uint16_t {
    features = 0x00,
    wanted_features = 0x04,
    queue_page = 0x08,
    queue_size = 0x0c,
    queue = 0x0e,
    notify = 0x10,
    status = 0x12,
    queue_interrupt = 0x16,
};

constexpr std::uint8_t acknowledged = 1, has_driver = 2, works = 4;
constexpr std::uint32_t any_layout = 1 << 27; // a frame and the card's head may lie together
constexpr std::uint16_t no_interrupt = 0xffff;
constexpr std::uint16_t written_by_card = 2;

constexpr unsigned incoming = 0, outgoing = 1;
constexpr unsigned largest_queue = 256;

// The card's own head, which says that nothing is special about a frame; then the network's.
constexpr std::size_t card_head = 10;
constexpr std::size_t address_bytes = 6;
constexpr std::size_t heads = card_head + 2 * address_bytes + 2;
static_assert(heads + NetworkCard::longest_frame <= page_bytes);

constexpr std::size_t offered_start = largest_queue * 16;
constexpr std::size_t used_start = 2 * page_bytes;
// Queues lie together in physical memory, as the image does.
alignas(page_bytes) constinit std::byte queue_memory[2][3 * page_bytes]{};

std::uint16_t port(std::uint16_t first, CardRegister which)
{
    return first + static_cast<std::uint16_t>(which);
}

// An address of our own kind, with the number of a machine; and a kind of frames that is free for
// experiments.
void write_address(std::byte* place, unsigned number)
{
    constexpr std::uint8_t own[address_bytes] = {0x52, 'P', 'a', 'r', 'l', 0};
    std::memcpy(place, own, sizeof own);
    place[address_bytes - 1] = static_cast<std::byte>(number);
}
constexpr std::byte kind[2] = {std::byte{0x88}, std::byte{0xb5}};

} // namespace

void NetworkCard::Queue::offer(unsigned descriptor)
{
    constexpr unsigned ring = 2;
    offered[ring + offered_index % size] = static_cast<std::uint16_t>(descriptor);
    std::atomic_thread_fence(std::memory_order_seq_cst); // the card sees the entry before the index
    offered[1] = ++offered_index;
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

Result<void> NetworkCard::make_queue(unsigned number, std::byte* memory, FrameSource& frames)
{
    Queue& queue = number == incoming ? incoming_ : outgoing_;
    write_port_word(port(ports_, CardRegister::queue), static_cast<std::uint16_t>(number));
    queue.size = read_port_word(port(ports_, CardRegister::queue_size));
    if (queue.size != largest_queue)
        return std::unexpected(Error::not_found);
    queue.descriptors = reinterpret_cast<Descriptor*>(memory);
    queue.offered = reinterpret_cast<volatile std::uint16_t*>(memory + offered_start);
    queue.used = reinterpret_cast<volatile std::uint16_t*>(memory + used_start);
    queue.used_ring = reinterpret_cast<volatile Used*>(memory + used_start + 4);
    for (unsigned i = 0; i < pages; ++i) {
        const PhysAddr page = TRY(frames.allocate_frame());
        queue.page[i] = to_pointer<std::byte>(page);
        queue.descriptors[i] = {page.value, page_bytes,
                                number == incoming ? written_by_card : std::uint16_t{0}, 0};
    }
    const std::uint64_t physical = reinterpret_cast<std::uint64_t>(memory) - KERNEL_BASE;
    write_port_long(port(ports_, CardRegister::queue_page),
                    static_cast<std::uint32_t>(physical / page_bytes));
    write_port_word(port(ports_, CardRegister::queue_interrupt),
                    number == incoming ? std::uint16_t{0} : no_interrupt);
    return {};
}

Result<void> NetworkCard::start(FrameSource& frames, Mapper& mapper, unsigned number, std::uint32_t apic_id,
                                unsigned vector)
{
    std::optional<PciDevice> device = PciDevice::find(vendor, network_device);
    if (!device)
        return std::unexpected(Error::not_found);
    device->enable();
    ports_ = device->ports(0);
    number_ = static_cast<std::uint8_t>(number);
    const std::optional<PciDevice::MessageTable> table = device->message_table();
    if (!table || ports_ == 0)
        return std::unexpected(Error::not_found);
    std::byte* const registers = TRY(mapper.map_device(table->page));
    device->send_interrupts(reinterpret_cast<std::uintptr_t>(registers) + table->offset, apic_id, vector);

    write_port(port(ports_, CardRegister::status), 0);
    write_port(port(ports_, CardRegister::status), acknowledged | has_driver);
    write_port_long(port(ports_, CardRegister::wanted_features),
                    read_port_long(port(ports_, CardRegister::features)) & any_layout);
    TRY_VOID(make_queue(incoming, queue_memory[incoming], frames));
    TRY_VOID(make_queue(outgoing, queue_memory[outgoing], frames));
    write_port(port(ports_, CardRegister::status), acknowledged | has_driver | works);
    for (unsigned i = 0; i < pages; ++i)
        incoming_.offer(i);
    notify(incoming);
    return {};
}

void NetworkCard::notify(unsigned queue)
{
    write_port_word(port(ports_, CardRegister::notify), static_cast<std::uint16_t>(queue));
}

void NetworkCard::send(unsigned number, std::span<const std::byte> first, std::span<const std::byte> rest)
{
    for (; outgoing_.has_used(); ++outgoing_.seen)
        is_leaving_[outgoing_.used_ring[outgoing_.seen % outgoing_.size].descriptor] = false;
    unsigned free = 0;
    while (free < pages && is_leaving_[free])
        ++free;
    if (free == pages)
        return;
    std::byte* const page = outgoing_.page[free];
    std::memset(page, 0, card_head);
    write_address(page + card_head, number);
    write_address(page + card_head + address_bytes, number_);
    std::memcpy(page + card_head + 2 * address_bytes, kind, sizeof kind);
    std::memcpy(page + heads, first.data(), first.size());
    if (!rest.empty())
        std::memcpy(page + heads + first.size(), rest.data(), rest.size());
    outgoing_.descriptors[free].bytes = static_cast<std::uint32_t>(heads + first.size() + rest.size());
    is_leaving_[free] = true;
    outgoing_.offer(free);
    notify(outgoing);
}

// What is no frame of ours is given back at once.
bool NetworkCard::next_frame(std::span<const std::byte>& frame)
{
    for (; incoming_.has_used(); give_back()) {
        std::atomic_thread_fence(std::memory_order_acquire);
        const volatile Used& used = incoming_.used_ring[incoming_.seen % incoming_.size];
        const std::byte* const page = incoming_.page[used.descriptor];
        const std::size_t bytes = used.bytes;
        if (bytes < heads || std::memcmp(page + heads - sizeof kind, kind, sizeof kind) != 0)
            continue;
        frame = {page + heads, bytes - heads};
        return true;
    }
    return false;
}

void NetworkCard::give_back()
{
    incoming_.offer(incoming_.used_ring[incoming_.seen % incoming_.size].descriptor);
    ++incoming_.seen;
}

} // namespace parley::arch
