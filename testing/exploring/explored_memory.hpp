// SPDX-License-Identifier: MIT
// The memory of an execution, as C++20 orders it: an operational form of its axioms, by views.
//
// Each word has its stores in modification order. Each party has a view: of each word the oldest store that
// it may still read, and of each party how far that had come in what happened before (a vector clock). A
// store carries the view that whoever acquires it takes over: its party's own view where it releases, else
// that of the party's last release fence. A read-modify-write also carries on the view of the store that it
// reads (release sequences), and no store comes between the two.
//
// What is sequentially consistent happens in the order of execution: S. Each word remembers the newest store
// that such an operation, or anything before such a fence, has written or read: no later such operation on
// this word, and nothing after a later such fence, reads or comes before that.
//
// Stores come at the end of their word's modification order or, in the weak model, anywhere behind what their
// party's view has of that word. So all executions of C++20 are found in which the union of program order,
// reads-from and S has no cycle. Not found, therefore: loads that read later stores (load buffering, values
// out of thin air), and the executions in which S contradicts what happened before, which C++20 permits where
// one word is used with seq_cst and with weaker orders.
#pragma once

#include "testing/exploring/address_table.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

namespace parley::explorer {

inline constexpr unsigned most_parties = 16;

// How far each party has come that happened before something.
using VectorClock = std::array<std::uint32_t, most_parties>;

// The word of at most eight bytes that lies there. A copy of so many bytes would be stored in parts, and the
// processor wait for its own stores when it reads the whole.
inline std::uint64_t in_memory(const void* at, std::size_t bytes)
{
    const auto whole = [at]<class Word>(Word word) {
        std::memcpy(&word, at, sizeof word);
        return std::uint64_t{word};
    };
    switch (bytes) {
    case 1: return whole(std::uint8_t{});
    case 2: return whole(std::uint16_t{});
    case 4: return whole(std::uint32_t{});
    case 8: return whole(std::uint64_t{});
    default:
        std::uint64_t word = 0;
        std::memcpy(&word, at, bytes);
        return word;
    }
}

class ExploredMemory {
public:
    using Bits = std::uint64_t;
    using Order = std::memory_order;

    // Decides what C++20 leaves open.
    class Chooser {
    public:
        // One of so many; 0 is what a sequentially consistent memory would do.
        virtual std::size_t choose(std::size_t candidates) = 0;

    protected:
        ~Chooser() = default;
    };

    // An execution of so many parties begins: nothing has been done yet. Without `keeps_older` every
    // operation takes the newest store, and nothing is kept of those before.
    void start(Chooser& chooser, unsigned parties, bool keeps_older);

    // Operations of a party on a word of so many bytes.
    Bits load(unsigned party, const void* at, std::size_t bytes, Order order);
    // The others answer whether the word's newest value is another afterwards.
    bool store(unsigned party, void* at, std::size_t bytes, Bits value, Order order);
    struct Updated {
        Bits before;
        bool done; // a compare-and-swap may fail
        bool changed;
    };
    using Change = Bits (*)(Bits before, Bits with);
    Updated update(unsigned party, void* at, std::size_t bytes, Change change, Bits with, Order order);
    Updated compare_exchange(unsigned party, void* at, std::size_t bytes, Bits expected, Bits wanted,
                             Order success, Order failure, bool may_fail);
    void fence(unsigned party, Order order);
    // peek(): a relaxed load that sees what others have told of the word. tell(): the telling.
    Bits peek(unsigned party, const void* at, std::size_t bytes);
    void tell(unsigned party, const void* at, std::size_t bytes);
    void begin(const void* at);

    // What the party has done is before what follows another's collect().
    void publish(unsigned party, const void* address);
    void collect(unsigned party, const void* address);

    // The party has read an older store since the last call; it does not read that one again.
    bool tires_of_older(unsigned party);

    const VectorClock& clock(unsigned party) const { return parties_[party].now.clock; }

private:
    using Stamp = std::uint64_t; // of a word's stores in modification order; 0: before all
    static constexpr Stamp distance = Stamp{1} << 40;

    struct View {
        std::vector<Stamp> oldest; // by the number of the word; beyond the end: 0
        VectorClock clock{};

        Stamp of(std::size_t word) const { return word < oldest.size() ? oldest[word] : 0; }
        void raise(std::size_t word, Stamp stamp);
        void join(const View& other);
    };
    struct Store {
        Stamp stamp;
        Bits value;
        bool updates; // a read-modify-write of the store before
        bool carries = false;
        View carried{};
    };
    struct Word {
        const void* at;
        std::vector<Store> stores;                  // in modification order
        Stamp in_order = 0;                         // what sequentially consistent operations have come to
        Stamp told = 0;                             // what those have seen who told
        std::array<Stamp, most_parties> tired_of{}; // what each party reads no more
    };
    struct Older {
        std::size_t word;
        Stamp stamp;
    };
    struct Party {
        View now;
        View to_acquire; // of relaxed loads: for the next acquire fence
        View released;   // by the last release fence
        bool has_to_acquire = false, has_released = false;
        std::vector<Older> older; // that it has read
    };

    std::size_t number_of(const void* at, std::size_t bytes);
    Word& new_word();
    Stamp floor(unsigned party, std::size_t word, Order order) const;
    void read(unsigned party, std::size_t word, std::size_t store, Order order);
    // The new store's place is behind `before`; what it carries on comes from there, too, if it updates it.
    Store& write(unsigned party, std::size_t word, std::size_t before, Bits value, bool updates, Order order);
    // Changes memory itself to the newest value; whether it was another.
    bool put_newest(std::size_t word, void* at, std::size_t bytes);
    // One of candidates_.
    std::size_t choose();
    bool is_updated(const Word& word, std::size_t store) const
    {
        return store + 1 < word.stores.size() && word.stores[store + 1].updates;
    }

    Chooser* chooser_ = nullptr;
    bool keeps_older_ = false;
    std::vector<Party> parties_;
    // The first so many are of this execution. The others were of an earlier one, and have room for stores.
    std::vector<Word> words_;
    std::size_t used_words_ = 0;
    AddressTable<std::size_t> numbers_; // of words, by their address; + 1
    std::map<const void*, View> published_;
    std::vector<std::size_t> candidates_;
};

} // namespace parley::explorer
