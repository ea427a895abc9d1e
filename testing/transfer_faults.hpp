// SPDX-License-Identifier: MIT
// What is wrong with a Transfer, found through its interface alone, from offer to accept or drop: each
// function returns "" or a sentence. The quick ones come first.
#pragma once

#include "arch/hosted/hosted.hpp"
#include "interface/capabilities.h"
#include "messaging/location/kernel.hpp"
#include "messaging/message/message.hpp"
#include "messaging/receive.hpp"
#include "messaging/transfer.hpp"
#include "messaging/transfer_parts.hpp"
#include "testing/lone_exchange.hpp"
#include "testing/lone_taker.hpp"
#include "testing/made.hpp"
#include "testing/mapped_memory.hpp"

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace parley::testing {

// Heaps, a location and blocks, as a composed system has them, around a Transfer.
template <class X>
class TransferScene {
public:
    static constexpr std::size_t arena_bytes = 4 << 20;
    static constexpr std::size_t block_bytes = 70'000;

    TransferScene()
    {
        if (!buffers_.start() || !blocks_.start())
            throw std::runtime_error("there is no memory for a transfer's surroundings");
    }

    X& transfer() { return transfer_; }
    LoneExchange& exchange() { return exchange_; }
    // A block of the shared region.
    UserAddress block(unsigned owner) { return {*blocks_.allocate(owner, block_bytes, 8)}; }

    // Brings the bytes as the sender does when no receive is posted. False: they could not be brought.
    static bool bring(messaging::Message& message, const messaging::Offer& offer)
    {
        messaging::Protocol* const protocol = message.protocol();
        return protocol == nullptr ||
               protocol->bring(message, offer, {messaging::WaitReason::delivery, 0, 0, -1}).has_value();
    }

    // Asked when all messages are over and all processes have ended.
    std::string fault_in_the_end()
    {
        for (unsigned owner = 0; owner < 3; ++owner)
            blocks_.release_all(owner);
        if (blocks_.used_units() != 0)
            return "it keeps a block when all messages are over";
        return buffers_.used_units() != 0 ? "it keeps a system buffer when all messages are over" : "";
    }

private:
    MappedMemory memory_{arena_bytes};
    MappedMemory table_{messaging::BuddyHeap::table_bytes(arena_bytes)};
    MappedMemory shared_{arena_bytes};
    MappedMemory shared_table_{messaging::BuddyHeap::table_bytes(arena_bytes)};
    messaging::BuddyHeap buffers_{memory_.start(), arena_bytes, table_.start()};
    messaging::Blocks::Received received_[4];
    messaging::Blocks blocks_{shared_.start(), arena_bytes, shared_table_.start(), buffers_, received_};
    messaging::KernelLocation kernel_{messaging::SharedRange{shared_.address(), arena_bytes}};
    messaging::Location& location_ = kernel_;
    LoneExchange exchange_;
    X transfer_ = made<X>(messaging::TransferParts<>{location_, buffers_, blocks_, exchange_});
};

inline void address_message(messaging::Message& message, std::size_t length)
{
    message.write(messaging::Envelope().addressed(0, static_cast<std::uint32_t>(length), 0, 0));
}

// Never zero, and another at each place of a page.
inline unsigned char byte_at(std::size_t index) { return static_cast<unsigned char>(1 + (7 + index) % 251); }

inline void fill(UserAddress buffer, std::size_t bytes)
{
    auto* const at = reinterpret_cast<unsigned char*>(buffer.value);
    for (std::size_t index = 0; index < bytes; ++index)
        at[index] = byte_at(index);
}

// "" or which of a message's bytes is not what was sent.
inline std::string fault_in_bytes(UserAddress buffer, std::size_t bytes)
{
    const auto* const at = reinterpret_cast<const unsigned char*>(buffer.value);
    for (std::size_t index = 0; index < bytes; ++index)
        if (at[index] != byte_at(index))
            return index + 1 == bytes
                       ? "it loses the last byte of a message of " + std::to_string(bytes)
                       : "of a message of " + std::to_string(bytes) + " bytes, it brings number " +
                             std::to_string(index + 1) + " wrong";
    return "";
}

constexpr unsigned char used_again = 255; // no byte_at()

// The sender writes something else into its buffer, where the transfer has said that it may.
template <class X>
void use_again(UserAddress buffer, std::size_t bytes, messaging::Custody custody)
{
    if (custody != messaging::Custody::lent && !(X::capabilities & NX_BLOCKS_CHANGE_OWNER))
        std::memset(reinterpret_cast<void*>(buffer.value), used_again, bytes);
}

// "" or what is wrong with the bytes of a message whose sender has gone on meanwhile.
inline std::string fault_in_bytes_of_another(UserAddress buffer, std::size_t bytes)
{
    if (std::memchr(reinterpret_cast<const void*>(buffer.value), used_again, bytes) != nullptr)
        return "it says that the sender's buffer is free, and reads it afterwards";
    return fault_in_bytes(buffer, bytes);
}

// A message of this length, past a delivery process.
template <class X>
std::string fault_in_bringing(std::size_t length)
{
    TransferScene<X> scene;
    const UserAddress from = scene.block(0);
    const UserAddress to = scene.block(1);
    fill(from, length);
    messaging::Message message{};
    address_message(message, length);
    const messaging::Offer offer{.sender = 0, .buffer = from, .copies = 1};
    const auto custody = scene.transfer().offer(message, offer);
    if (!custody)
        return "it refuses a message of " + std::to_string(length) + " bytes";
    scene.transfer().relay(message);
    if (!scene.bring(message, offer))
        return "its protocol does not bring a message of " + std::to_string(length) + " bytes";
    use_again<X>(from, length, *custody);
    const auto place = scene.transfer().accept(message, 1, to);
    if (!place)
        return "it does not give out a message of " + std::to_string(length) + " bytes";
    if (const std::string fault = fault_in_bytes_of_another(*place, length); !fault.empty())
        return fault;
    if ((*place == to) != !(X::capabilities & NX_BLOCKS_CHANGE_OWNER))
        return "the bytes are in another place than its capabilities say";
    return scene.fault_in_the_end();
}

// Every length that may end a buffer of its own, and those around pages.
template <class X>
std::string fault_in_any_length()
{
    for (std::size_t length = 1; length <= 300; ++length)
        if (const std::string fault = fault_in_bringing<X>(length); !fault.empty())
            return fault;
    for (const std::size_t edge : {page_bytes, 2 * page_bytes, 16 * page_bytes})
        for (std::size_t length = edge - 2; length <= edge + 2; ++length)
            if (const std::string fault = fault_in_bringing<X>(length); !fault.empty())
                return fault;
    return "";
}

// Two receive it, and the third has gone.
template <class X>
std::string fault_in_a_broadcast(std::size_t length)
{
    TransferScene<X> scene;
    const UserAddress from = scene.block(0);
    fill(from, length);
    messaging::Message messages[3]{};
    const messaging::Offer offer{.sender = 0, .buffer = from, .copies = 3};
    bool is_lent = false;
    for (messaging::Message& message : messages) {
        address_message(message, length);
        const bool is_first = &message == messages;
        const auto custody =
            is_first ? scene.transfer().offer(message, offer) : scene.transfer().repeat(message, offer);
        if (!custody)
            return "it refuses a message of a broadcast";
        is_lent = is_lent || *custody == messaging::Custody::lent;
    }
    for (messaging::Message& message : messages)
        if (!scene.bring(message, offer))
            return "its protocol does not bring a message of a broadcast";
    use_again<X>(from, length, is_lent ? messaging::Custody::lent : messaging::Custody::taken);
    for (unsigned receiver = 1; receiver < 3; ++receiver) {
        const auto place = scene.transfer().accept(messages[receiver], receiver, scene.block(receiver));
        if (!place)
            return "it does not give out a message of a broadcast";
        if (const std::string fault = fault_in_bytes_of_another(*place, length); !fault.empty())
            return "in a broadcast, " + fault;
    }
    scene.transfer().drop(messages[0]);
    return scene.fault_in_the_end();
}

template <class X>
std::string fault_in_broadcasts()
{
    for (const std::size_t length : {50, 5000})
        if (const std::string fault = fault_in_a_broadcast<X>(length); !fault.empty())
            return fault;
    return "";
}

// The sender will not wait for the delivery, so its buffer may not be lent.
template <class X>
std::string fault_in_not_lending()
{
    TransferScene<X> scene;
    const UserAddress from = scene.block(0);
    messaging::Message message{};
    address_message(message, 5000);
    const messaging::Offer offer{.sender = 0, .buffer = from, .copies = 1, .may_lend = false};
    const auto custody = scene.transfer().offer(message, offer);
    if (!custody)
        return "it refuses a message whose buffer may not be lent";
    if (*custody == messaging::Custody::lent)
        return "it lends a buffer that may not be lent";
    if (!scene.bring(message, offer))
        return "its protocol does not bring a message whose buffer may not be lent";
    scene.transfer().drop(message);
    return scene.fault_in_the_end();
}

// A message whose receive was posted first, where its protocol brings the bytes there itself. Its receiver
// takes the receive back before the sender's step number `step`; another receive gets the message then.
template <class X>
std::string fault_in_taking_back(unsigned step)
{
    static constexpr std::size_t length = 5 * page_bytes + 50;
    TransferScene<X> scene;
    const UserAddress from = scene.block(0);
    const UserAddress first = scene.block(1);
    const UserAddress second = scene.block(1);
    fill(from, length);
    messaging::Message message{};
    address_message(message, length);
    const messaging::Offer offer{.sender = 0, .buffer = from, .copies = 1};
    if (!scene.transfer().offer(message, offer))
        return "it refuses a message that a receive waits for";
    messaging::Protocol* const protocol = message.protocol();
    messaging::Receive posted, another;
    posted.buffer = first;
    another.buffer = second;
    posted.maximum = another.maximum = length;
    LoneExchange& exchange = scene.exchange();
    const auto meets = [&](messaging::Receive& receive) {
        const messaging::InAMailbox known(lone_taker);
        return protocol->matched(message, receive);
    };
    const bool is_engaged = protocol != nullptr && meets(posted) == messaging::Protocol::Step::engaged &&
                            exchange.handed_over == nullptr;
    std::vector<unsigned char> then;
    const auto* const at_first = reinterpret_cast<const unsigned char*>(first.value);
    unsigned steps = 0;
    exchange.before_lock = [&] {
        if (!is_engaged || exchange.ended != nullptr || ++steps != step)
            return;
        then.assign(at_first, at_first + length);
        const messaging::InAMailbox known(lone_taker);
        protocol->withdrawn(message);
    };
    if (!scene.bring(message, offer))
        return "its protocol does not bring a message that a receive waits for";
    const bool is_taken_back = !then.empty();
    if (is_taken_back && exchange.ended == &posted)
        return "it ends a receive that has been taken back";
    if (is_taken_back && std::memcmp(then.data(), at_first, length) != 0)
        return "it writes to a receive that has been taken back";
    if (exchange.ended == &posted) {
        const std::string fault = fault_in_bytes(first, length);
        return fault.empty() ? scene.fault_in_the_end() : fault;
    }
    if (is_taken_back && meets(another) != messaging::Protocol::Step::whole)
        return "its protocol has gone without bringing the message";
    const auto place = scene.transfer().accept(message, 1, second);
    if (!place)
        return "it does not give out a message whose receive has been taken back";
    const std::string fault = fault_in_bytes(*place, length);
    return fault.empty() ? scene.fault_in_the_end() : fault;
}

template <class X>
std::string fault_in_taking_back_at_any_step()
{
    for (unsigned step = 1; step <= 8; ++step)
        if (const std::string fault = fault_in_taking_back<X>(step); !fault.empty())
            return fault;
    return "";
}

// Memory that is not the program's.
template <class X>
std::string fault_with_a_bad_buffer()
{
    TransferScene<X> scene;
    const UserAddress from = scene.block(0);
    messaging::Message message{};
    address_message(message, 300);
    hosted::forbid(reinterpret_cast<void*>(from.value), scene.block_bytes);
    const auto offered = scene.transfer().offer(message, {.sender = 0, .buffer = from, .copies = 1});
    Error error = Error::bad_buffer; // where no byte moves, none can be refused
    if (!offered)
        error = offered.error();
    else if (const auto place = scene.transfer().accept(message, 1, scene.block(1)); !place)
        error = place.error();
    hosted::forbid(nullptr, 0);
    if (error != Error::bad_buffer)
        return "it does not say of a bad buffer that it is bad";
    return scene.fault_in_the_end();
}

// Memory that is not in the shared region.
template <class X>
std::string fault_with_an_unshared_buffer()
{
    TransferScene<X> scene;
    char own[300] = {};
    messaging::Message message{};
    address_message(message, sizeof own);
    const UserAddress unshared{reinterpret_cast<std::uintptr_t>(own)};
    const auto offered = scene.transfer().offer(message, {.sender = 0, .buffer = unshared, .copies = 1});
    if (offered.has_value() == static_cast<bool>(X::capabilities & NX_BUFFERS_MUST_BE_SHARED))
        return "it takes other buffers than its capabilities say";
    if (offered)
        scene.transfer().drop(message);
    else if (offered.error() != Error::not_shared)
        return "it does not say of a buffer that it must be shared";
    return scene.fault_in_the_end();
}

// Bytes that a helper brings in from memory of its own, uses again, and brings out to such memory.
template <class X>
std::string fault_in_bringing_in_and_out(std::size_t length)
{
    constexpr unsigned helper = 3; // which never ends, so that nobody else releases what it keeps
    TransferScene<X> scene;
    std::vector<std::byte> from(length), to(length);
    const UserAddress source{reinterpret_cast<std::uintptr_t>(from.data())};
    fill(source, length);
    messaging::Message message{};
    address_message(message, length);
    const messaging::Offer offer{.sender = helper, .buffer = source, .copies = 1, .may_lend = false};
    const auto custody = scene.transfer().bring_in(message, offer);
    if (!custody || *custody == messaging::Custody::lent)
        return "it does not take a helper's bytes in";
    if (!scene.bring(message, offer))
        return "its protocol does not bring a helper's bytes";
    std::memset(from.data(), used_again, length);
    if (!scene.transfer().bring_out(message, helper, to.data()))
        return "it does not bring bytes out to a helper";
    const UserAddress brought{reinterpret_cast<std::uintptr_t>(to.data())};
    if (const std::string fault = fault_in_bytes_of_another(brought, length); !fault.empty())
        return "by a helper, " + fault;
    return scene.fault_in_the_end();
}

template <class X>
std::string fault_by_helpers()
{
    for (const std::size_t length : {1, 100, 101, 5000, 40'000})
        if (const std::string fault = fault_in_bringing_in_and_out<X>(length); !fault.empty())
            return fault;
    return "";
}

// A message that a port has carried, or could have, has its bytes in itself.
template <class X>
std::string fault_in_carried_bytes(std::size_t length, bool is_dropped)
{
    TransferScene<X> scene;
    const UserAddress to = scene.block(1);
    messaging::Message message{};
    address_message(message, length);
    message.data = message.space;
    fill({reinterpret_cast<std::uintptr_t>(message.space)}, length);
    scene.transfer().relay(message);
    if (is_dropped) {
        scene.transfer().drop(message);
        return scene.fault_in_the_end();
    }
    if (!scene.transfer().accept(message, 1, to))
        return "it does not give out a carried message of " + std::to_string(length) + " bytes";
    if (const std::string fault = fault_in_bytes(to, length); !fault.empty())
        return fault;
    return scene.fault_in_the_end();
}
template <class X>
std::string fault_in_carried()
{
    messaging::Binding binding(sizeof(messaging::Message::space));
    TransferScene<X>().transfer().bind(binding);
    for (std::size_t length = 1; length < binding.carried_below; ++length)
        for (const bool is_dropped : {false, true})
            if (const std::string fault = fault_in_carried_bytes<X>(length, is_dropped); !fault.empty())
                return fault;
    return "";
}

template <class X>
std::string fault_of_transfer()
{
    for (const auto fault_in : {fault_in_any_length<X>, fault_in_broadcasts<X>, fault_in_not_lending<X>,
                                fault_in_taking_back_at_any_step<X>, fault_with_a_bad_buffer<X>,
                                fault_with_an_unshared_buffer<X>, fault_by_helpers<X>, fault_in_carried<X>})
        if (const std::string fault = fault_in(); !fault.empty())
            return fault;
    return "";
}

} // namespace parley::testing
