// SPDX-License-Identifier: MIT
#include "testing/fake_factors.hpp"

#include "platform.hpp"

#include <cstring>
#include <utility>

namespace parley::testing {

void Notebook::note(const std::string& word) { all_ += (all_.empty() ? "" : ", ") + word; }
std::string Notebook::read() { return std::exchange(all_, {}); }

bool FakePort::put(unsigned caller, messaging::Envelope envelope, messaging::MessageMemory* memory)
{
    if (memory != nullptr)
        memory->open(envelope);
    if (entries_.size() == capacity || (memory == nullptr && !admits_without_memory)) {
        when_full();
        return false;
    }
    entries_.push_back({envelope, {}, memory, caller});
    return true;
}

messaging::Put FakePort::put_bytes(unsigned caller, messaging::Envelope envelope,
                                   const messaging::Source& source)
{
    if (entries_.size() == capacity || !admits_without_memory)
        return messaging::Put::full;
    Entry entry{envelope, {}, nullptr, caller};
    if (!source.fill(entry.bytes))
        return messaging::Put::unreadable;
    entries_.push_back(entry);
    return messaging::Put::in;
}

messaging::Taken FakePort::take(messaging::MailboxHeld, unsigned)
{
    if (entries_.empty())
        return {};
    taken_.clear();
    taken_.splice(taken_.begin(), entries_, entries_.begin());
    return {taken_.front().envelope, taken_.front().memory};
}

messaging::Message* FakePort::hold(messaging::MailboxHeld, const messaging::Taken& taken)
{
    messaging::Message& message = held_.emplace_back();
    message.open(taken.envelope());
    message.set_held();
    message.set_slot(static_cast<std::uint8_t>(taken.envelope().home()));
    std::memcpy(message.space, taken.bytes(), taken.envelope().length());
    message.data = message.space;
    return &message;
}

bool FakePort::leave(unsigned caller)
{
    left.push_back(caller);
    return false;
}

Result<void> FakeTransfer::check(const messaging::ReceiveArguments&, messaging::Want want) const
{
    notes_.note(want == messaging::Want::block ? "check block" : "check");
    if (check_error)
        return std::unexpected(*check_error);
    return {};
}

Result<messaging::Custody> FakeTransfer::offer(messaging::Message& message, const messaging::Offer& offer)
{
    return take("offer", message, offer);
}

Result<messaging::Custody> FakeTransfer::repeat(messaging::Message& message, const messaging::Offer& offer)
{
    return take("repeat", message, offer);
}

Result<UserAddress> FakeTransfer::accept(messaging::Message& message, unsigned receiver, UserAddress buffer)
{
    notes_.note("accept by " + std::to_string(receiver));
    if (const std::optional<Error> error = accept_error())
        return std::unexpected(*error);
    std::memcpy(reinterpret_cast<void*>(buffer.value), message.data, message.length());
    return buffer;
}

void FakeTransfer::drop(messaging::Message& message)
{
    notes_.note("drop");
    dropped_inside = message.data_is_inside();
}

Result<messaging::Custody> FakeTransfer::take(const char* how, messaging::Message& message,
                                              const messaging::Offer& offer)
{
    notes_.note(how);
    last_offer = offer;
    if (const std::optional<Error> error = offer_error())
        return std::unexpected(*error);
    if (custody == messaging::Custody::followed)
        message.follow(*protocol);
    message.data = message.space;
    const std::size_t inside = std::min<std::size_t>(message.length(), sizeof message.space);
    std::memcpy(message.space, reinterpret_cast<const void*>(offer.buffer.value), inside);
    return custody == messaging::Custody::lent && !offer.may_lend ? messaging::Custody::taken : custody;
}

void FakeTransfer::relay(messaging::Message&) { notes_.note("relay"); }

FakeProtocol::Step FakeProtocol::matched(messaging::Message& which, messaging::Receive& met)
{
    note("matched", which);
    receive = &met;
    return answer;
}

void FakeProtocol::queued(messaging::Message& which) { note("queued", which); }

void FakeProtocol::withdrawn(messaging::Message& which) { note("withdrawn", which); }

void FakeProtocol::abandoned(messaging::Message& which) { note("abandoned", which); }

bool FakeProtocol::refused(messaging::Message& which)
{
    note("refused", which);
    return sender_completes;
}

Result<void> FakeProtocol::bring(messaging::Message& which, const messaging::Offer&,
                                 const messaging::WaitDetails& waited_for)
{
    note("bring", which);
    details = waited_for;
    if (is_cut)
        throw Cut{};
    if (bring_error)
        return std::unexpected(*bring_error);
    return {};
}

void FakeProtocol::abandoned_by_sender(messaging::Message& which, unsigned) { note("left", which); }

void FakeProtocol::note(const char* what, messaging::Message& which)
{
    notes_.note(what);
    message = &which;
}

Result<void> FakeInteraction::before_put(messaging::Csend& csend)
{
    if (before_error)
        return std::unexpected(*before_error);
    return awaits ? csend.count_deliveries() : Result<void>();
}

Result<void> FakeInteraction::after_put(messaging::Csend& csend)
{
    if (after_error)
        return std::unexpected(*after_error);
    return awaits ? csend.await_deliveries() : Result<void>();
}

Result<void> FakeLocation::copy_in(std::byte* to, UserAddress from, std::size_t bytes)
{
    return copy(to, reinterpret_cast<const std::byte*>(from.value), bytes);
}

Result<void> FakeLocation::copy_out(UserAddress to, const std::byte* from, std::size_t bytes)
{
    return copy(reinterpret_cast<std::byte*>(to.value), from, bytes);
}

Result<void> FakeLocation::copy_across(UserAddress to, UserAddress from, std::size_t bytes)
{
    return copy_out(to, reinterpret_cast<const std::byte*>(from.value), bytes);
}

Result<void> FakeLocation::copy_to(unsigned, UserAddress to, UserAddress from, std::size_t bytes)
{
    return copy_across(to, from, bytes);
}

Result<void> FakeLocation::copy(std::byte* to, const std::byte* from, std::size_t bytes) const
{
    if (const std::optional<Error> error = copy_error())
        return std::unexpected(*error);
    platform::copy(to, from, bytes);
    return {};
}

} // namespace parley::testing
