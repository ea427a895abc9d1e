// SPDX-License-Identifier: MIT
// Factor "port": how is a process's queue of arriving messages organised? Any number of senders put at once.
// Takers are serialised by the mailbox's lock. Messages of one sender come out in the order of its puts,
// unless the port says that it does not keep it (`keeps_order = false`): then Active Messages alone go by
// it, and `in_order` names the port that mailboxes have, which takes the same values and as much memory. One
// that static dispatch is to compose names the preset that is to have it (`row_beside`, design/rows.hpp).
//
// A put draws an entry, fills it and publishes it. Between these steps the sender neither takes a lock nor
// allocates, and waits for nobody without bound: a port may pause for a number of looks that it is given, and
// may draw for a message's bytes before it draws for the message. A process never ends within put(): nothing
// in it fails, and a process that must end goes on until it is out of the message system. It may end while a
// source fills its entry (put_bytes()), and between take() and release(); whoever ends it calls leave().
//
// Where dispatch is virtual every caller reads what kind of port it is, in the port's first word. What a
// message changes lies in other cache lines: one that a side reads and the other writes crosses each time.
#pragma once

#include "base/atomic.hpp"
#include "base/result.hpp"
#include "messaging/bound_once.hpp"
#include "messaging/mailbox_held.hpp"
#include "messaging/message/envelope.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

class BuddyHeap;
class Message;
class MessageMemory;
class NoBytes;
class PortMemory;

// What becomes of a message whose bytes a source brings. In: it is in the port. Full: the port does not take
// it now. Unreadable: the source has failed, and nobody hears of the message.
enum class Put : std::uint8_t { in, full, unreadable };

// Whether a port has a message. Unknown: who wants to know has to take it.
enum class Sight : std::uint8_t { unknown, nothing, message };

// What fills an entry with a message's bytes.
class Source {
public:
    // Writes the bytes to `room`, which is aligned to 8 bytes. It neither waits nor is preempted. Errors:
    // bad_buffer; a part may have been written.
    virtual Result<void> fill(std::byte* room) const = 0;

protected:
    ~Source() = default;
};

// What take() has found, in two registers.
class Taken {
public:
    // Nothing: nothing is there, or the oldest entry is drawn and not yet published.
    constexpr Taken() = default;
    // An envelope, which stays where it is until release() or the next take(), and the message's own memory.
    // `memory` is null: the port has all that there is of the message, and its bytes lie behind the envelope.
    Taken(const Envelope& envelope, MessageMemory* memory) : envelope_(&envelope), memory_(memory) { }

    explicit operator bool() const { return envelope_ != &nothing; }
    // When nothing was taken, this is an envelope that is not marked as plain.
    const Envelope& envelope() const { return *envelope_; }
    MessageMemory* memory() const { return memory_; }
    const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(envelope_ + 1); }
    // For a message that is carried by reference: what its sender had in Message::data.
    std::byte* reference() const
    {
        std::byte* result = nullptr;
        __builtin_memcpy(&result, bytes(), sizeof result);
        return result;
    }

private:
    static constexpr Envelope nothing = Envelope::of_words(0, 0);

    const Envelope* envelope_ = &nothing;
    MessageMemory* memory_ = nullptr;
};

// What a port is made from, beside its values. One that takes memory of the budget for that says by is_made()
// whether it has got it; if not, nobody uses the port, and there is no such job, or there are no Active
// Messages to that process.
struct PortParts {
    unsigned endpoints;          // of the job: a caller is a number below this
    BuddyHeap& memory;           // the job's budget, for what is made on demand
    PortMemory* taken = nullptr; // what is taken when it is made is noted there; null: nowhere

    // Memory for a port that is being made, which keeps it (port_memory.hpp). Errors: no_memory.
    Result<std::byte*> allocate(std::size_t bytes) const;
};

// How the short ways use a port; a leaf names one of these as its ShortWays. They first ask for what takes
// few steps (put(), take()), and for all else by a call with which they end, so that they save no registers
// for it (put_further(), and Port::take() where looks_further() says so).

// One call does all: for ports without a shorter way, and under virtual dispatch, which calls its port once.
struct AskedOnce {
    template <class P, class S>
    static Put put(P& port, unsigned caller, Envelope envelope, const S& source)
    {
        return port.put_bytes(caller, envelope, source);
    }
    template <class P>
    static Put put(P& port, unsigned caller, Envelope envelope, const NoBytes&)
    {
        return port.put(caller, envelope, nullptr) ? Put::in : Put::full;
    }
    // put() was full. True: the envelope is in the port now.
    template <class P>
    static bool put_further(P&, unsigned, Envelope)
    {
        return false;
    }
    template <class P>
    static Taken take(P& port, MailboxHeld held, unsigned looks, bool)
    {
        return port.take(held, looks);
    }
    // Whether Port::take() may find what take() has not found.
    static bool looks_further(const Taken&) { return false; }
};

