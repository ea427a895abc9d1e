// SPDX-License-Identifier: MIT
// csend where its short way (endpoint.hpp) does not do, and the putting of isend's messages: the full way can
// wait, refuse, and send to all. A message that has been put is out of the sender's hands: only what is
// before that can fail. The process itself calls this.
#pragma once

#include "messaging/directory.hpp"
#include "messaging/progress.hpp"
#include "messaging/requests.hpp"

#include "platform.hpp"

namespace parley::messaging {

// What csend's short way does with the memory of its message: leaves it to the receiver, waits until it has
// come back, or keeps it, for what lies in the port is all that the receiver needs.
enum class Way : std::uint8_t { handed_over, awaited, copied };

// What a short way or a flattened function ends in is not inlined (noinline): it is rare, or needs registers
// that those need not save then.
template <class F>
class Sender {
public:
    using PeerType = Peer<F>;

    // `unsent`: where is told what the last send was about that has answered with something else than 0.
    Sender(PeerType& self, Router<F>& router, Progress<F>& progress, const Directory& directory,
           typename F::Interaction& interaction, typename F::Transfer& transfer,
           Budget<typename F::Synchronization>& budget, Requests& requests, SendArguments& unsent)
        : self_(self), router_(router), progress_(progress), directory_(directory), interaction_(interaction),
          transfer_(transfer), budget_(budget), requests_(requests), unsent_(unsent)
    {
    }
    void bind(const Binding& binding)
    {
        spin_limit_ = binding.spin_limit;
        others_ = directory_.others_of(self_.index());
    }

    // What its process is known as from now on.
    void set_name(ProcessName name)
    {
        self_.waiter.record().node = name.node;
        self_.waiter.record().pid = name.pid;
        header_ = Envelope(name, static_cast<std::uint16_t>(self_.index()));
    }
    // Whether any of its messages' bytes were lent, so that they go with the process.
    bool has_lent() const { return has_lent_; }
    ProcessName name() const { return {header_.node(), header_.pid()}; }
    const Envelope& header() const { return header_; }

    // csend of a message with bytes, to process 0 of a node about which nothing is out of the ordinary: the
    // short way goes on here, if the Transfer takes the bytes at once.
    template <Way way>
    [[gnu::noinline, gnu::flatten]] long send_bytes(long type, UserAddress buffer, long length, long node,
                                                    std::uint64_t to)
    {
        MessagePool& pool = self_.delivery.pool();
        if (!pool.has_next())
            pool.fetch_returned();
        if (!pool.has_next() || !Envelope::is_length(length))
            return send_fully(type, buffer, length, node, to);
        PeerType& destination = router_.peer(static_cast<std::uint64_t>(node));
        Message& message = pool.next().open(header_.addressed(
            static_cast<std::uint32_t>(type), static_cast<std::uint32_t>(length), to, pool.next_home()));
        if (way != Way::copied)
            pool.advance();
        if (length != 0) {
            const Offer offer{self_.index(), buffer, 1};
            const Result<Custody> custody = transfer_.offer(message, offer);
            if (!custody || *custody != Custody::taken) {
                const bool goes_on = custody && *custody == Custody::lent;
                if (!goes_on) {
                    if (way == Way::copied)
                        pool.advance();
                    return send_otherwise<way>(message, custody, offer, destination);
                }
                lend<way>(message);
            }
        }
        if (trace::reads_messages)
            message.destination = static_cast<std::uint16_t>(destination.index());
        trace::sending(message);
        const Envelope envelope = message;
        if (way == Way::copied) {
            if (put_copy(destination, message))
                return destination.waiter.announce() ? attend<way>(destination, envelope) : 0;
            pool.advance();
        }
        if (destination.mailbox.put(message, envelope) != nullptr)
            return put_when_possible<way>(destination, message);
        if (destination.waiter.announce())
            router_.attend(self_.waiter.party(), destination);
        return way == Way::awaited ? await_return(destination, envelope) : 0;
    }

    // Who counts its delivery, or brings its bytes later, wants its memory back (Envelope::home).
    static bool put_copy(PeerType& destination, const Message& message)
    {
        return message.home() != 0 && destination.mailbox.put_copy(&message, message.without_home());
    }

