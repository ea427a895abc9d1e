// SPDX-License-Identifier: MIT
// One process's end of its job's message system: composed of what sends, what receives, what goes on
// meanwhile and what others see of it. The process itself makes these calls, or the kernel for it.
#pragma once

#include "messaging/memory/blocks.hpp"
#include "messaging/receiver.hpp"
#include "messaging/sender.hpp"

#include <bit>
#include <type_traits>

namespace parley::messaging {

// The parts of a job's message system that its endpoints share.
template <class F>
struct Shared {
    typename F::Interaction& interaction;
    typename F::Transfer& transfer;
    const Directory& directory;
    Router<F>& router;
    Budget<typename F::Synchronization>& budget;
    Blocks& blocks;
};

template <class F>
class ComposedEndpoint final : parley_left {
public:
    using PeerType = Peer<F>;

    // `room`: of its requests (requests.hpp).
    ComposedEndpoint(const Shared<F>& shared, typename F::Port& port,
                     typename F::Synchronization& synchronization, WaitRecord& record,
                     const sched::States& states, unsigned index, bool marks_waiters, std::byte* room)
        : parley_left{}, router_(shared.router), directory_(shared.directory), blocks_(shared.blocks),
          budget_(shared.budget), peer_(port, synchronization, record, states, index, marks_waiters),
          receiver_(peer_, shared.router, shared.transfer, shared.budget, block),
          sender_(peer_, shared.router, receiver_.progress(), shared.directory, shared.interaction,
                  shared.transfer, shared.budget, requests_, unsent),
          requests_(room)
    {
    }

    // Once, before the first call. `peers`: all of the job, by the index of their endpoints.
    void bind(const Binding& binding, PeerType* const* peers)
    {
        peers_ = peers;
        eager_nodes_ = binding.eager_nodes < directory_.nodes() ? binding.eager_nodes : directory_.nodes();
        checked_from_ = binding.checked_from;
        checked_blocks_from_ = binding.checked_blocks_from;
        spin_limit_ = binding.spin_limit;
        copies_ = binding.copies;
        receiver_.bind(binding);
        sender_.bind(binding);
        set_name(directory_.name_of(peer_.index()));
    }

    PeerType& peer() { return peer_; }
    Progress<F>& progress() { return receiver_.progress(); }
    bool has_lent() const { return sender_.has_lent(); }

    // What its process is known as from now on.
    ProcessName name() const { return sender_.name(); }
    void set_name(ProcessName name)
    {
        sender_.set_name(name);
        inline_sender_ = sender_.header().sender() | (trace::reads_messages ? 0 : Envelope::plain);
    }

    // Short ways that no factor has narrowed yet. Not inlined, for their addresses are known only where the
    // template is instantiated: the library has no table of them.
    // `copies`: as the ports say. A trace wants each message's own memory.
    [[gnu::noinline]] static Binding widest(bool copies)
    {
        const bool wants = copies && !trace::reads_messages;
        return {.send = wants ? &send_copy : &send, .send_awaited = &send_awaited, .copies = wants};
    }

    // The calls whose price counts, as entries of the table. What can be bound is inlined (flatten): with
    // static dispatch, the port too. What they end in is not (noinline), so they save next to no registers.
    [[gnu::flatten]] static long send(void* self, long type, unsigned long buffer, long length, long node,
                                      unsigned long address)
    {
        return of(self).template send_shortly<Way::handed_over>(type, {buffer}, length, node, address);
    }
    [[gnu::flatten]] static long send_awaited(void* self, long type, unsigned long buffer, long length,
                                              long node, unsigned long address)
    {
        return of(self).template send_shortly<Way::awaited>(type, {buffer}, length, node, address);
    }
    [[gnu::flatten]] static long send_copy(void* self, long type, unsigned long buffer, long length,
                                           long node, unsigned long address)
    {
        return of(self).template send_shortly<Way::copied>(type, {buffer}, length, node, address);
    }
    [[gnu::flatten]] static ReceiveStatus receive(void* self, const ReceiveArguments* call)
    {
        return of(self).template receive_message<false>(*call);
    }
    [[gnu::flatten]] static ReceiveStatus receive_block(void* self, const ReceiveArguments* call)
    {
        return of(self).template receive_a_block<false>(*call);
    }
    // The same where what comes may have no memory.
    [[gnu::flatten]] static ReceiveStatus receive_copy(void* self, const ReceiveArguments* call)
    {
        return of(self).template receive_message<true>(*call);
    }
    [[gnu::flatten]] static ReceiveStatus receive_block_copy(void* self, const ReceiveArguments* call)
    {
        return of(self).template receive_a_block<true>(*call);
    }

