// SPDX-License-Identifier: MIT
// How often a helper looks into the network beside what its own machine sends: as the design's polling says,
// and always when it has let others run. The test is the gateway and the wire.
#include "native/network/network_link.hpp"

#include "testing/catch.hpp"

#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace parley;
using namespace parley::messaging;
using namespace parley::native;

namespace {

constexpr Spread spread{.nodes = 2, .machines = 2, .here = 0};

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
    bool looks_far() override
    {
        if (--left > 0)
            return false;
        left = 3;
        return true;
    }
    void note(unsigned near, unsigned far) override
    {
        asked.emplace_back(near > 0 ? "near" : "nothing");
        CHECK(far == 0);
    }
    void look_next() override { left = 1; }
    std::uint64_t period() const override { return 3; }
    int left = 1;
};

// One message for the other machine a turn, and then the end of the job.
struct Source final : Gateway {
    Source(unsigned count, int socket) : messages(count), nxrun(socket) { }

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

    static constexpr unsigned last_silent = 40;
    std::vector<Message> messages;
    const int nxrun;
    std::size_t given = 0;
    unsigned silent = 0;
    bool pauses = false;
    Layout layout_ = spread.layout();
    EveryThird polling_;
};

// What a helper asks for until its job is over.
std::vector<std::string> life(unsigned messages, bool patient)
{
    int sockets[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0);
    parley_native_traffic traffic{};
    NetworkLink link(quiet_wire, spread, sockets[0], traffic, {}, patient);
    Source source(messages, sockets[1]);
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

} // namespace

TEST_CASE("a busy helper looks into the network as often as the design's polling says")
{
    const std::vector<std::string> wanted{"look", "near", "near", "near", "look", "near", "near", "near"};
    CHECK(first(life(100, false), wanted.size()) == wanted);
}

TEST_CASE("an idle helper does so too as long as it keeps its processor")
{
    const std::vector<std::string> wanted{"look", "nothing", "nothing", "nothing", "look", "nothing"};
    CHECK(first(life(0, false), wanted.size()) == wanted);
}

TEST_CASE("a helper that lets others run looks each time it comes back")
{
    const std::vector<std::string> wanted{"look", "nothing", "look", "nothing", "look", "nothing"};
    CHECK(first(life(0, true), wanted.size()) == wanted);
}

TEST_CASE("a helper whose job is over looks once more")
{
    const std::vector<std::string> all = life(1, false);
    CHECK(all[all.size() - 2] == "look");
}
