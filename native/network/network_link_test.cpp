// SPDX-License-Identifier: MIT
// How often a helper looks into the network beside what its own machine sends: as the design's polling says,
// and always when it has let others run. Then two helpers, and what crosses between them. The test is the
// gateway and the wire.
#include "native/network/network_link.hpp"

#include "testing/catch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace parley;
using namespace parley::messaging;
using namespace parley::native;

namespace {

constexpr Spread spread{.nodes = 2}; // nobody has to say goodbye

// What the helper has asked for, in its order.
std::vector<std::string> asked;

const parley_network_adapter quiet_wire{
    .version = PARLEY_ADAPTER_VERSION,
    .begin = nullptr,
    .gather = nullptr,
    .send = [](unsigned, parley_channel, const void* bytes,
               unsigned long) { return const_cast<void*>(bytes); },
    .receive = nullptr,
    .done = [](void*) { return 1; },
    .begin_gather = nullptr,
    .look =
        [](unsigned*) {
            asked.emplace_back("look");
            return -1L;
        },
    .take = nullptr,
    .end = [] {},
};

// One look of three.
struct EveryThird final : Polling {
    void remember(std::uint64_t idle, unsigned) override
    {
        asked.insert(asked.end(), idle, "nothing");
        asked.emplace_back("near");
    }
    std::uint64_t choose_period(std::uint64_t idle, unsigned far) override
    {
        CHECK(far == 0);
        asked.insert(asked.end(), idle, "nothing");
        return 3;
    }
};

// One message for the other machine a turn, and then the end of the job.
struct MessageSource final : Gateway {
    MessageSource(unsigned count, int socket) : messages(count), nxrun(socket) { }

    const Layout& layout() const override { return layout_; }
    Polling& polling() override { return polling_; }
    std::size_t budget() const override { return 1 << 20; }
    Message* next() override
    {
        if (given == messages.size()) {
            if (std::exchange(silent, silent + 1) == last_silent) {
                const ControlHead over{ControlHead::over, ControlHead::none};
                REQUIRE(::send(nxrun, &over, sizeof over, 0) == sizeof over);
            }
            return nullptr;
        }
        if (std::exchange(pauses, !pauses))
            return nullptr;
        Message& message = messages[given++];
        message.destination = 1;
        return &message;
    }
    Result<void> take(Message&, std::byte*) override { return {}; }
    bool are_alike(const Message&, const Message&) const override { return false; }
    void pass_over(Message&) override { }
    bool is_awaited(const Message&) const override { return false; }
    void complete(Message&) override { }
    Result<Completion*> new_completion() override { return std::unexpected(Error::no_memory); }
    void free(Completion&) override { }
    Result<void> put(const Envelope&, std::uint32_t, unsigned, const std::byte*, Completion*) override
    {
        return {};
    }
    void want_budget(bool) override { }
    std::uint32_t sequence() const override { return 0; }
    void begin_rest(std::uint32_t) override { }
    void end_rest() override { }
    Result<void> wait(std::uint32_t) override { return {}; }
    void signal() override { }
    MachineMeetings* meetings() override { return nullptr; }

    static constexpr unsigned last_silent = 40;
    std::vector<Message> messages;
    const int nxrun;
    std::size_t given = 0;
    unsigned silent = 0;
    bool pauses = false;
    Layout layout_ = spread.layout();
    EveryThird polling_;
};

// The end by force comes after so many looks for it.
struct CountedDeparture final : JobDeparture {
    explicit CountedDeparture(unsigned looks = ~0u) : looks_left(looks) { }
    void until_asked(const std::function<void()>& work) override { work(); }
    bool is_asked() const override { return looks_left == 0 || --looks_left == 0; }
    void finish() override { has_finished = true; }
    mutable unsigned looks_left;
    bool has_finished = false;
};

// What a helper asks for until its job is over.
std::vector<std::string> life(unsigned messages, bool patient)
{
    int sockets[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0);
    parley_native_traffic traffic{};
    CountedDeparture never;
    NetworkLink link(quiet_wire, spread, sockets[0], traffic, {}, patient, never);
    MessageSource source(messages, sockets[1]);
    asked.clear();
    link.carry(source);
    for (const int one : sockets)
        close(one);
    return asked;
}

std::vector<std::string> first(std::vector<std::string> all, std::size_t count)
{
    REQUIRE(all.size() >= count);
    all.resize(count);
    return all;
}

// What must hold in any thread: checks are the first one's.
void must(bool holds)
{
    if (!holds)
        std::abort();
}

// A wire between two machines, each of which is a thread.
thread_local unsigned here;
using Letter = std::vector<std::byte>;
struct Cable {
    bool is_empty() const
    {
        return std::ranges::all_of(to, [](const auto& machine) {
            return std::ranges::all_of(machine, [](const auto& letters) { return letters.empty(); });
        });
    }