    // The calls by which its process reaches it. `send`: as the factors have bound it.
    parley_calls calls(SendEntry send)
    {
        parley_calls calls{};
#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) \
    calls.name = entry<&ComposedEndpoint::name>();
#include "interface/calls.def"
        calls.self = this;
        calls.left = this;
        calls.send = send;
        if (copies_) {
            calls.receive = entry<&ComposedEndpoint::receive_copy>();
            calls.receive_block = entry<&ComposedEndpoint::receive_block_copy>();
        }
        return calls;
    }

    // isend. A Transfer that lends makes the request's messages count on it; others have the bytes
    // afterwards. What goes to its own process is copied, as csend does: the msgwait may come before the
    // crecv.
    Outcome start_send(long type, unsigned long buffer, long length, long node, unsigned long address)
    {
        const SendArguments arguments{type, buffer, length, node, address};
        const Destinations to = TRY(sender_.find(arguments));
        Request* const request = TRY(requests_.begin(RequestState::sending));
        request->type = type;
        request->peer = WaitedPeer::of(node, address);
        request->deliveries.begin(true);
        const Result<void> posted =
            sender_.post(arguments, to, {nullptr, request->deliveries, !sender_.is_to_itself(to)});
        if (!posted) {
            requests_.abandon(*request);
            return std::unexpected(posted.error());
        }
        return requests_.id(*request);
    }

    // irecv.
    Outcome start_receive(long typesel, unsigned long buffer, long maximum, unsigned long from,
                          unsigned long mask)
    {
        const ReceiveArguments arguments{typesel, buffer, maximum, from, mask};
        TRY_VOID(receiver_.check(arguments, Want::bytes));
        TRY_VOID(progress().advance()); // what has arrived was there before this receive
        Request* const request = TRY(requests_.begin(RequestState::receiving));
        request->receive.selector = Receiver<F>::selector_of(arguments);
        request->type = typesel;
        request->peer = request->receive.selector.peer();
        request->receive.buffer = {arguments.buffer};
        request->receive.maximum = static_cast<std::uint64_t>(arguments.maximum);
        const Result<void> posted = peer_.mailbox.post(request->receive);
        if (!posted) {
            requests_.end(*request);
            return std::unexpected(posted.error());
        }
        TRY_VOID(progress().advance());
        return requests_.id(*request);
    }

    // msgdone.
    ReceiveStatus done(long id)
    {
        Request* const request = TRY(requests_.find(id));
        if (request == nullptr)
            return ended_before(Unreceived::Kind::asked_again, id);
        if (!request->is_complete())
            TRY_VOID(progress().advance());
        if (!request->is_complete())
            return found_nothing();
        return collect(*request);
    }

    // msgwait.
    ReceiveStatus wait(long id)
    {
        Request* const request = TRY(requests_.find(id));
        if (request == nullptr)
            return ended_before(Unreceived::Kind::waited_again, id);
        TRY_VOID(progress().await(requests_.details(id, *request), [&] { return request->is_complete(); }));
        return collect(*request);
    }

    // msgcancel. A posted receive is forgotten; a message that it has goes to the next that wants it. A send
    // is on its way.
    Outcome cancel(long id)
    {
        Request* const request = TRY(requests_.find(id));
        if (request == nullptr) {
            ended_before(Unreceived::Kind::cancelled_again, id);
            return 0;
        }
        if (request->state.is(RequestState::sending)) {
            requests_.abandon(*request);
            return 0;
        }
        peer_.mailbox.withdraw(request->receive);
        requests_.end(*request);
        return 0;
    }

    // iprobe and cprobe.
    ReceiveStatus probe(long typesel, long may_wait, unsigned long from, unsigned long mask)
    {
        const Selector selector{static_cast<std::int32_t>(typesel), from, mask};
        Result<Envelope> found = std::unexpected(Error::not_found);
        const auto look = [&] {
            found = peer_.mailbox.look(selector);
            return found || found.error() != Error::not_found;
        };
        if (may_wait != 0) {
            TRY_VOID(progress().await({WaitReason::probe, typesel, 0, selector.peer(), true}, look));
        } else {
            TRY_VOID(progress().advance());
            look();
        }
        if (!found && found.error() == Error::not_found)
            return found_nothing();
        return TRY(found);
    }

