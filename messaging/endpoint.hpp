// SPDX-License-Identifier: MIT
// One process's end of its job's message system: composed of what sends, what receives, what goes on
// meanwhile and what others see of it. The process itself makes these calls, or the kernel for it.
#pragma once

#include "messaging/active/endpoint.hpp"
#include "messaging/joint_meeting.hpp"
#include "messaging/memory/blocks.hpp"
#include "messaging/polled_calls.hpp"
#include "messaging/programs_refused.hpp"
#include "messaging/receiver.hpp"
#include "messaging/sender.hpp"

#include <bit>
#include <type_traits>

namespace parley::messaging {

// The parts of a job's message system that its endpoints share.
template <class F>
struct Shared {
    typename F::Location& location;
    typename F::Interaction& interaction;
    typename F::Transfer& transfer;
    const Directory& directory;
    Router<F>& router;
    Budget<typename F::Synchronization>& budget;
    Blocks& blocks;
    ActiveMaker<F>* active = nullptr; // null: there are no Active Messages
    JointMeeting* joint = nullptr;    // null: processes meet those of their own machine
};

template <class F>
class ComposedEndpoint final {
public:
    using PeerType = Peer<F>;

    // `room`: of its requests (requests.hpp).
    ComposedEndpoint(const Shared<F>& shared, typename F::Port& port,
                     typename F::Synchronization& synchronization, WaitRecord& record,
                     const sched::States& states, unsigned index, std::byte* room)
        : sender_({peer_, shared.router, progress_, outbox_, posting_, requests_, notes_, shared.location,
                   shared.interaction, shared.transfer}),
          location_(shared.location), router_(shared.router), directory_(shared.directory),
          blocks_(shared.blocks), budget_(shared.budget), joint_(shared.joint),
          peer_(port, synchronization, record, states, index, meetings_),
          receiver_(peer_, shared.router, progress_, shared.transfer, notes_),
          progress_(peer_, shared.router, shared.location, shared.transfer, shared.budget),
          outbox_(peer_, shared.budget), posting_(peer_, shared.router, progress_, outbox_, shared.directory,
                                                  shared.transfer, shared.budget),
          requests_(room),
          active_(peer_, shared.router, progress_, outbox_, shared.directory, shared.location, shared.active)
    {
    }

    // Called once, before the first call. `peers`: all of the job, by the index of their endpoints.
    // `routes`: as Posting::bind() has them.
    void bind(const Binding& binding, PeerType* const* peers, PeerType* const* routes)
    {
        peer_.mailbox.bind(binding.carried_below);
        receiver_.bind(binding, peers);
        posting_.bind(routes);
        sender_.bind(binding, routes, directory_.nodes(), directory_.others_of(peer_.index()));
        active_.bind(binding, routes, peers);
        send_ = send_entry(binding);
        if (active_.is_carried())
            send_active_ = &send_active_carried;
        serves_programs_ = binding.serves_programs;
        if (binding.room != 0) {
            receive_ = &receive_carried;
            receive_block_ = &receive_carried_block;
        }
        set_name(directory_.name_of(peer_.index()));
    }

    // Called once, before the first call, where its process looks into an interface, as `usual` says, as long
    // as the program says nothing else. `price`: of a look, in nanoseconds. `room`: for a polling of that
    // kind.
    void poll_by(std::uint64_t price, const PollingKind& kind, std::byte* room, const LeafChoice& usual)
    {
        polled_.poll_by(price, kind, room, usual);
    }

    PeerType& peer() { return peer_; }
    Receiver<F>& receiver() { return receiver_; }
    Progress<F>& progress() { return progress_; }
    Outbox<F>& outbox() { return outbox_; }
    bool has_lent() const { return posting_.has_lent(); }
    // Whether its process puts what it sends there into the mailbox there, and not a helper's.
    bool reaches(unsigned endpoint) const { return posting_.is_direct(endpoint); }
    // Its process is no more: its parts' leave().
    void leave()
    {
        posting_.leave();
        progress_.leave();
    }

    // What its process is known as; set_name() changes that from now on.
    ProcessName name() const { return {outbox_.header().node(), outbox_.header().pid()}; }
    void set_name(ProcessName name)
    {
        peer_.waiter.record().set_name(name);
        sender_.set_name(name);
        active_.set_header(outbox_.header());
    }