    std::mutex mutex;
    std::array<std::array<std::deque<Letter>, 2>, 2> to{}; // by machine and channel
    std::array<unsigned, 2> sent{};                        // by machine 0, by channel
    std::array<std::vector<Letter>, 2> gathered{};         // by machine, what it has begun with
    std::function<void()> first_hears_of_end{};            // when it has sent so many frames:
    unsigned first_ends_after = 0;
};
Cable* cable;
struct FabricTransfer {
    std::byte* memory = nullptr; // null: it was a send
    std::size_t count = 0;
    unsigned looks = 0;
    bool gathers = false; // and `count` is its number
};
constexpr unsigned late_looks = 5; // before bytes are there: they take longer than frames

std::size_t place_of(parley_channel channel) { return channel == parley_channel_frames ? 0 : 1; }

// Whether both have begun what this is, of which all comes to its memory then.
bool is_gathered(const FabricTransfer& transfer)
{
    const std::lock_guard guard(cable->mutex);
    std::byte* to = transfer.memory;
    for (const std::vector<Letter>& own : cable->gathered) {
        if (own.size() <= transfer.count)
            return false;
        to = std::ranges::copy(own[transfer.count], to).out;
    }
    return true;
}

unsigned frames_of_first()
{
    const std::lock_guard guard(cable->mutex);
    return cable->sent[0];
}

// Takes the oldest letter to this machine.
std::optional<Letter> taken_from(parley_channel channel)
{
    const std::lock_guard guard(cable->mutex);
    std::deque<Letter>& letters = cable->to[here][place_of(channel)];
    if (letters.empty())
        return {};
    Letter first = std::move(letters.front());
    letters.pop_front();
    return first;
}

const parley_network_adapter joined_wire{
    .version = PARLEY_ADAPTER_VERSION,
    .begin = nullptr,
    .gather = nullptr,
    .send = [](unsigned machine, parley_channel channel, const void* bytes, unsigned long count) -> void* {
        const auto* const first = static_cast<const std::byte*>(bytes);
        const std::lock_guard guard(cable->mutex);
        cable->to[machine][place_of(channel)].emplace_back(first, first + count);
        if (here == 0 && ++cable->sent[place_of(channel)] == cable->first_ends_after &&
            channel == parley_channel_frames && cable->first_hears_of_end)
            cable->first_hears_of_end();
        return new FabricTransfer;
    },
    .receive = [](unsigned, parley_channel, void* bytes, unsigned long count) -> void* {
        return new FabricTransfer{static_cast<std::byte*>(bytes), count};
    },
    .done =
        [](void* transfer) {
            auto* const one = static_cast<FabricTransfer*>(transfer);
            if (one->gathers && !is_gathered(*one))
                return 0;
            if (one->memory != nullptr && !one->gathers) {
                if (++one->looks < late_looks)
                    return 0;
                const std::optional<Letter> letter = taken_from(parley_channel_bytes);
                if (!letter)
                    return 0;
                must(letter->size() == one->count);
                std::memcpy(one->memory, letter->data(), one->count);
            }
            delete one;
            return 1;
        },
    .begin_gather = [](const void* own, void* all, unsigned long bytes) -> void* {
        const auto* const first = static_cast<const std::byte*>(own);
        const std::lock_guard guard(cable->mutex);
        cable->gathered[here].emplace_back(first, first + bytes);
        return new FabricTransfer{static_cast<std::byte*>(all), cable->gathered[here].size() - 1, 0, true};
    },
    .look = [](unsigned* machine) -> long {
        *machine = 1 - here;
        const std::lock_guard guard(cable->mutex);
        const std::deque<Letter>& letters = cable->to[here][0];
        return letters.empty() ? -1 : static_cast<long>(letters.front().size());
    },
    .take =
        [](unsigned, void* bytes, unsigned long count) {
            const std::optional<Letter> letter = taken_from(parley_channel_frames);
            must(letter && letter->size() == count);
            std::memcpy(bytes, letter->data(), count);
        },
    .end = [] {},
};

// Node 0 is one machine, the others are the second.
constexpr Spread two_machines{.nodes = 2, .machines = 2, .here = 0};
constexpr Layout of_both = two_machines.layout();

struct Always final : Polling {
    std::uint64_t choose_period(std::uint64_t, unsigned) override { return 1; }
};

// The nxruns of both, who end the job when all that is to happen has.
struct Job {
    void note(bool happened)
    {
        if (!happened || --left > 0)
            return;
        end(0);
        end(1);
    }
    // That machine's helper hears that the job is over, once.
    void end(unsigned machine)
    {
        if (is_over[machine].exchange(true))
            return;
        const ControlHead over{ControlHead::over, ControlHead::none};
        must(::send(nxruns[machine], &over, sizeof over, 0) == sizeof over);
    }