    // Its bytes stay the sender's until it has been delivered: who does not wait for that counts it.
    template <Way way>
    void lend(Message& message)
    {
        has_lent_ = true;
        if (way == Way::awaited)
            return;
        self_.delivery.lent().expect(1);
        message.count_on(self_.delivery.lent());
    }

    // The message has a protocol, by which its bytes are brought now; or the Transfer could not take them at
    // once, or the delivery is to be counted: the full way offers them anew.
    template <Way way>
    [[gnu::noinline]] long send_otherwise(Message& message, const Result<Custody>& custody,
                                          const Offer& offer, PeerType& destination)
    {
        const SendArguments arguments{
            static_cast<long>(message.type()), offer.buffer.value, static_cast<long>(message.length()),
            static_cast<long>(destination.index()), message.sender() & PARLEY_SENDER_CONTEXT};
        if (custody && way != Way::awaited)
            return report(arguments, put_whole(arguments, offer, message, destination, 0));
        if (custody)
            transfer_.drop(message);
        message.forget();
        self_.delivery.pool().keep(message);
        return report(arguments, send_anywhere(arguments));
    }

    // The port was full. A destination that is killed meanwhile has got the message before.
    template <Way way>
    [[gnu::noinline]] long put_when_possible(PeerType& destination, Message& message)
    {
        const Envelope envelope = message;
        const Outcome put = router_.put(self_.waiter.party(), destination, message);
        if (!put && put.error() != Error::closed)
            return Outcome(discard_unsent(message)).number();
        return way == Way::awaited ? await_return(destination, envelope) : 0;
    }

    // A message has been put where something is out of the ordinary.
    template <Way way>
    [[gnu::noinline]] long attend(PeerType& destination, Envelope envelope)
    {
        router_.attend(self_.waiter.party(), destination);
        return way == Way::awaited ? await_return(destination, envelope) : 0;
    }

    // Until the message has come back.
    long await_return(PeerType& destination, const Envelope& envelope)
    {
        const std::uint32_t place = envelope.home();
        for (unsigned left = spin_limit_; left > 0; --left) {
            if (self_.delivery.pool().has_returned(place))
                return 0;
            platform::between_looks();
        }
        return wait_for_return(destination, envelope);
    }
    [[gnu::noinline]] long wait_for_return(PeerType& destination, Envelope envelope)
    {
        const WaitDetails waited_for{WaitReason::delivery, static_cast<long>(envelope.type()),
                                     static_cast<long>(envelope.length()),
                                     WaitedPeer::of(destination.waiter.record().node, envelope.sender())};
        const Result<void> waited =
            self_.delivery.wait_until([&] { return self_.delivery.pool().has_returned(envelope.home()); }, 0,
                                      [&](auto delivered) { return progress_.await(waited_for, delivered); });
        if (!waited)
            return Outcome(std::unexpected(waited.error())).number();
        return 0;
    }

    // csend that is not to process 0 of a node. To all nodes, each message parts as a csend's to its node
    // would, in the order of the nodes; but where csend waits for deliveries, those of several are counted,
    // which is the full way's.
    template <Way way>
    [[gnu::noinline]] long send_elsewhere(long type, UserAddress buffer, long length, long node,
                                          std::uint64_t to)
    {
        if (node != -1 || way == Way::awaited)
            return send_fully(type, buffer, length, node, to);
        const bool is_short = way == Way::copied && (to & ~PARLEY_SENDER_CONTEXT) == 0 &&
                              is_usual_type(type) &&
                              static_cast<std::uint64_t>(length) <= Message::short_bytes;
        if (is_short && others_.count != 0)
            return send_to_others(type, buffer, length, to);
        const SendArguments arguments{type, buffer.value, length, node, to};
        return report(arguments, send_to_all<way>(arguments));
    }

