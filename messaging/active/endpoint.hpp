// SPDX-License-Identifier: MIT
// Active Messages between processes of one machine, from the call to the port: a process puts one straight
// into its destination's queue of requests or of replies, and takes the oldest out of its own. What a message
// means, whose it is inside the process, and which handler runs, is libnx's (userlib/am/). The process itself
// calls this, or the kernel for it.
#pragma once

#include "interface/active_messages.h"
#include "messaging/active/maker.hpp"
#include "messaging/binding.hpp"
#include "messaging/directory.hpp"
#include "messaging/outbox.hpp"
#include "messaging/progress.hpp"
#include "messaging/sources.hpp"
#include "messaging/trace_points.hpp"

namespace parley::messaging {

// The attributes of functions mean what sender.hpp says.
template <class F>
class ActiveEndpoint {
public:
    using PeerType = Peer<F>;
    using Queues = typename ActiveMaker<F>::Queues;
    using Queue = typename Queues::Queue;

    // `maker` is null: there are none.
    ActiveEndpoint(PeerType& self, Router<F>& router, Progress<F>& progress, Outbox<F>& outbox,
                   const Directory& directory, typename F::Location& location, ActiveMaker<F>* maker)
        : checked_(location), self_(self), router_(router), progress_(progress), outbox_(outbox),
          directory_(directory), location_(location), maker_(maker)
    {
        watch_nothing();
    }
    // Called once, before the first call. `routes`: as Posting::bind() has them.
    void bind(const Binding& binding, PeerType* const* routes, PeerType* const* peers)
    {
        caller_ = self_.index();
        routes_ = routes;
        peers_ = peers;
        room_ = trace::is_on ? 0 : binding.room;
        spin_limit_ = binding.spin_limit;
    }
    // Sets what its process is known as from now on.
    void set_header(const Envelope& header) { header_ = header.sender() | active; }

    // Ports' entries have room for a brief message, so that send_carried() is the short way.
    bool is_carried() const { return room_ >= PARLEY_ACTIVE_BRIEF; }

    // calls.def: find_active. A way is the queue's address where its caller writes there itself; where the
    // caller is not trusted, it is a number that names a process and one of its queues.
    Outcome find(long type, long node, std::uint64_t address)
    {
        if (type < 0 || type > INT32_MAX)
            return std::unexpected(Error::bad_type);
        if (node < 0)
            return std::unexpected(Error::bad_node);
        const Destinations found = TRY(directory_.find({type, 0, 0, node, address}, self_.index()));
        PeerType& to = router_.peer(found.first);
        if (to.state() == EndpointState::killed)
            return std::unexpected(Error::closed);
        if (routes_[found.first] != &to || maker_ == nullptr)
            return std::unexpected(Error::would_block);
        Queues* const queues = TRY(maker_->queues_of(to));
        if (checks_ways())
            return static_cast<long>(2 * found.first + (static_cast<unsigned>(type) & 1) + 1);
        return static_cast<long>(reinterpret_cast<std::uintptr_t>(&queues->of(type)));
    }

    // calls.def: send_active.
    [[gnu::always_inline]] long send(std::uint64_t way, std::uint64_t contents, UserAddress packet)
    {
        Queue* const queue = queue_of(way, contents);
        if (queue == nullptr || !is_length(contents, PARLEY_ACTIVE_BYTES) ||
            !queue->owner().status().is_direct()) [[unlikely]]
            return send_fully(queue, contents, packet);
        return put(*queue, Envelope::of_words(contents, header_), packet);
    }
    // Does the same where ports have room. It ends in another call for anything that is not usual, and saves
    // no registers for that.
    [[gnu::always_inline]] long send_carried(std::uint64_t way, std::uint64_t contents, UserAddress packet)
    {
        Queue* const queue = queue_of(way, contents);
        if ((checks_ways() && queue == nullptr) || !is_length(contents, PARLEY_ACTIVE_BRIEF)) [[unlikely]]
            return send_further(way, contents, packet);
        if (!queue->owner().status().is_direct()) [[unlikely]]
            return send_fully(queue, contents, packet);
        const PacketBytes source(location_, packet, contents >> 32);
        if (queue->put_at_once(caller_, Envelope::of_words(contents, header_), source) != Put::in)
            [[unlikely]]
            return put_further(*queue, contents, packet);
        return announce(*queue);
    }

    // Where its program sees what has come; null: it cannot read that.
    const parley_watched* watched() const { return checks_ways() ? nullptr : watched_; }

