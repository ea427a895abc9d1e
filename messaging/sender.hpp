// SPDX-License-Identifier: MIT
// csend, from the bound entry to the port: its short ways, and where it goes on when they are not enough
// (posting.hpp). A short way is for a call to process 0 of a node, which is live and whose own mailbox
// senders put messages into. The message has memory of its own; or, where ports have room, it is put whole
// into the port. The process itself calls this, or the kernel for it.
#pragma once

#include "messaging/call_notes.hpp"
#include "messaging/full_csend.hpp"
#include "messaging/sources.hpp"

#include "platform.hpp"

namespace parley::messaging {

// Functions that a short way or a flattened function ends in are not inlined (noinline): they are rare, or
// need registers that the caller then need not save. All ways answer as calls.def says of `send`: 0, or minus
// an Error, or an id.
template <class F>
class Sender {
public:
    using PeerType = Peer<F>;

    struct Parts {
        PeerType& self;
        Router<F>& router;
        Progress<F>& progress;
        Outbox<F>& outbox;
        Posting<F>& posting;
        Requests& requests;
        CallNotes& notes;
        typename F::Location& location;
        typename F::Interaction& interaction;
        typename F::Transfer& transfer;
    };

    explicit Sender(const Parts& parts)
        : self_(parts.self), outbox_(parts.outbox), router_(parts.router), progress_(parts.progress),
          posting_(parts.posting), notes_(parts.notes), location_(parts.location),
          interaction_(parts.interaction), transfer_(parts.transfer),
          full_{parts.self, parts.posting, parts.progress, parts.requests, 0}
    {
    }
    // Called once, before the first call. `routes`: as Posting::bind() has them. `others`: process 0 of each
    // other node.
    void bind(const Binding& binding, PeerType* const* routes, unsigned nodes, const Destinations& others)
    {
        caller_ = self_.index();
        routes_ = routes;
        eager_nodes_ = binding.eager_nodes < nodes ? binding.eager_nodes : nodes;
        carried_below_ = binding.carried_below;
        carries_references_ = binding.carries_references;
        spin_limit_ = binding.spin_limit;
        full_.spin_limit = binding.spin_limit;
        others_ = others;
    }

    // Sets what its process is known as from now on.
    void set_name(ProcessName name)
    {
        outbox_.set_header(Envelope(name, static_cast<std::uint16_t>(self_.index())));
        header_ = outbox_.header().sender();
        plain_header_ = header_ | Envelope::plain;
    }

    // What a short way does about the delivery of its message, of which it keeps Sent. HandedOver: nothing,
    // because the message is its receiver's. Awaited: it waits until the message's memory has come back, or,
    // for a message that a port carries, could be used again.
    struct HandedOver {
        static bool may_be_short(Sender&, const PeerType&) { return true; }
        static bool has_home(Sender&) { return true; }
        static std::uint64_t home(Sender&) { return 0; }
        static void draw_home(Sender&) { }
        static void lend(Sender& sender, Message& message) { sender.count_lent(message); }
        static constexpr bool brings = true; // the bytes of a message with a protocol
        static constexpr bool may_carry_to_all = true;
        struct Sent { // nothing: no register keeps it
            explicit Sent(const Envelope&) { }
        };
        // Whether the caller must attend to the destination, into whose port the message has been put whole.
        static bool tell(PeerType& destination) { return destination.tell(); }
        static long end(Sender&, PeerType&, Sent) { return 0; }
    };
    struct Awaited {
        static bool may_be_short(Sender& sender, const PeerType& destination)
        {
            return &destination != &sender.self_ && sender.self_.waiter.status().is_ordinary();
        }
        static bool has_home(Sender& sender) { return sender.outbox_.has_next(); }
        static std::uint64_t home(Sender& sender) { return sender.self_.delivery.pool().next_home(); }
        static void draw_home(Sender& sender) { sender.outbox_.advance(); }
        static void lend(Sender& sender, Message&) { sender.posting_.note_lent(); }
        static constexpr bool brings = false;
        static constexpr bool may_carry_to_all = false; // several deliveries are counted
        using Sent = Envelope;
        static bool tell(PeerType& destination) { return destination.waiter.announce(); }
        static long end(Sender& sender, PeerType& destination, const Sent& sent)
        {
            return sender.await_return(destination, sent);
        }
    };