    // A short message to process 0 of all other nodes. What lies in a port is all that there is of it, so one
    // message serves them all, until something is out of the ordinary: then it is that destination's.
    [[gnu::noinline, gnu::flatten]] long send_to_others(long type, UserAddress buffer, long length,
                                                        std::uint64_t to)
    {
        MessagePool& pool = self_.delivery.pool();
        if (!pool.has_next())
            pool.fetch_returned();
        if (!pool.has_next())
            return send_fully(type, buffer, length, -1, to);
        Message& message = pool.next().open(header_.addressed(
            static_cast<std::uint32_t>(type), static_cast<std::uint32_t>(length), to, pool.next_home()));
        if (length != 0) {
            const Result<Custody> custody = transfer_.offer(message, {self_.index(), buffer, others_.count});
            if (!custody || *custody != Custody::taken || !message.data_is_inside())
                return send_others_otherwise(message, custody, buffer);
        }
        unsigned sent = 0;
        for (unsigned index = others_.first; index < others_.last; ++index) {
            if (index == others_.skipped)
                continue;
            PeerType& destination = router_.peer(index);
            if (!destination.waiter.status().is_here() || destination.route != &destination ||
                !put_copy(destination, message)) [[unlikely]]
                return send_rest(message, buffer, index, sent);
            if (destination.waiter.announce()) [[unlikely]]
                router_.attend(self_.waiter.party(), destination);
            ++sent;
        }
        return 0;
    }

    // The Transfer does not leave its bytes in the message, or cannot take them now.
    [[gnu::noinline]] long send_others_otherwise(Message& message, const Result<Custody>& custody,
                                                 UserAddress buffer)
    {
        if (!custody) {
            message.forget();
            const SendArguments arguments = broadcast(message, buffer);
            return report(arguments, send_to_all<Way::copied>(arguments));
        }
        if (*custody == Custody::lent)
            lend<Way::copied>(message);
        return send_rest(message, buffer, others_.skipped == others_.first ? 1 : others_.first, 0);
    }

    // `sent` messages of a broadcast have gone. This one, which has its bytes, goes to that destination; then
    // the rest.
    [[gnu::noinline]] long send_rest(Message& message, UserAddress buffer, unsigned to, unsigned sent)
    {
        const SendArguments arguments = broadcast(message, buffer);
        const Offer offer{self_.index(), buffer, others_.count};
        self_.delivery.pool().advance();
        const Outcome put = put_whole(arguments, offer, message, router_.peer(to), sent);
        return report(arguments,
                      put ? post_from<Way::copied>(arguments, offer, others_, to + 1, sent + 1) : put);
    }
    static SendArguments broadcast(const Envelope& envelope, UserAddress buffer)
    {
        return {static_cast<long>(envelope.type()), buffer.value, static_cast<long>(envelope.length()), -1,
                envelope.sender() & PARLEY_SENDER_CONTEXT};
    }

    // csend from its beginning; nothing has been done. Answers as calls.def says of `send`.
    [[gnu::noinline, gnu::flatten]] long send_fully(long type, UserAddress buffer, long length, long node,
                                                    std::uint64_t to)
    {
        const SendArguments arguments{type, buffer.value, length, node, to};
        return report(arguments, send_anywhere(arguments));
    }

    // Errors: bad_type, bad_length.
    static Result<void> check(const SendArguments& arguments)
    {
        if (!is_valid_type(arguments.type))
            return std::unexpected(Error::bad_type);
        if (!Envelope::is_length(arguments.length))
            return std::unexpected(Error::bad_length);
        return {};
    }

    // Whom it is for. Errors: also bad_node, bad_process; closed, for a single process that was killed.
    Result<Destinations> find(const SendArguments& arguments) const
    {
        TRY_VOID(check(arguments));
        const Destinations to = TRY(directory_.find(arguments, self_.index()));
        if (arguments.node != -1 && router_.peer(to.first).state() == EndpointState::killed)
            return std::unexpected(Error::closed);
        return to;
    }

    bool is_to_itself(const Destinations& to) const { return to.count == 1 && to.first == self_.index(); }

    // What a call's messages count on: each on `all`, where that is not null; else those whose bytes are lent
    // on `lent`.
    struct Counted {
        Completion* all;
        Completion& lent;
        bool may_lend = true;
    };