    // The calls whose price counts, as entries of the table of calls. What can be bound is inlined (flatten):
    // with static dispatch, the port too. Each call has an entry for each way in which factors can bind it.
    [[gnu::flatten]] static long send(void* self, long type, unsigned long buffer, long length, long node,
                                      unsigned long address)
    {
        return of(self).sender_.template send<HandedOver>(of(self).peer_, type, {buffer}, length, node,
                                                          address);
    }
    [[gnu::flatten]] static long send_awaited(void* self, long type, unsigned long buffer, long length,
                                              long node, unsigned long address)
    {
        return of(self).sender_.template send<Awaited>(of(self).peer_, type, {buffer}, length, node, address);
    }
    [[gnu::flatten]] static long send_carried(void* self, long type, unsigned long buffer, long length,
                                              long node, unsigned long address)
    {
        return of(self).sender_.template send_carried<HandedOver>(type, {buffer}, length, node, address);
    }
    [[gnu::flatten]] static long send_carried_awaited(void* self, long type, unsigned long buffer,
                                                      long length, long node, unsigned long address)
    {
        return of(self).sender_.template send_carried<Awaited>(type, {buffer}, length, node, address);
    }
    [[gnu::flatten]] static ReceiveStatus receive(void* self, const ReceiveArguments* call)
    {
        return Receiver<F>::template receive<OfMemory>(of(self), *call);
    }
    [[gnu::flatten]] static ReceiveStatus receive_block(void* self, const ReceiveArguments* call)
    {
        return Receiver<F>::template receive_block<OfMemory>(of(self), *call);
    }
    [[gnu::flatten]] static ReceiveStatus receive_carried(void* self, const ReceiveArguments* call)
    {
        return Receiver<F>::template receive<OfPort>(of(self), *call);
    }
    [[gnu::flatten]] static ReceiveStatus receive_carried_block(void* self, const ReceiveArguments* call)
    {
        return Receiver<F>::template receive_block<OfPort>(of(self), *call);
    }

    [[gnu::flatten]] static long send_active(void* self, unsigned long way, unsigned long contents,
                                             unsigned long packet)
    {
        return of(self).active_.send(way, contents, {packet});
    }
    [[gnu::flatten]] static long send_active_carried(void* self, unsigned long way, unsigned long contents,
                                                     unsigned long packet)
    {
        return of(self).active_.send_carried(way, contents, {packet});
    }
    Outcome find_active(long type, long node, unsigned long address)
    {
        return active_.find(type, node, address);
    }
    [[gnu::flatten]] static ReceiveStatus take_active(void* self, long how, unsigned long room)
    {
        return of(self).active_.take(how, {room});
    }
    Outcome await_active(long types, unsigned long from, unsigned long mask)
    {
        return active_.await(types, from, mask);
    }

    // The table of calls by which its process reaches it.
    parley_calls calls()
    {
        parley_calls calls{};
#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) \
    calls.name = entry<&ComposedEndpoint::name>();
#include "interface/calls.def"
        calls.self = this;
        calls.left = &notes_.left();
        calls.watched = active_.watched();
        calls.arrivals = peer_.waiter.arrivals();
        calls.send = send_;
        calls.send_active = send_active_;
        calls.receive = std::bit_cast<ReceiveEntry>(receive_);
        calls.receive_block = std::bit_cast<ReceiveEntry>(receive_block_);
        if (!serves_programs_)
            ProgramsRefused<ComposedEndpoint>::guard(calls);
        polled_.guard(calls);
        return calls;
    }

    // isend. If the Transfer lends buffers, the messages count on the request; other Transfers have the bytes
    // when this returns. A message to its own process is copied, as csend does that: the msgwait may come
    // before the crecv.
    Outcome start_send(long type, unsigned long buffer, long length, long node, unsigned long address)
    {
        const SendArguments arguments{type, buffer, length, node, address};
        const Destinations to = TRY(posting_.find(arguments));
        Request* const request = TRY(requests_.begin(RequestState::sending));
        request->type = type;
        request->peer = WaitedPeer::of(node, address);
        request->deliveries.begin(true);
        const Result<void> posted =
            posting_.post(arguments, to, {nullptr, request->deliveries, !posting_.is_to_itself(to)});
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
        TRY_VOID(progress_.advance()); // what has arrived was there before this receive
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
        TRY_VOID(progress_.advance());
        return requests_.id(*request);
    }