    std::array<int, 2> nxruns{};
    std::array<std::atomic<bool>, 2> is_over{};
    std::atomic<int> left = 0;
};

// The meetings of one machine's ranks, each of which they come to when the one before is over.
struct LinkMeetings final : MachineMeetings {
    std::optional<Come> next(std::span<std::byte>) override
    {
        if (waits || come == 0 || (comes_last && !first_has_begun()))
            return {};
        --come;
        waits = true;
        return Come{1, 0};
    }
    void end(std::optional<std::span<const std::byte>> whole) override
    {
        must(whole && whole->empty());
        waits = false;
        if (on_end)
            on_end();
    }

    static bool first_has_begun()
    {
        const std::lock_guard guard(cable->mutex);
        return !cable->gathered[0].empty();
    }

    unsigned come = 0;
    bool comes_last = false; // when the first machine's have come
    bool waits = false;
    std::function<void()> on_end{};
};

// One machine's mailboxes: what its processes send, all of which are there at once, and what has come.
struct Machine final : Gateway {
    struct Got {
        unsigned destination;
        std::uint32_t stamp;
        std::vector<std::byte> bytes;
        bool operator==(const Got&) const = default;
    };

    const Layout& layout() const override { return of_both; }
    Polling& polling() override { return polling_; }
    std::size_t budget() const override { return 1 << 20; }
    Message* next() override { return given < sends.size() ? sends[given++].get() : nullptr; }
    bool are_alike(const Message& one, const Message& other) const override
    {
        return one.contents() == other.contents() && one.data == other.data;
    }
    Result<void> take(Message& message, std::byte* buffer) override
    {
        if (frames_of_first() < brings_after)
            return std::unexpected(Error::would_block);
        if (++takes <= gone)
            return std::unexpected(Error::closed);
        std::memcpy(buffer, message.data, message.length());
        return {};
    }
    void pass_over(Message&) override { ++passed; }
    bool is_awaited(const Message&) const override { return awaits; }
    void complete(Message& message) override
    {
        completed.push_back(message.stamp);
        job->note(completed.size() == sends.size() && !sends.empty());
    }
    Result<Completion*> new_completion() override { return new Completion; }
    void free(Completion& completion) override { delete &completion; }
    Result<void> put(const Envelope& envelope, std::uint32_t stamp, unsigned destination,
                     const std::byte* bytes, Completion* delivered) override
    {
        if (++tries % refuses_each == 0)
            return std::unexpected(Error::no_memory);
        got.push_back({destination, stamp, {bytes, bytes + envelope.length()}});
        job->note(got.size() == wanted);
        if (delivered != nullptr) {
            delivered->expect(1);
            delivered->count();
            ++now;
        }
        return {};
    }
    void want_budget(bool) override { }
    std::uint32_t sequence() const override
    {
        if (is_signalled_for_nothing && ++looks == 100)
            job->note(true);
        return now;
    }
    void begin_rest(std::uint32_t seen) override
    {
        rests.push_back(seen);
        if (is_signalled_for_nothing && rests.size() == 1)
            ++now;
    }
    void end_rest() override { }
    Result<void> wait(std::uint32_t) override { return {}; }
    void signal() override { }
    MachineMeetings* meetings() override { return &ranks_meetings; }
    std::vector<std::unique_ptr<Message>> sends;
    LinkMeetings ranks_meetings;
    Job* job = nullptr;
    std::size_t wanted = 0; // how many are to come
    bool awaits = false;
    unsigned gone = 0;         // how many takes find no bytes
    unsigned brings_after = 0; // how many frames of the first machine its messages' bytes are there
    unsigned refuses_each = ~0u;
    unsigned ends_by_force_after = ~0u;    // turns
    bool is_signalled_for_nothing = false; // when it rests for the first time; soon afterwards it has ended
    // What its nxrun says to the other's when the messages of its process have crossed, before the end of the
    // job; and what its nxrun hears.
    std::string says, hears;
    std::size_t given = 0;
    unsigned takes = 0, passed = 0, tries = 0;
    std::uint32_t now = 1;
    mutable unsigned looks = 0;
    std::vector<std::uint32_t> rests; // the sequences since which it has rested
    std::vector<std::uint32_t> completed;
    std::vector<Got> got;
    Always polling_;
};

// What one process sends to the other, as often as there are `stamps`, all alike.
void send_alike(Machine& machine, std::vector<std::byte>& bytes, std::uint32_t stamps,
                unsigned destination = 1)
{
    for (std::uint32_t stamp = 0; stamp < stamps; ++stamp) {
        auto message = std::make_unique<Message>();
        message->write(Envelope({static_cast<int>(1 - destination), 0}, 0)
                           .addressed(7, static_cast<std::uint32_t>(bytes.size()), 0, 0));
        message->data = bytes.data();
        message->destination = destination;
        message->stamp = static_cast<std::uint32_t>(machine.sends.size());
        machine.sends.push_back(std::move(message));
    }
}

// Both helpers run until the first machine's messages are over and `wanted` have come to the second; or, if
// `first_ends_after` is given, the job is over for the first when it has sent so many frames, and for the
// second when its messages are. Then nothing is left on the way. Answers how many frames the first has sent,
// and how many letters with the bytes of long messages.
std::array<unsigned, 2> join(Machine& first, Machine& second, std::size_t wanted,
                             std::optional<unsigned> first_ends_after = {})
{
    Cable own;
    cable = &own;
    Job job;
    job.left = first_ends_after ? 1 : 2;
    first.job = second.job = &job;
    second.wanted = wanted;
    std::array<std::array<int, 2>, 2> sockets{};
    for (unsigned machine = 0; machine < 2; ++machine) {
        REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets[machine].data()) == 0);
        job.nxruns[machine] = sockets[machine][1];
    }
    const auto run = [&](unsigned machine, Machine& gateway) {
        here = machine;
        Spread at = two_machines;
        at.here = machine;
        parley_native_traffic traffic{};
        CountedDeparture departure(gateway.ends_by_force_after);
        NetworkLink(joined_wire, at, sockets[machine][0], traffic, {}, true, departure).carry(gateway);
        must(departure.has_finished);
    };
    if (first_ends_after)
        own.first_hears_of_end = [&job] { job.end(0); };
    own.first_ends_after = first_ends_after.value_or(0);
    if (first_ends_after == 0u)
        job.end(0);
    if (!second.says.empty()) {
        const ControlHead head{0, 1};
        const std::string packet =
            std::string(reinterpret_cast<const char*>(&head), sizeof head) + second.says;
        REQUIRE(::send(job.nxruns[1], packet.data(), packet.size(), 0) > 0);
        job.end(1);
    }
    std::thread other(run, 1, std::ref(second));
    run(0, first);
    other.join();
    CHECK(own.is_empty());
    CHECK(own.gathered[0].size() == own.gathered[1].size());
    std::array<char, 64> heard;
    const ssize_t count = recv(job.nxruns[0], heard.data(), heard.size(), MSG_DONTWAIT);
    if (count > 0)
        first.hears.assign(heard.data() + sizeof(ControlHead), heard.data() + count);
    for (const auto& pair : sockets)
        for (const int one : pair)
            close(one);
    return own.sent;
}

} // namespace