    // Makes a message for each destination and puts it. On an error the rest is not sent. Errors: killed,
    // no_memory, interrupted, and those of Transfer::offer and Protocol::bring.
    Result<void> post(const SendArguments& arguments, const Destinations& to, const Counted& counted)
    {
        Offer offer{self_.index(), {arguments.buffer}, to.count, counted.may_lend};
        if (to.count == 0)
            return post_to_nobody(arguments, offer);
        unsigned sent = 0;
        for (unsigned index = to.first; index < to.last; ++index) {
            if (index == to.skipped)
                continue;
            const Result<void> posted = post_one(arguments, offer, index, sent, counted);
            if (!posted)
                return posted;
            ++sent;
        }
        return {};
    }

    // What a wait for this call is for; `restartable` as there.
    static WaitDetails details(WaitReason reason, const SendArguments& arguments, bool restartable = false)
    {
        return {reason, arguments.type, arguments.length, WaitedPeer::of(arguments.node, arguments.address),
                restartable};
    }

private:
    // One csend on the full way. Where a handler of the caller's may become due while it waits, its messages
    // count on a request: that is then left of the call, and its id is the outcome.
    class FullCsend final : public Csend {
    public:
        FullCsend(Sender& sender, const SendArguments& arguments, const Destinations& to)
            : sender_(sender), arguments_(arguments), is_to_itself_(sender.is_to_itself(to)),
              counted_{nullptr, sender.self_.delivery.lent()}
        {
        }

        Result<void> count_deliveries() override
        {
            counted_.may_lend = !is_to_itself_;
            if (is_to_itself_)
                return {};
            counted_.all = &sender_.self_.delivery.awaited();
            if (sender_.self_.waiter.status().notification() == Notification::off)
                return {};
            request_ = TRY(sender_.requests_.begin(RequestState::sending));
            request_->deliveries.begin(false);
            counted_.all = &request_->deliveries;
            return {};
        }

        Result<void> await_deliveries() override
        {
            if (counted_.all == nullptr)
                return {};
            Completion& deliveries = *counted_.all;
            const auto delivered = [&] { return deliveries.is_reached(); };
            const bool may_be_interrupted = request_ != nullptr;
            const Result<void> waited =
                sender_.self_.delivery.wait_until(delivered, sender_.spin_limit_, [&](auto condition) {
                    return sender_.progress_.await(
                        details(WaitReason::delivery, arguments_, may_be_interrupted), condition);
                });
            if (!waited && waited.error() == Error::interrupted) {
                outcome_ = sender_.requests_.id(*request_);
                sender_.requests_.remember_csend(*request_, details(WaitReason::delivery, arguments_, true));
            } else if (!waited)
                return waited;
            else if (request_ != nullptr)
                sender_.requests_.end(*request_);
            return {};
        }

        void abandon()
        {
            if (request_ != nullptr)
                sender_.requests_.abandon(*request_);
        }

        const Counted& counted() const { return counted_; }
        long outcome() const { return outcome_; }

    private:
        Sender& sender_;
        const SendArguments& arguments_;
        const bool is_to_itself_;
        Counted counted_;
        Request* request_ = nullptr;
        long outcome_ = 0;
    };

    template <Way way>
    Outcome send_to_all(const SendArguments& arguments)
    {
        const Destinations to = TRY(find(arguments));
        const Offer offer{self_.index(), {arguments.buffer}, to.count};
        if (to.count == 0)
            TRY_VOID(post_to_nobody(arguments, offer));
        return post_from<way>(arguments, offer, to, to.first, 0);
    }

    // To the destinations from `index` on; `sent` of the call's messages have gone before.
    template <Way way>
    Outcome post_from(const SendArguments& arguments, const Offer& offer, const Destinations& to,
                      unsigned index, unsigned sent)
    {
        const Counted counted{nullptr, self_.delivery.lent()};
        for (; index < to.last; ++index) {
            if (index == to.skipped)
                continue;
            TRY_VOID(post_at_once<way>(arguments, offer, index, sent, counted));
            ++sent;
        }
        return 0;
    }