    // msgdone.
    ReceiveStatus done(long id)
    {
        Request* const request = TRY(requests_.find(id));
        if (request == nullptr)
            return ended_before(Unreceived::Kind::asked_again, id);
        if (!request->is_complete())
            TRY_VOID(progress_.advance());
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
        TRY_VOID(progress_.await(requests_.details(id, *request), [&] { return request->is_complete(); }));
        return collect(*request);
    }

    // msgcancel. A posted receive is forgotten; a message that it has goes to the next receive that wants it.
    // A send is on its way, and only its request is forgotten.
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
    ReceiveStatus probe(long typesel, long how, unsigned long from, unsigned long mask)
    {
        const Selector selector{static_cast<std::int32_t>(typesel), from, mask};
        Result<Envelope> found = std::unexpected(Error::not_found);
        const auto look = [&] {
            found = peer_.mailbox.look(selector);
            return found || found.error() != Error::not_found;
        };
        const bool only_looks = how == parley_probe_looks || how == parley_probe_goes_on;
        if (!only_looks) {
            TRY_VOID(progress_.await({WaitReason::probe, typesel, 0, selector.peer(), true}, look));
        } else {
            // Afterwards nothing lies behind a message whose sender had not ended its put.
            TRY_VOID(peer_.mailbox.settle());
            TRY_VOID(progress_.advance());
            look();
        }
        if (!found && found.error() == Error::not_found)
            return how == parley_probe_goes_on ? ReceiveStatus(std::unexpected(Error::would_block))
                                               : found_nothing();
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
        budget_.freed(); // perhaps the set of the block's readers has been
        return 0;
    }

    // watch. With the id of a request: its end will notify the process, but not if it has ended already, so
    // the program arms notifications first, or looks at its requests afterwards. With another number: what
    // such ends do now (enum parley_watch).
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

    // meet. Answers 1 to the last process of the row to come, 0 to the others, and to all where they are on
    // several machines. Errors: bad_type, bad_length, bad_process, bad_buffer; closed, the process of node 0
    // has been killed.
    Outcome meet(long call, unsigned long part, long bytes, unsigned long address)
    {
        TRY_VOID(check_meeting(call, bytes, PARLEY_MEETING_BYTES));
        const Destinations to = TRY(posting_.find({0, 0, 0, 0, address}));
        PeerType& first = router_.peer(first_here(to.first));
        meeting_ = first.meetings.of_row.over();
        Brought::Part& own = meetings_.brought.of(meeting_);
        if (bytes != 0)
            TRY_VOID(location_.copy_in(own.bytes, {part}, static_cast<std::size_t>(bytes)));
        own.length = static_cast<std::uint32_t>(bytes);
        meetings_.brought.note(meeting_, static_cast<unsigned>(call));
        const bool is_last = first.meetings.of_row.come(static_cast<unsigned>(call), members());
        // Pairs with JobMessages::close(): what comes too late counts no more than a message would.
        if (first.state() != EndpointState::live)
            first.meetings.of_row.forget();
        if (is_last && joint_ != nullptr) {
            joint_->hand_over({meeting_, static_cast<unsigned>(call)});
            router_.peer(directory_.processes()).waiter.signal(); // the first delivery process
            return 0;
        }
        if (is_last)
            end_meeting(to.first);
        return is_last ? 1 : 0;
    }

    // met. Errors: bad_type, bad_length, bad_process, message_too_long, bad_buffer, interrupted, killed.
    Outcome met(long call, unsigned long buffer, long room, unsigned long address)
    {
        TRY_VOID(check_meeting(call, room, Envelope::longest));
        const unsigned first = TRY(directory_.find({0, 0, 0, 0, address}, peer_.index())).first;
        const Meeting& of_row = router_.peer(first_here(first)).meetings.of_row;
        const auto is_over = [&] { return of_row.over() != meeting_; };
        if (!is_over()) {
            const long missing = first_missing(first, static_cast<unsigned>(call));
            TRY_VOID(progress_.await(
                {WaitReason::message, call, room, WaitedPeer::of(missing, address), true}, is_over));
        }
        return gather(first, {buffer}, static_cast<std::size_t>(room));
    }

