// SPDX-License-Identifier: MIT
#include "testing/exploring/explored_memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace parley::explorer {

namespace {

using Bits = ExploredMemory::Bits;
using Order = ExploredMemory::Order;

bool acquires(Order order)
{
    return order != std::memory_order_relaxed && order != std::memory_order_release;
}

bool releases(Order order)
{
    return order == std::memory_order_release || order == std::memory_order_acq_rel ||
           order == std::memory_order_seq_cst;
}

Bits cut(Bits value, std::size_t bytes) { return in_memory(&value, bytes); }

std::uintptr_t address_of(const void* at) { return reinterpret_cast<std::uintptr_t>(at); }

} // namespace

void ExploredMemory::start(Chooser& chooser, unsigned parties, bool keeps_older)
{
    chooser_ = &chooser;
    keeps_older_ = keeps_older;
    parties_.clear();
    parties_.resize(parties);
    used_words_ = 0;
    numbers_.clear();
    published_.clear();
    for (unsigned party = 0; party < parties; ++party)
        parties_[party].now.clock[party] = 1;
}

void ExploredMemory::View::raise(std::size_t word, Stamp stamp)
{
    if (word >= oldest.size())
        oldest.resize(word + 1);
    oldest[word] = std::max(oldest[word], stamp);
}

void ExploredMemory::View::join(const View& other)
{
    if (oldest.size() < other.oldest.size())
        oldest.resize(other.oldest.size());
    for (std::size_t word = 0; word < other.oldest.size(); ++word)
        oldest[word] = std::max(oldest[word], other.oldest[word]);
    for (std::size_t party = 0; party < clock.size(); ++party)
        clock[party] = std::max(clock[party], other.clock[party]);
}

// A place whose value is not that of its newest store was written as plain memory: a new object lives there.
std::size_t ExploredMemory::number_of(const void* at, std::size_t bytes)
{
    const Bits value = in_memory(at, bytes);
    std::size_t& number = numbers_.at(address_of(at));
    if (number != 0 && words_[number - 1].stores.back().value == value)
        return number - 1;
    Word& word = new_word();
    word.at = at;
    word.stores.push_back({distance, value, false});
    number = used_words_;
    return number - 1;
}

ExploredMemory::Word& ExploredMemory::new_word()
{
    if (used_words_++ == words_.size())
        return words_.emplace_back();
    Word& word = words_[used_words_ - 1];
    word.stores.clear();
    word.in_order = word.told = 0;
    word.tired_of.fill(0);
    return word;
}

ExploredMemory::Stamp ExploredMemory::floor(unsigned party, std::size_t word, Order order) const
{
    const Stamp seen = parties_[party].now.of(word);
    return order == std::memory_order_seq_cst ? std::max(seen, words_[word].in_order) : seen;
}

std::size_t ExploredMemory::choose()
{
    return candidates_[candidates_.size() == 1 ? 0 : chooser_->choose(candidates_.size())];
}

void ExploredMemory::read(unsigned number, std::size_t word, std::size_t place, Order order)
{
    Party& party = parties_[number];
    const Store& store = words_[word].stores[place];
    if (keeps_older_)
        party.now.raise(word, store.stamp);
    if (place + 1 != words_[word].stores.size())
        party.older.push_back({word, store.stamp});
    if (order == std::memory_order_seq_cst)
        words_[word].in_order = std::max(words_[word].in_order, store.stamp);
    if (!store.carries)
        return;
    if (acquires(order))
        party.now.join(store.carried);
    else {
        party.to_acquire.join(store.carried);
        party.has_to_acquire = true;
    }
}

ExploredMemory::Store& ExploredMemory::write(unsigned number, std::size_t word, std::size_t before,
                                             Bits value, bool updates, Order order)
{
    Party& party = parties_[number];
    std::vector<Store>& stores = words_[word].stores;
    const Stamp stamp = before + 1 == stores.size()
                            ? stores[before].stamp + distance
                            : stores[before].stamp + (stores[before + 1].stamp - stores[before].stamp) / 2;
    Store store{stamp, value, updates};
    if (keeps_older_)
        party.now.raise(word, stamp);
    if (releases(order))
        store.carried = party.now, store.carries = true;
    else if (party.has_released)
        store.carried = party.released, store.carries = true;
    if (updates && stores[before].carries)
        store.carried.join(stores[before].carried), store.carries = true;
    if (releases(order))
        ++party.now.clock[number];
    if (order == std::memory_order_seq_cst)
        words_[word].in_order = std::max(words_[word].in_order, stamp);
    if (!keeps_older_) {
        stores.front() = std::move(store);
        return stores.front();
    }
    return *stores.insert(stores.begin() + static_cast<long>(before) + 1, std::move(store));
}

bool ExploredMemory::put_newest(std::size_t word, void* at, std::size_t bytes)
{
    const Bits newest = words_[word].stores.back().value;
    if (in_memory(at, bytes) == newest)
        return false;
    std::memcpy(at, &newest, bytes);
    return true;
}