    // As post_one(), in fewer steps where nothing is out of the ordinary: the destination is here, there is a
    // spare message, and the Transfer does its part at once.
    template <Way way>
    Result<void> post_at_once(const SendArguments& arguments, const Offer& offer, unsigned to, unsigned sent,
                              const Counted& counted)
    {
        PeerType& destination = router_.peer(to);
        MessagePool& pool = self_.delivery.pool();
        if (!pool.has_next())
            pool.fetch_returned();
        if (!pool.has_next() || !destination.waiter.status().is_here())
            return post_one(arguments, offer, to, sent, counted);
        Message& message = pool.next().open(header_.addressed(static_cast<std::uint32_t>(arguments.type),
                                                              static_cast<std::uint32_t>(arguments.length),
                                                              arguments.address, pool.next_home()));
        if (message.length() != 0) {
            const Result<Custody> offered =
                sent > 0 ? transfer_.repeat(message, offer) : transfer_.offer(message, offer);
            if (!offered) {
                message.forget();
                return post_one(arguments, offer, to, sent, counted); // it waits, or tells why
            }
            if (*offered == Custody::lent)
                lend<way>(message);
        }
        if (way == Way::copied && destination.route == &destination && put_copy(destination, message)) {
            if (destination.waiter.announce())
                router_.attend(self_.waiter.party(), destination);
            return {};
        }
        pool.advance();
        const Outcome put = put_whole(arguments, offer, message, destination, sent);
        if (!put)
            return std::unexpected(put.error());
        return {};
    }

    Outcome send_anywhere(const SendArguments& arguments)
    {
        const Destinations to = TRY(find(arguments));
        FullCsend csend(*this, arguments, to);
        TRY_VOID(interaction_.before_put(csend));
        const Result<void> posted = post(arguments, to, csend.counted());
        if (!posted) {
            csend.abandon();
            return std::unexpected(posted.error());
        }
        if (arguments.node != -1 && router_.peer(to.first).state() == EndpointState::killed) {
            csend.abandon();
            return std::unexpected(Error::closed);
        }
        TRY_VOID(interaction_.after_put(csend));
        return csend.outcome();
    }

    long report(const SendArguments& arguments, const Outcome& outcome)
    {
        if (outcome.number() != 0)
            unsent_ = arguments;
        return outcome.number();
    }

    // The message number `sent` of a call.
    Result<void> post_one(const SendArguments& arguments, const Offer& offer, unsigned to, unsigned sent,
                          const Counted& counted)
    {
        Message& message = *TRY(prepare_all(arguments, offer, sent, counted));
        const Outcome put = put_whole(arguments, offer, message, router_.peer(to), sent);
        if (!put)
            return std::unexpected(put.error());
        return {};
    }

    // Puts it, and brings its bytes if it has a protocol. A broadcast that has begun is finished before a
    // handler may interrupt.
    Outcome put_whole(const SendArguments& arguments, const Offer& offer, Message& message,
                      PeerType& destination, unsigned sent)
    {
        message.destination = static_cast<std::uint16_t>(destination.index());
        trace::sending(message);
        Protocol* const protocol = message.protocol();
        const Outcome put = router_.put(self_.waiter.party(), *destination.route, message);
        if (!put && put.error() != Error::closed) {
            drop_shares(arguments, offer, sent + 1);
            return discard_unsent(message);
        }
        if (protocol == nullptr)
            return 0;
        const Result<void> brought =
            protocol->bring(message, offer, details(WaitReason::delivery, arguments, sent == 0));
        if (brought)
            return 0;
        drop_shares(arguments, offer, sent + 1);
        return std::unexpected(brought.error());
    }

    // A message with its bytes, waiting for budget if that can help; else nothing is left behind.
    Result<Message*> prepare_all(const SendArguments& arguments, const Offer& offer, unsigned sent,
                                 const Counted& counted)
    {
        Result<Message*> prepared = prepare(arguments, offer, sent, counted);
        if (prepared)
            return prepared;
        if (prepared.error() == Error::no_memory) {
            // A broadcast that has begun is finished first.
            const WaitDetails waited_for = details(WaitReason::budget, arguments, sent == 0);
            const Result<void> waited = progress_.await_budget(waited_for, [&] {
                prepared = prepare(arguments, offer, sent, counted);
                return prepared || prepared.error() != Error::no_memory;
            });
            if (!waited)
                prepared = std::unexpected(waited.error());
        }
        if (!prepared)
            drop_shares(arguments, offer, sent);
        return prepared;
    }