    // The path of a message (README), 3: csend when ports have no room, so that the message has memory.
    // `self`: the sender's own process, which the entry has at hand.
    template <class After>
    [[gnu::always_inline]] long send(PeerType& self, long type, UserAddress buffer, long length, long node,
                                     std::uint64_t to)
    {
        if (!is_eager(type, node, to))
            return send_fully(type, buffer, length, node, to);
        PeerType& destination = *routes_[node];
        if (!destination.is_direct() || !After::may_be_short(*this, destination))
            return send_fully(type, buffer, length, node, to);
        if (length != 0)
            return send_bytes<After>(type, buffer, length, node, to);
        if (!self.delivery.pool().has_next())
            return send_refilled<After>(type, buffer, length, node, to);
        return send_envelope<After>(self, destination, static_cast<std::uint64_t>(type), to);
    }

    // csend when ports have room.
    template <class After>
    [[gnu::always_inline]] long send_carried(long type, UserAddress buffer, long length, long node,
                                             std::uint64_t to)
    {
        if (!is_eager(type, node, to))
            return send_elsewhere<After>(type, buffer, length, node, to);
        PeerType& destination = *routes_[node];
        if (!destination.is_direct() || !After::may_be_short(*this, destination) || !After::has_home(*this))
            return send_fully(type, buffer, length, node, to);
        if (length != 0) {
            if (static_cast<std::uint64_t>(length) >= carried_below_)
                return send_uncarried<After>(type, buffer, length, node, to);
            return carry_bytes<After>(type, buffer, length, destination, to);
        }
        const auto envelope =
            Envelope::of_words(static_cast<std::uint64_t>(type), plain_header_ | to | After::home(*this));
        if (destination.mailbox.put_at_once(caller_, envelope, NoBytes()) != Put::in) [[unlikely]]
            return carry_envelope<After>(destination, envelope);
        return carried<After>(destination, envelope);
    }

private:
    bool is_eager(long type, long node, std::uint64_t to) const
    {
        return static_cast<std::uint64_t>(node) < eager_nodes_ && (to & ~PARLEY_SENDER_CONTEXT) == 0 &&
               is_usual_type(type);
    }

    // Sends a message without bytes: its envelope is all of it. `to` is a context and nothing else.
    template <class After>
    [[gnu::always_inline]] long send_envelope(PeerType& self, PeerType& destination, std::uint64_t type,
                                              std::uint64_t to)
    {
        MessagePool& pool = self.delivery.pool();
        const auto envelope = Envelope::of_words(type, plain_header_ | to | pool.next_home());
        if (!destination.mailbox.put(caller_, envelope, &pool.next())) [[unlikely]]
            return put_next_when_possible<After>(destination);
        pool.advance();
        if (destination.waiter.announce()) [[unlikely]]
            return attend<After>(destination, typename After::Sent(envelope));
        return After::end(*this, destination, typename After::Sent(envelope));
    }

    // No spare message is known: those that have come back become spare again first.
    template <class After>
    [[gnu::noinline, gnu::flatten]] long send_refilled(long type, UserAddress buffer, long length, long node,
                                                       std::uint64_t to)
    {
        if (!outbox_.has_next())
            return send_fully(type, buffer, length, node, to);
        return send_envelope<After>(self_, *routes_[node], static_cast<std::uint64_t>(type), to);
    }

    // The envelope alone could not be put in few steps.
    template <class After>
    [[gnu::noinline]] long carry_envelope(PeerType& destination, Envelope envelope)
    {
        if (destination.mailbox.put_further(caller_, envelope))
            return carried<After>(destination, envelope);
        return send_with_memory<After>(destination, envelope, {});
    }

    // The port does not take a message without memory now: this sends the message with memory.
    template <class After>
    [[gnu::noinline]] long send_with_memory(PeerType& destination, Envelope envelope, UserAddress buffer)
    {
        return send_bytes<After>(static_cast<long>(envelope.type()), buffer,
                                 static_cast<long>(envelope.length()), static_cast<long>(destination.index()),
                                 envelope.sender() & PARLEY_SENDER_CONTEXT);
    }
    // The message's bytes could not be copied: the full way tries again, and answers the error.
    [[gnu::noinline]] long send_again(PeerType& destination, Envelope envelope, UserAddress buffer)
    {
        return send_fully(static_cast<long>(envelope.type()), buffer, static_cast<long>(envelope.length()),
                          static_cast<long>(destination.index()), envelope.sender() & PARLEY_SENDER_CONTEXT);
    }