    // calls.def: take_active.
    [[gnu::always_inline]] ReceiveStatus take(long how, UserAddress room)
    {
        Queues* const queues = self_.active.load(std::memory_order_acquire);
        if (has_hand_ || queues == nullptr) [[unlikely]]
            return take_otherwise(how, room);
        if (queues->of(last_type_).sight() == Sight::nothing)
            last_type_ ^= 1;
        const long type = how | last_type_;
        Queue& queue = queues->of(type);
        if (!queue.enter()) [[unlikely]]
            return take_otherwise(how, room);
        const Taken taken = queue.nothing_older() ? queue.take_at_once(0, false) : Taken();
        if (!taken || taken.memory() != nullptr || queue.unlocks_in_steps()) [[unlikely]] {
            return take_further(how, room, queue, taken);
        }
        const Envelope envelope = taken.envelope();
        const Result<void> copied = location_.copy_packet_out(room, taken.bytes(), envelope.length());
        queue.release(taken);
        watch(queue.watched_port(), type);
        queue.unlock_at_once();
        if (!copied) [[unlikely]]
            return std::unexpected(copied.error());
        return envelope;
    }

    // calls.def: await_active. Only a take tells for sure that a message has come; so it is taken here, and
    // kept in `hand_` for the next call. The last look comes when senders tell of what they put: of two that
    // put a message or say that they listen, and then look at the other, one sees the change.
    Outcome await(long types, std::uint64_t from, std::uint64_t mask)
    {
        const Selector others{static_cast<std::int32_t>(types), from, mask};
        // What comes at once is seen where it comes, as by a receive, and not when its sender has told of it.
        for (unsigned looks = types == 0 ? spin_limit_ : 0; looks > 0; --looks) {
            const Sight seen = has_hand_ ? Sight::message : sight();
            if (seen == Sight::message || (seen == Sight::unknown && TRY(take_in_hand())))
                return 0;
            platform::between_looks();
        }
        for (;;) {
            const std::uint32_t seen = self_.waiter.sequence();
            if (has_hand_ || TRY(take_in_hand()))
                return 0;
            TRY_VOID(progress_.advance());
            if (types != 0 && self_.mailbox.look(others))
                return 0;
            TRY_VOID(progress_.listen({WaitReason::probe, types, 0, WaitedPeer::of(-1, active), true}, seen,
                                      [this] { return take_in_hand(); }));
        }
    }
    // Whether a take may find something.
    bool may_have_come() const { return has_hand_ || sight() != Sight::nothing; }
    // Another program begins.
    void reset()
    {
        has_hand_ = false;
        watch_nothing();
    }

private:
    static constexpr std::uint64_t active = std::uint64_t{PARLEY_CONTEXT_ACTIVE} << PARLEY_CONTEXT_SHIFT;

    // Whether a way comes from a program that could harm more than its job by a wrong one.
    bool checks_ways() const { return checked_.by(location_); }
    // Null: that is no way for such a message.
    Queue* queue_of(std::uint64_t way, std::uint64_t contents) const
    {
        if (!checks_ways())
            return reinterpret_cast<Queue*>(way);
        const std::uint64_t index = (way - 1) / 2;
        if (way == 0 || index >= directory_.processes() || ((way - 1) & 1) != (contents & 1) ||
            !is_type(contents) || routes_[index] != peers_[index])
            return nullptr;
        Queues* const queues = peers_[index]->active.load(std::memory_order_acquire);
        return queues == nullptr ? nullptr : &queues->of(static_cast<long>(contents & 1));
    }
    static bool is_type(std::uint64_t contents) { return static_cast<std::int32_t>(contents) >= 0; }
    static bool is_length(std::uint64_t contents, std::uint64_t longest)
    {
        return (contents >> 32) - 1 < longest;
    }