    // The same at once, or the reason why not; then nothing is held.
    Result<Message*> prepare(const SendArguments& arguments, const Offer& offer, unsigned sent,
                             const Counted& counted)
    {
        MessageMemory& memory = *TRY(new_message());
        Message& message = memory.open(header_.addressed(
            static_cast<std::uint32_t>(arguments.type), static_cast<std::uint32_t>(arguments.length),
            arguments.address, Envelope::home_bits(memory.place())));
        Custody custody = Custody::taken;
        if (message.length() > 0) {
            const Result<Custody> offered =
                sent > 0 ? transfer_.repeat(message, offer) : transfer_.offer(message, offer);
            if (!offered) {
                message.forget();
                self_.delivery.pool().keep(memory); // retiring it would wake those who wait for the budget
                return std::unexpected(offered.error());
            }
            custody = *offered;
            has_lent_ = has_lent_ || custody == Custody::lent;
        }
        Completion* const completion = counted.all != nullptr     ? counted.all
                                       : custody == Custody::lent ? &counted.lent
                                                                  : nullptr;
        if (completion != nullptr) {
            completion->expect(1);
            message.count_on(*completion);
        }
        return &message;
    }

    // Of a call's messages only `sent` were made: the others' share of the bytes is taken and dropped.
    void drop_shares(const SendArguments& arguments, const Offer& offer, unsigned sent)
    {
        if (arguments.length == 0 || sent == 0)
            return;
        Message ghost;
        ghost.write(Envelope().addressed(0, static_cast<std::uint32_t>(arguments.length), 0, 0));
        for (unsigned share = sent; share < offer.copies; ++share)
            if (transfer_.repeat(ghost, offer))
                transfer_.drop(ghost);
        budget_.freed();
    }

    // A broadcast in a job of one node: a Transfer that hands blocks over gives the block away nevertheless.
    Result<void> post_to_nobody(const SendArguments& arguments, const Offer& offer)
    {
        router_.drop(*TRY(prepare_all(arguments, offer, 0, {nullptr, self_.delivery.lent()})));
        return {};
    }

    std::unexpected<Error> discard_unsent(Message& message)
    {
        router_.drop(message);
        return std::unexpected(Error::killed);
    }

    // Errors: no_memory.
    Result<MessageMemory*> new_message()
    {
        if (MessageMemory* const spare = self_.delivery.pool().take())
            return spare;
        return message_from_heap();
    }

    // A pool that is empty gets a few at once, so that it need not look for returned ones at every send. The
    // first without a place in the pool is the last: nobody would keep another.
    [[gnu::noinline]] Result<MessageMemory*> message_from_heap()
    {
        static constexpr int at_once = 8;
        MessageMemory* const message = TRY(one_from_heap());
        for (int more = 1; more < at_once && self_.delivery.pool().has_room(); ++more) {
            const Result<MessageMemory*> next = one_from_heap();
            if (!next)
                break;
            self_.delivery.pool().keep(**next);
        }
        return message;
    }
    Result<MessageMemory*> one_from_heap()
    {
        auto* const message = new (TRY(budget_.heap().allocate(sizeof(Message)))) Message;
        self_.delivery.pool().adopt(*message);
        return message;
    }

    unsigned spin_limit_ = 0;
    PeerType& self_;
    Router<F>& router_;
    Progress<F>& progress_;
    Envelope header_{};     // of all that it sends
    Destinations others_{}; // of a message to all, of processes 0
    const Directory& directory_;
    typename F::Interaction& interaction_;
    typename F::Transfer& transfer_;
    Budget<typename F::Synchronization>& budget_;
    Requests& requests_;
    SendArguments& unsent_;
    bool has_lent_ = false;
};

} // namespace parley::messaging
