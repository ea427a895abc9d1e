// SPDX-License-Identifier: MIT
// A ledger of cache lines: what crosses between a sender and a receiver for each message of the design that
// ships on Linux, line by line, with the object that lies there. Exact: csend and crecv run by turns in one
// thread, their loads and stores are recorded, and two modelled caches say which of them are transactions.
//
// Compiled without access control, since the names of what lies in a line are nobody's business but a
// ledger's.
#include "messaging/design/presets.hpp"
#include "messaging/static_composition.hpp"
#include "testing/catch.hpp"
#include "testing/ledger/recorder.hpp"
#include "testing/mapped_memory.hpp"

#include "interface/message_calls.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace parley::testing {

namespace {

using namespace messaging;

// The preset of that name, with the classes that it has today.
constexpr std::string_view shipped = "native";
constexpr std::size_t place_of_shipped = [] {
    std::size_t place = 0;
    while (design_presets[place].name != shipped)
        ++place;
    return place;
}();
using Shipped = RowFactors<design_presets, place_of_shipped>::Type;
constexpr unsigned lap = Shipped::Port::capacity, laps = 4;

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%8.3f", value);
    return text;
}

class Names {
public:
    void add(const void* start, std::size_t bytes, const std::string& name)
    {
        ranges_.push_back({reinterpret_cast<std::uintptr_t>(start), bytes, name});
    }
    // The smallest object that the address lies in.
    std::string of(std::uintptr_t address) const
    {
        const Range* found = nullptr;
        for (const Range& range : ranges_)
            if (address - range.start < range.bytes && (found == nullptr || range.bytes < found->bytes))
                found = &range;
        return found == nullptr ? "something else" : found->name;
    }

private:
    struct Range {
        std::uintptr_t start;
        std::size_t bytes;
        std::string name;
    };
    std::vector<Range> ranges_;
};

enum class Pattern { one_way, to_and_fro };

// What one message costs, on average of many laps of the port.
struct TransferAccount {
    double lines = 0;        // that cross with every message
    double transactions = 0; // of these lines
    double now_and_then = 0; // of all others
    double index = 0;        // how often senders ask how far the reader is, a lap
    std::string text;
};

class Pair {
public:
    Pair()
    {
        Design design;
        REQUIRE(parse_design(shipped, design).text()[0] == '\0');
        const SharedRange blocks{shared_.address(), shared_.bytes(), false};
        const SystemOptions options{design, 2, 1, blocks};
        const auto made = assemble<Shipped>(memory_.start(), memory_.bytes(), options,
                                            ChooseByType<Shipped>{options.design});
        REQUIRE(made);
        system_ = static_cast<JobMessages<Shipped>*>(*made);
        for (const unsigned node : {0U, 1U})
            calls_[node] = system_->calls_of(node);
    }

    TransferAccount account(Pattern pattern, long bytes)
    {
        Caches caches;
        record(caches, pattern, bytes); // all that will be used is in use
        caches.forget_counts();
        record(caches, pattern, bytes);
        return account_of(caches, pattern, bytes);
    }

private:
    void record(Caches& caches, Pattern pattern, long bytes)
    {
        AccessRecorder recorder(caches, memory_.address(), memory_.address() + memory_.bytes());
        for (unsigned i = 0; i < laps * lap; ++i)
            pass(recorder, pattern == Pattern::one_way ? 0 : i % 2, bytes);
        REQUIRE(recorder.seen() > 0);
    }

    // A message from that node to the other.
    void pass(AccessRecorder& recorder, unsigned node, long bytes)
    {
        const auto address = reinterpret_cast<unsigned long>(buffer_);
        recorder.set(node);
        const parley_calls& from = calls_[node];
        REQUIRE(from.send(from.self, 1, address, bytes, 1 - node, parley_senders_from(0, 0, 0)) == 0);
        recorder.set(1 - node);
        const parley_calls& to = calls_[1 - node];
        const parley_receive call{1, address, static_cast<long>(sizeof buffer_),
                                  parley_senders_from(-1, -1, 0), parley_senders_mask(-1, -1)};
        const parley_receive_status found = to.receive(to.self, &call);
        REQUIRE(found.contents >= 0);
        REQUIRE(parley_receive_status_length(found) == bytes);
    }

    Names names() const
    {
        Names names;
        const SystemParts<Shipped>& parts = system_->parts_;
        names.add(memory_.start(), memory_.bytes(), "a buffer of the heap");
        BuddyHeap& heap = parts.budget.heap();
        names.add(&heap, sizeof heap, "heap");
        names.add(&heap.lock_, sizeof heap - offsetof(BuddyHeap, lock_), "heap: lock and lists");
        names.add(heap.units_, heap.unit_count_ * sizeof(BuddyHeap::Unit), "heap: table");
        for (const unsigned who : {0U, 1U}) {
            const std::string whose = who == 0 ? "node 0's " : "node 1's ";
            ComposedEndpoint<Shipped>& endpoint = *parts.endpoints[who];
            Peer<Shipped>& peer = endpoint.peer();
            Shipped::Port& port = peer.mailbox.port_;
            MessagePool& pool = peer.delivery.pool_;
            names.add(&endpoint, sizeof endpoint, whose + "endpoint");
            names.add(&parts.records[who], sizeof(WaitRecord), whose + "event");
            names.add(&peer.waiter, sizeof peer.waiter, whose + "status");
            names.add(&peer.mailbox, sizeof peer.mailbox, whose + "mailbox");
            names.add(&pool, sizeof pool, whose + "pool");
            names.add(&pool.returned_, sizeof pool.returned_, whose + "pool: what has come back");
            names.add(&port, sizeof port, whose + "port: how far its reader is");
            names.add(&port.drawn_, sizeof port.drawn_, whose + "port: number drawn");
            names.add(&port.limit_, sizeof port.limit_, whose + "port: limit");
            names.add(port.entries_, sizeof port.entries_, whose + "port: entry");
            for (const MessageMemory* memory : pool.messages_)
                if (memory != nullptr)
                    names.add(memory, sizeof(Message), whose + "message");
        }
        return names;
    }