    // nx_alloc and nx_free.
    Outcome allocate(long bytes, long alignment)
    {
        if (bytes < 0 || alignment < 0)
            return std::unexpected(Error::bad_length);
        return static_cast<long>(
            TRY(blocks_.allocate(peer_.index(), static_cast<std::size_t>(bytes),
                                 alignment == 0 ? 1 : static_cast<std::size_t>(alignment))));
    }
    Outcome release(unsigned long block)
    {
        TRY_VOID(blocks_.release(peer_.index(), block));
        budget_.freed(); // the set of its readers, perhaps
        return 0;
    }

    // The end of this request will notify the process; or whether such ends do so now (enum parley_watch).
    // One that has already ended will not: whoever asks for notifications arms them first, or looks at its
    // requests afterwards.
    Outcome watch(long id)
    {
        if (id <= 0) {
            set_notification(id == parley_watch_off    ? Notification::off
                             : id == parley_watch_due  ? Notification::pending
                             : id == parley_watch_held ? Notification::held
                                                       : Notification::armed);
            return 0;
        }
        Request* const request = TRY(requests_.find(id));
        if (request != nullptr)
            TRY_VOID(peer_.mailbox.watch(request->receive));
        return 0;
    }

    // Errors: bad_process; closed, the process of node 0 has been killed.
    Outcome meet(unsigned long address)
    {
        const Destinations to = TRY(sender_.find({0, 0, 0, 0, address}));
        PeerType& first = router_.peer(to.first);
        const bool is_last = first.meeting.come(directory_.nodes());
        // Pairs with JobMessages::close(): what comes too late counts no more than a message would.
        if (first.state() != EndpointState::live)
            first.meeting.forget();
        return is_last ? 1 : 0;
    }

    // Whatever it has lent has been delivered.
    bool has_lent_nothing() const { return peer_.delivery.lent().is_reached() && requests_.all_delivered(); }

    // Its process has ended by itself: the receives that it leaves are noted. Those of handlers are not, for
    // a handler may wait for a message that never comes; nor is one that has a message which it has not
    // taken: that is noted as a message.
    void note_receives()
    {
        peer_.mailbox.lock_always(peer_.waiter.party());
        requests_.for_each_receive([&](const Request& request) {
            const bool has_received = request.receive.state.is(ReceiveState::finished);
            const WaitedPeer from(request.peer);
            const bool counts = has_received || request.receive.state.is(ReceiveState::posted);
            if (counts && !request.receive.watched && !from.is_library())
                note({.kind = has_received ? Unreceived::Kind::arrived : Unreceived::Kind::posted,
                      .type = request.type,
                      .node = from.node()});
        });
        peer_.mailbox.unlock(peer_.waiter.party());
    }

    // Another program begins here.
    void reset()
    {
        if (requests_.all_delivered())
            requests_.reset();
        receiver_.reset();
        peer_.waiter.status().set_notification(Notification::off);
        peer_.waiter.record().end_any();
        peer_.waiter.set_state(EndpointState::live);
    }

private:
    static ComposedEndpoint& of(void* self) { return *static_cast<ComposedEndpoint*>(self); }

    // A member function as an entry of the table of calls, whose words must be the function's parameters.
    template <auto call>
    struct Entry;
    template <class Answer, class... Words, Answer (ComposedEndpoint::*call)(Words...)>
    struct Entry<call> {
        static auto enter(void* self, Words... words) { return answer((of(self).*call)(words...)); }
    };
    static long answer(const Outcome& outcome) { return outcome.number(); }
    static parley_receive_status answer(const ReceiveStatus& found) { return found.words(); }

    using ReceiveEntry = decltype(parley_calls::receive);

    // A ReceiveStatus is in the registers of a parley_receive_status. To convert it would cost the jumps with
    // which the short ways go on to the full ones.
    template <auto call>
    static auto entry()
    {
        if constexpr (std::is_member_function_pointer_v<decltype(call)>)
            return &Entry<call>::enter;
        else if constexpr (std::is_same_v<decltype(call), ReceiveStatus (*)(void*, const ReceiveArguments*)>)
            return std::bit_cast<ReceiveEntry>(call);
        else
            return call;
    }