// The leaf has two functions of its own for few steps, which static dispatch compiles in place:
//   Put put_at_once(unsigned caller, Envelope, const S& source)
//       does what put_bytes() does if that takes few steps; else nothing, and answers that it is full
//   Taken take_at_once(MailboxHeld, bool in_stream)
//       does what take() does, in one look; more messages may come close behind, or not
struct TriedFirst {
    template <class P, class S>
    static Put put(P& port, unsigned caller, Envelope envelope, const S& source)
    {
        return port.put_at_once(caller, envelope, source);
    }
    template <class P>
    static bool put_further(P& port, unsigned caller, Envelope envelope)
    {
        return port.put(caller, envelope, nullptr);
    }
    template <class P>
    static Taken take(P& port, MailboxHeld held, unsigned, bool in_stream)
    {
        return port.take_at_once(held, in_stream);
    }
    static bool looks_further(const Taken& taken) { return !taken; }
};

class Port {
public:
    using ShortWays = AskedOnce; // unless the leaf names another

    // How many bytes an entry has room for. 0: every message has memory. This is asked once, when a system is
    // made.
    virtual std::uint32_t room() const { return 0; }

    // The process whose endpoint is `caller` puts a message. It has memory, in which its envelope need not be
    // written; or `memory` is null and it is an envelope alone: a port with room admits that only while
    // whoever takes it is sure of memory to hold it. False: the message is not in, and is still the sender's;
    // its envelope is written in its memory. Whoever is refused empties the port (Mailbox::make_room()) or
    // puts again: until then what lies behind its slot may not be found.
    virtual bool put(unsigned caller, Envelope envelope, MessageMemory* memory) = 0;
    // Does the same with a message without memory; `source` writes its bytes, or a reference to them: at most
    // room() bytes, into the entry, or before the port has one for them.
    [[nodiscard]] virtual Put put_bytes([[maybe_unused]] unsigned caller, [[maybe_unused]] Envelope envelope,
                                        [[maybe_unused]] const Source& source)
    {
        return Put::full;
    }

    // Takes the oldest message; while there is none, this looks up to `looks` times more for one that may
    // come at once. Void entries are passed over.
    virtual Taken take(MailboxHeld held, unsigned looks) = 0;
    // A word of the port by which its owner sees, in place of a take, that nothing has come since the last
    // one: as long as it is less than `something`. It never becomes less; what is put, made void or taken by
    // another makes it that or more. Of what an ended sender has left (leave()), nothing is to be seen until
    // somebody has taken. By default something may always have come.
    struct Watched {
        const Atomic<std::uint64_t>* word = &any_word;
        std::uint64_t something = 0;

        bool has_nothing() const { return word->load(std::memory_order_acquire) < something; }

    private:
        static inline const Atomic<std::uint64_t> any_word{0};
    };
    virtual Watched watched(MailboxHeld) const { return {}; }
    // What is to be seen of the oldest message without the mailbox's lock, which the caller need not hold.
    virtual Sight sight() const { return Sight::unknown; }
    // A put draws a number, by which its entry is the sender's, fills the entry, and publishes it. Where
    // draws are shown, a number is drawn by one sequentially consistent change that is_under_way() sees, so a
    // sender may leave it to the owner's look that its message is there (Peer::tell()). This is bound once
    // (DrawsShown). At most so many are under way at once:
    static constexpr unsigned most_shown = 64;
    virtual bool shows_draws() const { return false; }
    // Asked of ports that show draws. True: a sender has drawn a number, and nobody has taken its message
    // yet, which may or may not have been published (sight() tells that). False: every message that the
    // owner has been told of has been taken.
    virtual bool is_under_way() const { return true; }
    // Answers memory for a message that has none and that its taker keeps for later, with its bytes in it: at
    // most room() of them (a longer message has a reference there). The entry is released. The caller has
    // taken no other message since.
    virtual Message* hold([[maybe_unused]] MailboxHeld held, [[maybe_unused]] const Taken& taken)
    {
        return nullptr;
    }
    // The taker, which holds the mailbox's lock, needs the entry no longer. Or anyone, with or without the
    // lock, gives back memory of hold() whose message is over; so the compiler cannot ask for the lock.
    virtual void release([[maybe_unused]] const Taken& taken) { }

    // The process of the endpoint `caller` is no more: what it had drawn and not published is made void.
    // True: there was such an entry, or something else for clear(). Then the port's owner is to look again,
    // or, if the owner is no more either, whoever called this empties the port.
    virtual bool leave([[maybe_unused]] unsigned caller) { return false; }
    // Gives back what was made for senders that have left. The port's owner is no more, and all that was in
    // the port has been taken.
    virtual void clear([[maybe_unused]] MailboxHeld held) { }

protected:
    ~Port() = default;
};

struct AsksForDraws {
    template <class P>
    bool operator()(const P& port) const
    {
        return port.shows_draws();
    }
};
template <class P>
using DrawsShown = BoundOnce<AsksForDraws, P, Port>;

} // namespace parley::messaging