    // The envelope of a message with bytes. `to` is a context, perhaps with the bits of a home.
    Envelope envelope_of(long type, long length, std::uint64_t to) const
    {
        return Envelope::of_words(static_cast<std::uint64_t>(type) | static_cast<std::uint64_t>(length) << 32,
                                  header_ | to);
    }

    // Sends a message that has memory, if the Transfer takes the bytes at once.
    template <class After>
    [[gnu::noinline, gnu::flatten]] long send_bytes(long type, UserAddress buffer, long length, long node,
                                                    std::uint64_t to)
    {
        MessagePool& pool = self_.delivery.pool();
        if (!pool.find_next() || !Envelope::is_length(length))
            return send_fully(type, buffer, length, node, to);
        PeerType& destination = *routes_[node];
        Message& message = pool.open_next(envelope_of(type, length, to)); // the pool's until it is whole
        if (length != 0) {
            const Offer offer{caller_, buffer, 1};
            const Result<Custody> custody = transfer_.offer(message, offer);
            if (!custody || *custody != Custody::taken) {
                if (!custody || *custody != Custody::lent)
                    return send_otherwise<After>(message, custody, offer, destination);
                After::lend(*this, message);
            }
        }
        pool.advance();
        const Envelope envelope = message;
        if (!destination.mailbox.put(caller_, envelope, &message))
            return put_when_possible<After>(destination, message);
        if (destination.waiter.announce())
            router_.attend(self_.waiter.party(), destination);
        return After::end(*this, destination, typename After::Sent(envelope));
    }

    // Copies the program's bytes straight into the port, which has room for them.
    template <class After>
    [[gnu::noinline, gnu::flatten]] long carry_bytes(long type, UserAddress buffer, long length,
                                                     PeerType& destination, std::uint64_t to)
    {
        const Envelope envelope = envelope_of(type, length, to | After::home(*this));
        const ProgramBytes source(location_, buffer, static_cast<std::size_t>(length));
        const Put put = destination.mailbox.put_bytes(caller_, envelope, source);
        if (put == Put::in) [[likely]]
            return carried<After>(destination, envelope);
        if (put == Put::full)
            return send_with_memory<After>(destination, envelope, buffer);
        return send_again(destination, envelope, buffer);
    }

    // The port has no room for the bytes: it gets a reference to them, or a message with memory.
    template <class After>
    [[gnu::noinline]] long send_uncarried(long type, UserAddress buffer, long length, long node,
                                          std::uint64_t to)
    {
        if (carries_references_)
            return carry_reference<After>(type, buffer, length, node, to);
        return send_bytes<After>(type, buffer, length, node, to);
    }

    // The port gets a reference to the bytes, and the message's memory, which nobody but its sender has
    // touched, is spare again at once.
    template <class After>
    [[gnu::noinline, gnu::flatten]] long carry_reference(long type, UserAddress buffer, long length,
                                                         long node, std::uint64_t to)
    {
        MessagePool& pool = self_.delivery.pool();
        if (!pool.find_next() || !Envelope::is_length(length))
            return send_fully(type, buffer, length, node, to);
        PeerType& destination = *routes_[node];
        Message& message = pool.open_next(envelope_of(type, length, to));
        const Offer offer{caller_, buffer, 1};
        const Result<Custody> custody = transfer_.offer(message, offer);
        if (!custody || *custody != Custody::taken)
            return send_otherwise<After>(message, custody, offer, destination);
        const Envelope envelope =
            Envelope::of_words(message.contents(), message.without_home().sender() | After::home(*this));
        const Put put = destination.mailbox.put_bytes(caller_, envelope, Reference(message.data));
        if (put == Put::in) {
            After::draw_home(*this);
            return destination.waiter.announce()
                       ? attend<After>(destination, typename After::Sent(envelope))
                       : After::end(*this, destination, typename After::Sent(envelope));
        }
        outbox_.advance();
        if (!destination.mailbox.put(caller_, message, &message))
            return put_when_possible<After>(destination, message);
        return destination.waiter.announce() ? attend<After>(destination, typename After::Sent(envelope))
                                             : After::end(*this, destination, typename After::Sent(envelope));
    }