    void note(const Unreceived::Entry& left)
    {
        peer_.mailbox.assert_held();
        peer_.mailbox.note(left);
    }

    // Programs ask for requests that have ended, which says nothing new; but it is noted.
    [[gnu::noinline]] ReceiveStatus ended_before(Unreceived::Kind call, long id)
    {
        peer_.mailbox.lock_always(peer_.waiter.party());
        note({.kind = call, .type = id});
        peer_.mailbox.unlock(peer_.waiter.party());
        return ReceiveStatus::no_message();
    }

    // Whoever has looked in vain will look again.
    ReceiveStatus found_nothing()
    {
        platform::give_way();
        return std::unexpected(Error::would_block);
    }

    // The signal pairs with those of a put and of a delivery: who signals after it sees the notification
    // armed; what came before it is seen by the owner, who looks at its requests now.
    void set_notification(Notification notification)
    {
        peer_.waiter.status().set_notification(notification);
        if (notification == Notification::armed)
            peer_.waiter.signal();
    }

    // The path of a message (README), 3: straight to the process 0 of a node. Everything else is the full
    // way's (sender.hpp), which begins anew. What is not needed for a message without bytes is in functions
    // of its own, so that next to nothing has to be saved here. 0, or minus an Error, or an id (calls.def:
    // send).
    template <Way way>
    long send_shortly(long type, UserAddress buffer, long length, long node, std::uint64_t to)
    {
        const bool is_eager = static_cast<std::uint64_t>(node) < eager_nodes_ &&
                              (to & ~PARLEY_SENDER_CONTEXT) == 0 && is_usual_type(type);
        if (!is_eager)
            return sender_.template send_elsewhere<way>(type, buffer, length, node, to);
        PeerType& destination = *peers_[node];
        if (!destination.waiter.status().is_here())
            return sender_.send_fully(type, buffer, length, node, to);
        if (way == Way::awaited && (&destination == &peer_ || !peer_.waiter.status().is_ordinary()))
            return sender_.send_fully(type, buffer, length, node, to);
        if (length != 0 || trace::reads_messages)
            return sender_.template send_bytes<way>(type, buffer, length, node, to);
        if (way == Way::copied)
            return send_envelope(destination, static_cast<std::uint64_t>(type), node, to);
        if (!peer_.delivery.pool().has_next())
            return send_refilled<way>(type, buffer, length, node, to);
        return send_inline<way>(destination, static_cast<std::uint64_t>(type), to);
    }

    // A message without bytes: its envelope is all of it. `to` is a context and nothing else.
    template <Way way>
    long send_inline(PeerType& destination, std::uint64_t type, std::uint64_t to)
    {
        MessagePool& pool = peer_.delivery.pool();
        const auto envelope = Envelope::of_words(type, inline_sender_ | to | pool.next_home());
        Message* const refused = destination.mailbox.put(pool.next(), envelope);
        pool.advance();
        if (refused != nullptr) [[unlikely]]
            return sender_.template put_when_possible<way>(destination, *refused);
        if (destination.waiter.announce()) [[unlikely]]
            return sender_.template attend<way>(destination, envelope);
        return way == Way::awaited ? sender_.await_return(destination, envelope) : 0;
    }

    // The same, and the port keeps it alone.
    long send_envelope(PeerType& destination, std::uint64_t type, long node, std::uint64_t to)
    {
        const auto envelope = Envelope::of_words(type, inline_sender_ | to);
        if (!destination.mailbox.put_copy(nullptr, envelope)) [[unlikely]]
            return sender_.template send_bytes<Way::handed_over>(static_cast<long>(type), {}, 0, node, to);
        if (destination.waiter.announce()) [[unlikely]]
            return sender_.template attend<Way::copied>(destination, envelope);
        return 0;
    }

    // Once in several messages: those that have come back are spare again.
    template <Way way>
    [[gnu::noinline, gnu::flatten]] long send_refilled(long type, UserAddress buffer, long length, long node,
                                                       std::uint64_t to)
    {
        peer_.delivery.pool().fetch_returned();
        if (!peer_.delivery.pool().has_next())
            return sender_.send_fully(type, buffer, length, node, to);
        return send_inline<way>(*peers_[node], static_cast<std::uint64_t>(type), to);
    }