TEST_CASE("a busy helper looks into the network as often as the design's polling says")
{
    const std::vector<std::string> wanted{"look", "near", "near", "near", "look", "near", "near", "near"};
    CHECK(first(life(100, false), wanted.size()) == wanted);
}

TEST_CASE("an idle helper does so too as long as it keeps its processor")
{
    const std::vector<std::string> wanted{"look", "nothing", "look", "nothing", "nothing", "nothing", "look"};
    CHECK(first(life(0, false), wanted.size()) == wanted);
}

TEST_CASE("a helper that lets others run looks each time it comes back")
{
    const std::vector<std::string> wanted{"look", "nothing", "look", "nothing", "look", "nothing"};
    CHECK(first(life(0, true), wanted.size()) == wanted);
}

TEST_CASE("a helper whose job is over looks once more") { CHECK(life(1, false).back() == "look"); }

TEST_CASE("messages that are alike cross in one frame, and each is put and completed")
{
    const std::size_t length = GENERATE(0, 100, 3001, 8192, 8193, 100'000);
    const bool awaits = GENERATE(false, true);
    Machine first, second;
    first.awaits = awaits;
    second.refuses_each = 3; // its memory is used up now and then
    std::vector<std::byte> bytes(length, std::byte{5}), others(length, std::byte{6});
    send_alike(first, bytes, 6);
    send_alike(first, others, 4);
    const std::array<unsigned, 2> sent = join(first, second, 10);
    // Messages without bytes are all alike. A long one is announced before its bytes are told of.
    const unsigned groups = length == 0 ? 1 : 2, are_long = length > NetworkLink::eager_bytes ? 1 : 0;
    constexpr unsigned goodbyes = 1;
    CHECK(sent == std::array{groups * (1 + are_long) + goodbyes, groups * are_long});
    REQUIRE(second.got.size() == 10);
    for (std::uint32_t stamp = 0; stamp < 10; ++stamp)
        CHECK(second.got[stamp] == Machine::Got{1, stamp, stamp < 6 ? bytes : others});
    std::ranges::sort(first.completed);
    CHECK(first.completed == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    if (length > 0) {
        CHECK(first.takes == 2);
        CHECK(first.passed == 8);
    }
}

TEST_CASE("of messages that are alike nothing comes when their bytes have gone, and others come behind them")
{
    const std::size_t length = GENERATE(100, 100'000);
    Machine first, second;
    first.gone = 1;
    std::vector<std::byte> bytes(length, std::byte{5}), others(length, std::byte{6});
    send_alike(first, bytes, 3);
    send_alike(first, others, 2);
    join(first, second, 2);
    CHECK(second.got == std::vector<Machine::Got>{{1, 3, others}, {1, 4, others}});
    std::ranges::sort(first.completed);
    CHECK(first.completed == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
}

TEST_CASE("a helper whose job is over takes what others still send before it leaves")
{
    // The bytes of long messages come when they have been let in, which is a frame.
    const std::size_t length = GENERATE(100, 8192, 100'000);
    const unsigned is_long = length > NetworkLink::eager_bytes ? 1 : 0;
    Machine first, second;
    second.brings_after = is_long + 1; // the first machine has said goodbye
    std::vector<std::byte> bytes(length, std::byte{5});
    send_alike(second, bytes, 3, 0);
    join(first, second, 1, is_long);
    CHECK(second.completed.size() == 3);
    CHECK(first.got.empty()); // nobody is left who would receive it
}

TEST_CASE("after an end by force what nxruns say waits for no message, and all leave")
{
    Machine first, second;
    first.ends_by_force_after = GENERATE(1u, 5u, ~0u);
    second.ends_by_force_after = 50;
    second.brings_after = ~0u; // whoever was to bring the bytes was ended
    second.says = "it has ended";
    std::vector<std::byte> bytes(100, std::byte{5});
    send_alike(second, bytes, 1, 0);
    join(first, second, 1, 0);
    CHECK(first.hears == "it has ended");
    CHECK(second.completed.empty());
}

TEST_CASE("what was sent before ranks of both machines meet is there when the meeting is over")
{
    Machine first, second;
    std::vector<std::byte> bytes(GENERATE(100, NetworkLink::eager_bytes + 1), std::byte{5});
    send_alike(first, bytes, 3);
    first.ranks_meetings.come = second.ranks_meetings.come = 1;
    second.ranks_meetings.comes_last = true;
    std::vector<std::size_t> there;
    second.ranks_meetings.on_end = [&] {
        there.push_back(second.got.size());
        second.job->note(true); // instead of a fourth message
    };
    join(first, second, 4);
    CHECK(there == std::vector<std::size_t>{3});
}

TEST_CASE("a helper that is signalled and finds nothing to do rests since then")
{
    Machine first, second;
    first.is_signalled_for_nothing = second.is_signalled_for_nothing = true;
    join(first, second, 1);
    for (const Machine* const machine : {&first, &second})
        CHECK(machine->rests == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("machines that leave their job end what one of them has begun to gather")
{
    Machine first, second;
    first.ranks_meetings.come = 2;
    second.ranks_meetings.come = GENERATE(0u, 1u, 2u);
    first.ends_by_force_after = GENERATE(5u, ~0u);
    second.says = "it has ended";
    join(first, second, 1, 0);
}