    // Of one name are many lines where it is an entry's or a message's, each used now and then: what crosses
    // is counted by name.
    std::map<std::string, Caches::Crossings> by_name(const Caches& caches) const
    {
        const Names names = this->names();
        std::map<std::string, Caches::Crossings> sums;
        for (const auto& [number, crossings] : caches.crossings()) {
            std::set<std::string> here;
            for (const auto& [address, times] : crossings.places)
                here.insert(names.of(address));
            std::string name;
            for (const std::string& one : here)
                name += (name.empty() ? "" : ", ") + one;
            for (const int node : {0, 1}) {
                sums[name].read[node] += crossings.read[node];
                sums[name].write[node] += crossings.write[node];
            }
        }
        return sums;
    }

    TransferAccount account_of(const Caches& caches, Pattern pattern, long bytes) const
    {
        constexpr double messages = laps * lap;
        TransferAccount account;
        std::multimap<double, std::string, std::greater<>> lines;
        for (const auto& [name, crossings] : by_name(caches)) {
            const double read = (crossings.read[0] + crossings.read[1]) / messages;
            const double written = (crossings.write[0] + crossings.write[1]) / messages;
            if (read + written >= 0.5) {
                account.transactions += read + written;
                account.lines += std::max(read, written); // who reads what another wrote has fetched it
            } else {
                account.now_and_then += read + written;
            }
            if (name.find("how far its reader is") != std::string::npos)
                account.index += crossings.read[0] / double{laps};
            lines.emplace(read + written,
                          name + " (fetched " + number(read) + ", claimed " + number(written) + ")");
        }
        account.text = (pattern == Pattern::one_way ? "one way, " : "to and fro, ") + std::to_string(bytes) +
                       " bytes: lines " + number(account.lines) + ", transactions " +
                       number(account.transactions) + "; now and then " + number(account.now_and_then) + '\n';
        for (const auto& [each, line] : lines)
            account.text += number(each) + "  " + line + '\n';
        return account;
    }

    MappedMemory memory_{64 << 20}, shared_{1 << 20};
    JobMessages<Shipped>* system_ = nullptr;
    parley_calls calls_[2] = {};
    alignas(64) std::byte buffer_[70'000] = {};
};

} // namespace

TEST_CASE("two caches say what their lines cost")
{
    Caches caches;
    const auto cost = [&](unsigned who, std::uintptr_t address, std::size_t bytes, bool writes) {
        caches.forget_counts();
        caches.access(who, address, bytes, writes);
        unsigned all = 0;
        for (const auto& [line, crossings] : caches.crossings())
            all += crossings.all();
        return all;
    };
    CHECK(cost(0, 0, 8, true) == 1);
    CHECK(cost(0, 8, 8, false) == 0);
    CHECK(cost(1, 56, 8, false) == 1); // fetched: both have it
    CHECK(cost(0, 0, 8, true) == 1);   // claimed
    CHECK(cost(0, 0, 8, true) == 0);   // modified
    CHECK(cost(1, 60, 8, false) == 2); // the end of one line, the beginning of another
    CHECK(cost(1, 64, 64, true) == 0); // the second was its own alone
    CHECK(cost(0, 64, 1, false) == 1);
}

TEST_CASE("so many lines cross with a message and no more")
{
    struct Limit {
        Pattern pattern;
        long bytes;
        double lines;
    };
    using enum Pattern;
    // What is reached is the gate, with two transactions a line: one to write it and one to read it. Aims: a
    // null message one line, 100 bytes two or three. Above 200 bytes there are the entry, which says where
    // the bytes are, the bytes' own lines, and one way the heap: what one node takes there the other gives
    // back, so the lock with its lists and the block's place in the table cross twice. To and fro nothing of
    // it does.
    constexpr Limit limits[] = {
        {one_way, 0, 1},      {one_way, 8, 1},        {one_way, 32, 1},       {one_way, 48, 2},
        {one_way, 100, 2},    {one_way, 128, 3},      {one_way, 200, 4},      {one_way, 256, 9},
        {one_way, 1024, 21},  {one_way, 4096, 69},    {to_and_fro, 0, 1},     {to_and_fro, 32, 1},
        {to_and_fro, 48, 2},  {to_and_fro, 100, 2},   {to_and_fro, 128, 3},   {to_and_fro, 200, 4},
        {to_and_fro, 512, 9}, {to_and_fro, 1024, 17}, {to_and_fro, 4096, 65},
    };
    // The reader is asked once a lap, and nothing else comes back.
    constexpr double most_now_and_then = 2.0 * (1 + 1.0 / laps) / lap;
    for (const Limit& limit : limits) {
        Pair pair;
        const TransferAccount account = pair.account(limit.pattern, limit.bytes);
        std::fputs(account.text.c_str(), stdout);
        INFO(account.text);
        CHECK(account.lines <= limit.lines);
        CHECK(account.transactions <= 2 * limit.lines);
        CHECK(account.now_and_then <= most_now_and_then);
    }
}

TEST_CASE("a sender asks how far the reader is once a lap at most")
{
    for (const long bytes : {0L, 100L, 1024L}) {
        Pair pair;
        const TransferAccount account = pair.account(Pattern::one_way, bytes);
        INFO(account.text);
        CHECK(account.index > 0);
        CHECK(account.index <= 1 + 1.0 / laps); // a lap of the port's numbers is one short of its entries
    }
}

} // namespace parley::testing