    long put(Queue& queue, const Envelope& envelope, UserAddress packet)
    {
        if constexpr (trace::is_on)
            return put_with_memory(queue, envelope, packet);
        if (envelope.length() <= room_) {
            const PacketBytes source(location_, packet, envelope.length());
            const Put put = queue.put_bytes(caller_, envelope, source);
            if (put != Put::in)
                return put == Put::full ? put_after_full(queue, envelope, packet)
                                        : -static_cast<long>(Error::bad_buffer);
            return announce(queue);
        }
        MessagePool& pool = self_.delivery.pool();
        if (!pool.has_next()) [[unlikely]]
            return put_with_memory(queue, envelope, packet);
        const Result<void> copied =
            location_.copy_packet_in(pool.next().opened().space, packet, envelope.length());
        if (!copied) [[unlikely]]
            return -static_cast<long>(copied.error());
        if (!queue.put(caller_, envelope_from(envelope, pool.next_home()), &pool.next())) [[unlikely]]
            return put_after_full(queue, envelope, packet);
        pool.advance();
        return announce(queue);
    }
    static bool takes_replies(long how) { return (how & PARLEY_TAKES_REPLIES) != 0; }
    static bool is_nothing(const ReceiveStatus& found)
    {
        return !found && found.error() == Error::would_block;
    }
    static Envelope envelope_from(const Envelope& envelope, std::uint64_t home)
    {
        return Envelope::of_words(envelope.contents(), envelope.sender() | home);
    }

    // Tells whoever takes from the queue, where a message has been put, if that process does not look by
    // itself. The fence: see await(). JobMessages::close() goes the same way: it sees the message, or this
    // sees that the process is no more.
    [[gnu::always_inline]] long announce(Queue& queue)
    {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if (!queue.owner().status().is_ordinary()) [[unlikely]]
            return tell(queue);
        return 0;
    }
    [[gnu::noinline]] long tell(Queue& queue)
    {
        if (queue.owner().announce())
            return router_.attend(self_.waiter.party(), *peers_[queue.owner().index()]);
        return 0;
    }

    // What the program is to look at from now on, where it can, for the queue of that type. The caller has
    // just looked into the queue.
    [[gnu::always_inline]] void watch(const Port::Watched& watched, long type)
    {
        if (!checks_ways())
            watched_[type & 1] = {reinterpret_cast<const unsigned long*>(watched.word), watched.something};
    }
    // The program cannot see what has come.
    void watch_nothing()
    {
        watch({}, 0);
        watch({}, 1);
    }

    [[gnu::noinline, gnu::flatten]] long send_further(std::uint64_t way, std::uint64_t contents,
                                                      UserAddress packet)
    {
        return send(way, contents, packet);
    }
    [[gnu::noinline, gnu::flatten]] long put_further(Queue& queue, std::uint64_t contents, UserAddress packet)
    {
        return put(queue, Envelope::of_words(contents, header_), packet);
    }
    // Sends where the words are wrong or the destination is not usual.
    [[gnu::noinline]] long send_fully(Queue* queue, std::uint64_t contents, UserAddress packet)
    {
        if (!is_type(contents))
            return -static_cast<long>(Error::bad_type);
        if (!is_length(contents, PARLEY_ACTIVE_BYTES))
            return -static_cast<long>(Error::bad_length);
        if (queue == nullptr)
            return -static_cast<long>(Error::bad_process);
        if (queue->owner().state() == EndpointState::killed)
            return -static_cast<long>(Error::closed);
        return put(*queue, Envelope::of_words(contents, header_), packet);
    }

    // The port has refused the message: it is emptied before anything is waited for (Port::put()).
    [[gnu::noinline]] long put_after_full(Queue& queue, const Envelope& envelope, UserAddress packet)
    {
        const Result<void> emptied = queue.make_room(self_.waiter.party());
        if (!emptied)
            return -static_cast<long>(emptied.error());
        return put_with_memory(queue, envelope, packet);
    }
    // The port's entries have no room for the message, or the pool has no memory for it: the message gets
    // memory, and a full port is emptied for it.
    [[gnu::noinline]] long put_with_memory(Queue& queue, Envelope envelope, UserAddress packet)
    {
        const Outcome put = put_when_possible(queue, envelope, packet);
        return put.number();
    }
    Outcome put_when_possible(Queue& queue, const Envelope& envelope, UserAddress packet)
    {
        Message& message = *TRY(open(envelope));
        TRY_VOID(location_.copy_packet_in(message.space, packet, envelope.length()));
        outbox_.draw(message);
        message.destination = static_cast<std::uint16_t>(queue.owner().index());
        trace::sending(message);
        Party& party = self_.waiter.party();
        while (!queue.put(caller_, message, &message)) {
            const Result<void> emptied = queue.make_room(party);
            if (!emptied) {
                router_.complete(message);
                return std::unexpected(emptied.error());
            }
        }
        return announce(queue);
    }
    Result<Message*> open(const Envelope& envelope)
    {
        const auto open_now = [&] { return outbox_.open(envelope.type(), envelope.length(), active); };
        Result<Message*> opened = open_now();
        if (opened || opened.error() != Error::no_memory)
            return opened;
        TRY_VOID(progress_.await_budget({WaitReason::budget, static_cast<long>(envelope.type()),
                                         envelope.length(), WaitedPeer::of(-1, active), true},
                                        [&] {
                                            opened = open_now();
                                            return opened || opened.error() != Error::no_memory;
                                        }));
        return opened;
    }