    // set_polling.
    Outcome set_polling(unsigned long word, long length) { return polled_.choose(location_, {word}, length); }

    // Whether all that its process has lent has been delivered.
    bool has_lent_nothing() const { return peer_.delivery.lent().is_reached() && requests_.all_delivered(); }

    // Its process has ended by itself: this notes the receives that the process leaves. It leaves out those
    // of handlers, because a handler may wait for a message that never comes, and a receive that has a
    // message which it has not taken: that is noted as a message.
    void note_receives()
    {
        peer_.mailbox.lock_always(peer_.waiter.party());
        requests_.for_each_receive([&](const Request& request) {
            peer_.mailbox.assert_held(); // the analysis of locks looks at this function alone
            const bool has_received = request.receive.state.is(ReceiveState::finished);
            const WaitedPeer from(request.peer);
            const bool counts = has_received || request.receive.state.is(ReceiveState::posted);
            if (counts && !request.receive.notifies && !from.is_library() && !from.is_active())
                note({.kind = has_received ? Unreceived::Kind::arrived : Unreceived::Kind::posted,
                      .type = request.type,
                      .node = from.node()});
        });
        peer_.mailbox.unlock(peer_.waiter.party());
    }

    // Makes the endpoint ready for another program.
    void reset()
    {
        if (requests_.all_delivered())
            requests_.reset();
        receiver_.reset();
        active_.reset();
        polled_.reset();
        peer_.waiter.status().set_notification(Notification::off);
        peer_.waiter.status().set_listens_no_more();
        peer_.waiter.record().end_any();
        peer_.waiter.set_state(EndpointState::live);
    }

private:
    friend class PolledCalls<ComposedEndpoint>;
    friend class ProgramsRefused<ComposedEndpoint>;

    using HandedOver = typename Sender<F>::HandedOver;
    using Awaited = typename Sender<F>::Awaited;
    using OfMemory = typename Receiver<F>::OfMemory;
    using OfPort = typename Receiver<F>::OfPort;

    // The entry that csend is bound to.
    static auto send_entry(const Binding& binding)
    {
        if (binding.room == 0)
            return binding.awaits ? &send_awaited : &send;
        return binding.awaits ? &send_carried_awaited : &send_carried;
    }

    static Result<void> check_meeting(long call, long bytes, long most)
    {
        if (call < 0 || call >= static_cast<long>(Meeting::calls))
            return std::unexpected(Error::bad_type);
        if (bytes < 0 || bytes > most)
            return std::unexpected(Error::bad_length);
        return {};
    }
    // Where the row meets whose first process has that endpoint, and how many come there: all of it, or those
    // that live here.
    unsigned first_here(unsigned first) const { return joint_ == nullptr ? first : first + joint_->first(); }
    unsigned members() const { return joint_ == nullptr ? directory_.nodes() : joint_->here(); }
    // Tells the others of the row, whose first process has that endpoint. Each signal pairs with the look at
    // the sequence in await(), which comes before a look whether the meeting is over.
    void end_meeting(unsigned first)
    {
        router_.peer(first).meetings.of_row.end();
        for (unsigned index = first; index < first + directory_.nodes(); ++index)
            if (index != peer_.index())
                router_.peer(index).waiter.signal();
    }
    // The first node that has not been seen to come, for a report of the wait. If it comes later, the report
    // says what it waits for itself. -1: one of another machine, if any.
    long first_missing(unsigned first, unsigned call) const
    {
        const unsigned begin = first_here(first);
        for (unsigned index = begin; index < begin + members(); ++index)
            if (!router_.peer(index).meetings.brought.has_come(meeting_, call))
                return index - first;
        return -1;
    }
    // Copies what the processes of the row have brought. Answers how many bytes that is. Errors:
    // message_too_long, bad_buffer.
    Outcome gather(unsigned first, UserAddress buffer, std::size_t room)
    {
        if (joint_ != nullptr)
            return take_whole(buffer, room);
        std::size_t filled = 0;
        for (unsigned node = 0; node < directory_.nodes(); ++node) {
            const Brought::Part& part = router_.peer(first + node).meetings.brought.of(meeting_);
            if (part.length > room - filled)
                return std::unexpected(Error::message_too_long);
            if (part.length != 0)
                TRY_VOID(location_.copy_out(buffer + filled, part.bytes, part.length));
            filled += part.length;
        }
        return static_cast<long>(filled);
    }