Bits ExploredMemory::load(unsigned party, const void* at, std::size_t bytes, Order order)
{
    const std::size_t word = number_of(at, bytes);
    const std::vector<Store>& stores = words_[word].stores;
    const Stamp oldest = std::max(floor(party, word, order), words_[word].tired_of[party] + 1);
    candidates_.clear();
    for (std::size_t place = stores.size(); place-- > 0 && stores[place].stamp >= oldest;)
        candidates_.push_back(place);
    if (candidates_.empty()) // tired of an older store that has become the newest: none is left to read
        candidates_.push_back(stores.size() - 1);
    const std::size_t taken = choose();
    read(party, word, taken, order);
    return words_[word].stores[taken].value;
}

bool ExploredMemory::store(unsigned party, void* at, std::size_t bytes, Bits value, Order order)
{
    const std::size_t word = number_of(at, bytes);
    const std::vector<Store>& stores = words_[word].stores;
    const Stamp oldest = floor(party, word, order);
    candidates_.clear();
    candidates_.push_back(stores.size() - 1);
    for (std::size_t place = stores.size() - 1; place-- > 0 && stores[place].stamp >= oldest;)
        if (!is_updated(words_[word], place))
            candidates_.push_back(place);
    write(party, word, choose(), value, false, order);
    return put_newest(word, at, bytes);
}

ExploredMemory::Updated ExploredMemory::update(unsigned party, void* at, std::size_t bytes, Change change,
                                               Bits with, Order order)
{
    const std::size_t word = number_of(at, bytes);
    const std::vector<Store>& stores = words_[word].stores;
    const Stamp oldest = floor(party, word, order);
    candidates_.clear();
    for (std::size_t place = stores.size(); place-- > 0 && stores[place].stamp >= oldest;)
        if (!is_updated(words_[word], place))
            candidates_.push_back(place);
    const std::size_t taken = choose();
    const Bits before = words_[word].stores[taken].value;
    read(party, word, taken, order);
    write(party, word, taken, cut(change(before, with), bytes), true, order);
    return {before, true, put_newest(word, at, bytes)};
}

ExploredMemory::Updated ExploredMemory::compare_exchange(unsigned party, void* at, std::size_t bytes,
                                                         Bits expected, Bits wanted, Order success,
                                                         Order failure, bool may_fail)
{
    const std::size_t word = number_of(at, bytes);
    const std::vector<Store>& stores = words_[word].stores;
    const Stamp to_update = floor(party, word, success), to_read = floor(party, word, failure);
    candidates_.clear();
    for (std::size_t place = stores.size(); place-- > 0;) {
        const Stamp stamp = stores[place].stamp;
        if (stores[place].value == expected ? stamp >= to_update && !is_updated(words_[word], place)
                                            : stamp >= to_read)
            candidates_.push_back(place);
    }
    constexpr std::size_t without_a_cause = ~std::size_t{0};
    const std::size_t first = candidates_.front();
    if (may_fail && keeps_older_ && stores[first].value == expected)
        candidates_.push_back(without_a_cause);
    const std::size_t chosen = choose();
    const std::size_t taken = chosen == without_a_cause ? first : chosen;
    const Bits before = words_[word].stores[taken].value;
    if (chosen == without_a_cause || before != expected) {
        read(party, word, taken, failure);
        return {before, false, false};
    }
    read(party, word, taken, success);
    write(party, word, taken, wanted, true, success);
    return {before, true, put_newest(word, at, bytes)};
}

void ExploredMemory::fence(unsigned number, Order order)
{
    Party& party = parties_[number];
    if (acquires(order) && party.has_to_acquire) {
        party.now.join(party.to_acquire);
        party.to_acquire = {};
        party.has_to_acquire = false;
    }
    if (order == std::memory_order_seq_cst && keeps_older_)
        for (std::size_t word = 0; word < used_words_; ++word) {
            words_[word].in_order = std::max(words_[word].in_order, party.now.of(word));
            party.now.raise(word, words_[word].in_order);
        }
    if (releases(order)) {
        party.released = party.now;
        party.has_released = true;
        ++party.now.clock[number];
    }
}

Bits ExploredMemory::peek(unsigned party, const void* at, std::size_t bytes)
{
    if (keeps_older_) {
        const std::size_t word = number_of(at, bytes);
        parties_[party].now.raise(word, words_[word].told);
    }
    return load(party, at, bytes, std::memory_order_relaxed);
}

void ExploredMemory::tell(unsigned party, const void* at, std::size_t bytes)
{
    const std::size_t word = number_of(at, bytes);
    words_[word].told = std::max(words_[word].told, parties_[party].now.of(word));
}

void ExploredMemory::begin(const void* at)
{
    if (std::size_t* const number = numbers_.find(address_of(at)))
        *number = 0;
}

void ExploredMemory::publish(unsigned number, const void* address)
{
    published_[address].join(parties_[number].now);
    ++parties_[number].now.clock[number];
}

void ExploredMemory::collect(unsigned number, const void* address)
{
    if (const auto view = published_.find(address); view != published_.end())
        parties_[number].now.join(view->second);
}

bool ExploredMemory::tires_of_older(unsigned number)
{
    Party& party = parties_[number];
    bool tires = false;
    for (const Older& older : party.older) {
        Stamp& tired = words_[older.word].tired_of[number];
        tires = tires || older.stamp > tired;
        tired = std::max(tired, older.stamp);
    }
    party.older.clear();
    return tires;
}

} // namespace parley::explorer