    // The message is in a port that carries all of it.
    template <class After>
    [[gnu::always_inline]] long carried(PeerType& destination, const Envelope& envelope)
    {
        After::draw_home(*this);
        if (After::tell(destination)) [[unlikely]]
            return attend<After>(destination, typename After::Sent(envelope));
        return After::end(*this, destination, typename After::Sent(envelope));
    }

    // csend that is not to process 0 of a node, when ports have room.
    template <class After>
    [[gnu::noinline]] long send_elsewhere(long type, UserAddress buffer, long length, long node,
                                          std::uint64_t to)
    {
        const bool is_to_all = After::may_carry_to_all && node == -1 && others_.count != 0 &&
                               (to & ~PARLEY_SENDER_CONTEXT) == 0 && is_usual_type(type) &&
                               static_cast<std::uint64_t>(length) < carried_below_;
        if (!is_to_all)
            return send_fully(type, buffer, length, node, to);
        return carry_to_all(type, buffer, length, to);
    }

    // Sends to process 0 of all other nodes. The program's bytes are read once, before anybody has them; from
    // that copy ports are filled until one cannot be: that destination and all that follow get messages with
    // memory.
    [[gnu::noinline, gnu::flatten]] long carry_to_all(long type, UserAddress buffer, long length,
                                                      std::uint64_t to)
    {
        const auto count = static_cast<std::uint32_t>(length);
        alignas(8) std::byte bytes[sizeof(Message::space)]; // no port carries more (Binding)
        if (count != 0 && !location_.copy_in(bytes, buffer, count))
            return send_fully(type, buffer, length, -1, to);
        const auto envelope =
            Envelope::of_words(static_cast<std::uint64_t>(type) | std::uint64_t{count} << 32, header_ | to);
        const SystemBytes source(bytes, count);
        unsigned sent = 0;
        for (unsigned index = others_.first; index < others_.last; ++index) {
            if (index == others_.skipped)
                continue;
            PeerType& destination = *routes_[index];
            if (!destination.is_direct() || !carry(destination, envelope, source)) [[unlikely]]
                return send_rest(envelope, bytes, buffer, index, sent);
            if (destination.tell()) [[unlikely]]
                router_.attend(self_.waiter.party(), destination);
            ++sent;
        }
        return 0;
    }
    bool carry(PeerType& destination, const Envelope& envelope, const SystemBytes& bytes)
    {
        if (envelope.length() == 0)
            return destination.mailbox.put(caller_, envelope, nullptr);
        return destination.mailbox.put_bytes(caller_, envelope, bytes) == Put::in;
    }
    // `sent` messages of a broadcast have gone, and `bytes` are its bytes. The next message goes to the
    // destination `to`, with these bytes in itself; the rest are offered the program's.
    [[gnu::noinline]] long send_rest(const Envelope& envelope, const std::byte* bytes, UserAddress buffer,
                                     unsigned to, unsigned sent)
    {
        const SendArguments arguments{static_cast<long>(envelope.type()), buffer.value,
                                      static_cast<long>(envelope.length()), -1,
                                      envelope.sender() & PARLEY_SENDER_CONTEXT};
        Result<void> posted;
        if (outbox_.has_next()) {
            Message& message = outbox_.open_next(envelope.type(), envelope.length(), envelope.sender());
            outbox_.advance();
            message.data = message.space;
            platform::copy(message.space, bytes, envelope.length());
            posted = posting_.put(arguments, {self_.index(), buffer, 1}, message, to, 0);
            ++to, ++sent;
        }
        if (posted && sent < others_.count) {
            const Offer offer{self_.index(), buffer, others_.count - sent};
            const typename Posting<F>::Counted counted{nullptr, self_.delivery.lent()};
            posted = sent == 0 ? posting_.post_from(arguments, offer, others_, to, 0, counted)
                               : posting_.template post_from<true>(arguments, offer, others_, to, 0, counted);
        }
        return report(arguments, posted ? Outcome(0) : Outcome(std::unexpected(posted.error())));
    }