    // A take whose short way has not come to a queue's lock.
    [[gnu::noinline, gnu::flatten]] ReceiveStatus take_otherwise(long how, UserAddress room)
    {
        if (has_hand_ && (!takes_replies(how) || (hand_.envelope.type() & 1) != 0))
            return take_from_hand(room);
        return found(how, take_oldest(how, copy_to(room)));
    }
    // The lock of the queue in which a take looks first is passed to this. `taken` is nothing that can be
    // taken at once, or a message that is not given back in a step.
    [[gnu::noinline, gnu::flatten]] ReceiveStatus take_further(long how, UserAddress room, Queue& queue,
                                                               Taken taken) RELEASE(queue)
    {
        const long type = &queue == &self_.active.load(std::memory_order_relaxed)->replies() ? 1 : 0;
        if (taken)
            return finish(queue, type, taken, copy_to(room));
        return found(how, take_other(how, take_locked(queue, type, copy_to(room)), copy_to(room)));
    }
    static ReceiveStatus found(long how, const ReceiveStatus& taken)
    {
        if (is_nothing(taken) && (how & PARLEY_TAKES_AND_GOES_ON) == 0)
            platform::give_way();
        return taken;
    }
    auto copy_to(UserAddress room)
    {
        return [this, room](const std::byte& bytes, std::size_t length) {
            return location_.copy_packet_out(room, &bytes, length);
        };
    }
    // What can be seen without a lock of what comes next. What is kept is not seen.
    Sight sight() const
    {
        Queues* const queues = self_.active.load(std::memory_order_acquire);
        if (queues == nullptr)
            return Sight::nothing;
        const Sight likely = queues->of(last_type_).sight();
        return likely != Sight::nothing ? likely : queues->of(last_type_ ^ 1).sight();
    }

    static_assert(PARLEY_TAKES_REPLIES == 1); // a reply's type is odd, and so is what asks for one
    // Takes the oldest message of either queue, or of that of replies; `copy(bytes, length)` brings its bytes
    // to where they are to be.
    template <class Copy>
    [[gnu::always_inline]] ReceiveStatus take_oldest(long how, const Copy& copy)
    {
        Queues* const queues = self_.active.load(std::memory_order_acquire);
        if (queues == nullptr)
            return std::unexpected(Error::would_block);
        return take_other(how, take_from(how | last_type_, copy), copy);
    }
    // Looks into the other queue if the first look has found nothing.
    template <class Copy>
    [[gnu::always_inline]] ReceiveStatus take_other(long how, const ReceiveStatus& first, const Copy& copy)
    {
        if (!is_nothing(first) || takes_replies(how))
            return first;
        const long other = last_type_ ^ 1;
        const ReceiveStatus found = take_from(other, copy);
        if (!is_nothing(found))
            last_type_ = other;
        return found;
    }
    // Nothing can be taken from the queue, whose lock is passed to this.
    [[gnu::noinline]] ReceiveStatus nothing_in(Queue& queue, long type) RELEASE(queue)
    {
        watch(queue.watched(), type);
        queue.unlock(self_.waiter.party());
        return std::unexpected(Error::would_block);
    }
    // From the queue of that type. There are queues.
    template <class Copy>
    [[gnu::always_inline]] ReceiveStatus take_from(long type, const Copy& copy)
    {
        Queue& queue = self_.active.load(std::memory_order_acquire)->of(type);
        if (!queue.enter()) [[unlikely]]
            return take_after_contention(queue, type, copy);
        return take_locked(queue, type, copy);
    }
    // The queue's lock is passed to this.
    template <class Copy>
    [[gnu::always_inline]] ReceiveStatus take_locked(Queue& queue, long type, const Copy& copy) RELEASE(queue)
    {
        if (!queue.nothing_older()) [[unlikely]] {
            return take_kept(queue, type, copy);
        }
        const Taken taken = queue.take(0);
        if (!taken)
            return nothing_in(queue, type);
        return finish(queue, type, taken, copy);
    }
    // The queue's lock is passed to this.
    template <class Copy>
    [[gnu::always_inline]] ReceiveStatus finish(Queue& queue, long type, const Taken& taken, const Copy& copy)
        RELEASE(queue)
    {
        const Envelope envelope = taken.envelope();
        MessageMemory* const memory = taken.memory();
        const Result<void> copied =
            copy(*(memory != nullptr ? &memory->opened().space[0] : taken.bytes()), envelope.length());
        if (memory == nullptr)
            queue.release(taken);
        watch(queue.watched(), type);
        queue.unlock(self_.waiter.party());
        if (memory != nullptr) {
            if constexpr (trace::is_on)
                note_taken(memory->open(envelope));
            give_back(*memory, envelope);
        }
        if (!copied) [[unlikely]]
            return std::unexpected(copied.error());
        return envelope;
    }
    template <class Copy>
    [[gnu::noinline]] ReceiveStatus take_after_contention(Queue& queue, long type, const Copy& copy)
    {
        if (!queue.lock(self_.waiter.party()))
            return std::unexpected(Error::killed);
        return take_kept(queue, type, copy);
    }
    // Senders that found the port full have kept messages here.
    template <class Copy>
    [[gnu::noinline]] ReceiveStatus take_kept(Queue& queue, long type, const Copy& copy) RELEASE(queue)
    {
        Message* const message = queue.take_oldest();
        if (message == nullptr)
            return nothing_in(queue, type);
        watch(queue.watched(), type);
        queue.unlock(self_.waiter.party());
        const Envelope envelope = *message;
        const Result<void> copied = copy(*message->space, envelope.length());
        note_taken(*message);
        router_.end_active(queue, *message);
        if (!copied)
            return std::unexpected(copied.error());
        return envelope;
    }