    // The path of a message (README), 6: the oldest message in the port, which has no bytes and is named by
    // its type. The lock is kept while the port is looked at for what may come at once: others want it only
    // for a port that is full. Everything else is the full way's (receiver.hpp).
    template <bool copies>
    ReceiveStatus receive_message(const ReceiveArguments& call)
    {
        if (static_cast<std::uint64_t>(call.maximum) >= checked_from_)
            return receive_checked<WaitReason::message, copies>(call);
        return receive_shortly<WaitReason::message, copies>(call);
    }
    template <bool copies>
    ReceiveStatus receive_a_block(const ReceiveArguments& call)
    {
        if (static_cast<std::uint64_t>(call.maximum) >= checked_blocks_from_)
            return receive_checked<WaitReason::block, copies>(call);
        return receive_shortly<WaitReason::block, copies>(call);
    }
    // `copies`: it may be all that there is of its message, and nothing is given back.
    template <WaitReason reason, bool copies>
    ReceiveStatus receive_shortly(const ReceiveArguments& arguments)
    {
        if (!peer_.mailbox.enter())
            return receiver_.receive_after_contention(arguments, reason);
        if (!peer_.mailbox.nothing_older()) {
            peer_.mailbox.pass_lock();
            return receiver_.receive_fully(arguments, reason);
        }
        const ReceiveStatus taken = peer_.mailbox.take(spin_limit_);
        const Envelope envelope = taken.envelope();
        if (!envelope.is_plain() || !Receiver<F>::selector_of(arguments).names(envelope)) {
            peer_.mailbox.pass_lock();
            return receiver_.receive_taken(arguments, reason, taken);
        }
        if (reason == WaitReason::block)
            block = arguments.buffer;
        if (copies && envelope.home() == 0)
            return unlock(taken);
        if (peer_.mailbox.marks_waiters())
            return give_back_and_unlock(taken);
        peer_.mailbox.leave_unmarked();
        return give_back(taken);
    }

    // An inline message has been received: its memory is its sender's again.
    ReceiveStatus give_back(const ReceiveStatus& found)
    {
        PeerType& sender = *peers_[found.envelope().source()];
        sender.delivery.pool().give_back(found.envelope().home());
        if (!sender.waiter.status().is_ordinary())
            return router_.come_back(sender, found);
        return found;
    }
    ReceiveStatus unlock(const ReceiveStatus& found) RELEASE(peer_.mailbox)
    {
        peer_.mailbox.unlock(peer_.waiter.party());
        return found;
    }
    [[gnu::noinline]] ReceiveStatus give_back_and_unlock(ReceiveStatus found) RELEASE(peer_.mailbox)
    {
        peer_.mailbox.unlock(peer_.waiter.party());
        return give_back(found);
    }

    template <WaitReason reason, bool copies>
    [[gnu::noinline, gnu::flatten]] ReceiveStatus receive_checked(const ReceiveArguments& arguments)
    {
        TRY_VOID(receiver_.check(arguments, reason == WaitReason::block ? Want::block : Want::bytes));
        return receive_shortly<reason, copies>(arguments);
    }

    ReceiveStatus collect(Request& request)
    {
        ReceiveStatus found = ReceiveStatus::no_message();
        if (request.receive.state.is(ReceiveState::finished))
            found = request.receive.received;
        else if (request.receive.state.is(ReceiveState::failed))
            found = std::unexpected(request.receive.error);
        requests_.end(request);
        return found;
    }

    // Of the short ways.
    PeerType* const* peers_ = nullptr;
    std::uint64_t eager_nodes_ = 0;
    std::uint64_t inline_sender_ = 0; // the sender's word of an inline message: the header's, and the mark
    std::uint64_t checked_from_ = 0;
    std::uint64_t checked_blocks_from_ = 0;
    unsigned spin_limit_ = 0;
    bool copies_ = false;
    Router<F>& router_;
    const Directory& directory_;
    Blocks& blocks_;
    Budget<typename F::Synchronization>& budget_;

    PeerType peer_;
    Receiver<F> receiver_;
    Sender<F> sender_;
    Requests requests_;
};

} // namespace parley::messaging