    Outcome take_whole(UserAddress buffer, std::size_t room)
    {
        const JointMeeting::Whole& whole = joint_->whole();
        if (whole.is_too_long || whole.length > room)
            return std::unexpected(Error::message_too_long);
        if (whole.length != 0)
            TRY_VOID(location_.copy_out(buffer, whole.bytes, whole.length));
        return static_cast<long>(whole.length);
    }

    static ComposedEndpoint& of(void* self) { return *static_cast<ComposedEndpoint*>(self); }

    // A member function as an entry of the table of calls, whose words must be the function's parameters.
    template <auto call>
    struct CallEntry;
    template <class Answer, class... Words, Answer (ComposedEndpoint::*call)(Words...)>
    struct CallEntry<call> {
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
            return &CallEntry<call>::enter;
        else if constexpr (std::is_same_v<decltype(call), ReceiveStatus (*)(void*, const ReceiveArguments*)>)
            return std::bit_cast<ReceiveEntry>(call);
        else if constexpr (std::is_same_v<decltype(call), ReceiveStatus (*)(void*, long, unsigned long)>)
            return std::bit_cast<decltype(parley_calls::take_active)>(call);
        else
            return call;
    }

    void note(const Unreceived::Item& left) REQUIRES(peer_.mailbox) { peer_.mailbox.note(left); }

    // A program asks for a request that has ended, which is no error; but it is noted.
    [[gnu::noinline]] ReceiveStatus ended_before(Unreceived::Kind call, long id)
    {
        peer_.mailbox.lock_always(peer_.waiter.party());
        note({.kind = call, .type = id});
        peer_.mailbox.unlock(peer_.waiter.party());
        return ReceiveStatus::no_message();
    }

    // What a program asked for has not come yet. It will probably ask again, so others may run first.
    ReceiveStatus found_nothing()
    {
        platform::give_way();
        return std::unexpected(Error::would_block);
    }

    // The signal pairs with those of a put and of a delivery: who signals after this one sees that the
    // notification is armed; what came before this one the owner sees, who looks at its requests now. A
    // sender that did not signal had drawn its number before the notification was armed: settle() waits for
    // its message.
    void set_notification(Notification notification)
    {
        peer_.waiter.status().set_notification(notification);
        if (notification == Notification::armed) {
            peer_.waiter.signal();
            (void)peer_.mailbox.settle(); // a process that must end hears of that from its next call
        }
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

    Sender<F> sender_; // first, so that its address is that of the endpoint
    // The entries that the factors have bound.
    decltype(parley_calls::send) send_ = &send;
    decltype(parley_calls::send_active) send_active_ = &send_active;
    ReceiveStatus (*receive_)(void*, const ReceiveArguments*) = &receive;
    ReceiveStatus (*receive_block_)(void*, const ReceiveArguments*) = &receive_block;
    typename F::Location& location_;
    bool serves_programs_ = true;
    Router<F>& router_;
    const Directory& directory_;
    Blocks& blocks_;
    Budget<typename F::Synchronization>& budget_;
    JointMeeting* const joint_;

    PeerType peer_;
    Meetings meetings_;
    CallNotes notes_;
    Receiver<F> receiver_;
    Progress<F> progress_;
    Outbox<F> outbox_;
    Posting<F> posting_;
    Requests requests_;
    ActiveEndpoint<F> active_;
    std::uint32_t meeting_ = 0; // the one that its process has come to last
    typename F::Transport::template LookingCalls<ComposedEndpoint>
        polled_; // last, for it is large, and few calls go there
};

} // namespace parley::messaging