    static void note_taken(const Message& message)
    {
        trace::matched(message);
        trace::received(message);
    }

    // False: nothing has come. Errors: killed.
    Result<bool> take_in_hand()
    {
        const ReceiveStatus found =
            take_oldest(PARLEY_TAKES_ANY, [this](const std::byte& bytes, std::size_t length) {
                copy_packet(*hand_.bytes, bytes, length);
                return Result<void>();
            });
        if (is_nothing(found))
            return false;
        if (!found)
            return std::unexpected(found.error());
        hand_.envelope = found.envelope();
        has_hand_ = true;
        watch_nothing();
        return true;
    }
    [[gnu::noinline]] ReceiveStatus take_from_hand(UserAddress room)
    {
        has_hand_ = false;
        TRY_VOID(location_.copy_packet_out(room, hand_.bytes, hand_.envelope.length()));
        return hand_.envelope;
    }
    static void copy_packet(std::byte& to, const std::byte& from, std::size_t length)
    {
        for (std::size_t at = 0; at < length; at += sizeof(std::uint64_t))
            __builtin_memcpy(&to + at, &from + at, sizeof(std::uint64_t));
    }

    // The memory of a message that has been taken goes back to its sender.
    [[gnu::always_inline]] void give_back(MessageMemory& memory, const Envelope& envelope)
    {
        if (envelope.home() == 0) [[unlikely]]
            return router_.complete(memory.open(envelope));
        PeerType& sender = *peers_[envelope.source()];
        sender.delivery.pool().give_back(envelope.home());
        if (!sender.waiter.status().is_ordinary()) [[unlikely]]
            (void)router_.come_back(sender, envelope);
    }

    // What the short way uses comes first.
    PeerType* const* routes_ = nullptr;
    PeerType* const* peers_ = nullptr;
    std::uint64_t header_ = 0;
    unsigned caller_ = 0;
    std::uint32_t room_ = 0; // bytes of a message in an entry of the ports
    bool has_hand_ = false;
    // The program reads these.
    parley_watched watched_[2];
    const AddressesChecked<typename F::Location> checked_;
    unsigned spin_limit_ = 0;
    long last_type_ = 0; // whether the queue of replies is looked into first
    PeerType& self_;
    Router<F>& router_;
    Progress<F>& progress_;
    Outbox<F>& outbox_;
    const Directory& directory_;
    typename F::Location& location_;
    ActiveMaker<F>* const maker_;
    struct {
        Envelope envelope;
        alignas(8) std::byte bytes[PARLEY_ACTIVE_BYTES];
    } hand_; // what a wait has found
};

} // namespace parley::messaging