    // The sender's buffer is lent until the message has been delivered; nobody waits for that, so it is
    // counted.
    void count_lent(Message& message)
    {
        posting_.note_lent();
        self_.delivery.lent().expect(1);
        message.count_on(self_.delivery.lent());
    }

    // The next message has a protocol, by which its bytes are brought now; or the Transfer could not take
    // them at once, or the delivery is to be counted: the full way offers them anew.
    template <class After>
    [[gnu::noinline]] long send_otherwise(Message& message, const Result<Custody>& custody,
                                          const Offer& offer, PeerType& destination)
    {
        const SendArguments arguments{
            static_cast<long>(message.type()), offer.buffer.value, static_cast<long>(message.length()),
            static_cast<long>(destination.index()), message.sender() & PARLEY_SENDER_CONTEXT};
        if (custody && After::brings) {
            outbox_.advance();
            const Result<void> put = posting_.put(arguments, offer, message, destination.index(), 0);
            return report(arguments, put ? Outcome(0) : Outcome(std::unexpected(put.error())));
        }
        if (custody)
            transfer_.drop(message);
        message.forget();
        return run_fully(arguments);
    }

    // The port has refused the next message of the pool.
    template <class After>
    [[gnu::noinline]] long put_next_when_possible(PeerType& destination)
    {
        Message& message = self_.delivery.pool().next().opened();
        outbox_.advance();
        return put_when_possible<After>(destination, message);
    }

    // The port was full. A destination that is killed meanwhile has got the message before.
    template <class After>
    [[gnu::noinline]] long put_when_possible(PeerType& destination, Message& message)
    {
        const Envelope envelope = message;
        const Outcome put = router_.put(self_.waiter.party(), destination, message);
        if (!put && put.error() != Error::closed) {
            router_.drop(message);
            return Outcome(std::unexpected(Error::killed)).number();
        }
        return After::end(*this, destination, typename After::Sent(envelope));
    }

    // A message has been put for a process that sleeps, or whose status is not ordinary.
    template <class After>
    [[gnu::noinline]] long attend(PeerType& destination, typename After::Sent sent)
    {
        router_.attend(self_.waiter.party(), destination);
        return After::end(*this, destination, sent);
    }

    // Waits until the memory at the message's home has come back.
    long await_return(PeerType& destination, const Envelope& envelope)
    {
        const std::uint32_t slot = envelope.home();
        for (unsigned left = spin_limit_; left > 0; --left) {
            if (self_.delivery.pool().has_returned(slot))
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

    // Runs csend on the full way, from its beginning; nothing has been done before.
    [[gnu::noinline, gnu::flatten]] long send_fully(long type, UserAddress buffer, long length, long node,
                                                    std::uint64_t to)
    {
        return run_fully({type, buffer.value, length, node, to});
    }
    long run_fully(const SendArguments& arguments)
    {
        const Result<Destinations> to = posting_.find(arguments);
        if (!to)
            return report(arguments, std::unexpected(to.error()));
        return report(arguments, FullCsend<F>(full_, arguments, *to).run(interaction_));
    }
    long report(const SendArguments& arguments, const Outcome& outcome)
    {
        if (outcome.number() != 0)
            notes_.note_unsent(arguments);
        return outcome.number();
    }

    // What the short ways use comes first.
    unsigned caller_ = 0; // the index of its endpoint, known when this is bound
    PeerType* const* routes_ = nullptr;
    std::uint64_t eager_nodes_ = 0;
    std::uint64_t plain_header_ = 0; // the sender's word of a message without bytes: with Envelope::plain
    std::uint64_t header_ = 0;       // the sender's word of other messages
    std::uint64_t carried_below_ = 0;
    bool carries_references_ = false;
    unsigned spin_limit_ = 0;
    PeerType& self_;
    Outbox<F>& outbox_;
    Router<F>& router_;
    Progress<F>& progress_;
    Posting<F>& posting_;
    CallNotes& notes_;
    typename F::Location& location_;
    typename F::Interaction& interaction_;
    typename F::Transfer& transfer_;
    typename FullCsend<F>::Parts full_;
    Destinations others_{}; // process 0 of each other node, for a message to all
};

} // namespace parley::messaging
