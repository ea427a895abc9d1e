// SPDX-License-Identifier: MIT
// A machine among several, whose helper carries messages to and from the others, whichever of the helper
// and the machine's own processes goes first: memory that one of them waits for while another frees it.
#include "interface/library_messages.h"
#include "messaging/behaviours/test_messages.hpp"
#include "messaging/transport/network/network.hpp"
#include "testing/catch.hpp"
#include "testing/explored/job.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

using namespace parley;
using namespace parley::messaging;
using behaviours::Answer;
using testing::CallingProcess;
using testing::ExploredJob;

namespace {

// Nodes 0 and 1 live here, node 2 elsewhere.
constexpr Nearby here{.first_node = 0, .nodes = 2, .host = false};
constexpr int elsewhere = 2;
constexpr long length = 1500; // of which a page holds one, beside its sender's first messages

// What the network does with its gateway.
class Script final : public Network {
public:
    explicit Script(std::function<void(Gateway&)> script) : script_(std::move(script)) { }
    void carry(Gateway& gateway) override { script_(gateway); }

private:
    const std::function<void(Gateway&)> script_;
};

// What the helper has to do may be possible now. It looks again whenever its event moves.
template <class Try>
void try_until_possible(Gateway& gateway, Try is_done)
{
    for (;;) {
        const std::uint32_t seen = gateway.sequence();
        if (is_done())
            return;
        gateway.begin_rest(seen);
        while (gateway.sequence() == seen)
            explorer::spin();
        gateway.end_rest();
    }
}

// Takes the oldest message that is for elsewhere, and its bytes.
Message& take(Gateway& gateway)
{
    static std::array<std::byte, length> bytes;
    Message* message = nullptr;
    try_until_possible(gateway, [&] { return (message = gateway.next()) != nullptr; });
    if (message->length() != 0)
        (void)gateway.take(*message, bytes.data());
    return *message;
}

// `local`: what node 0 does.
explorer::Play play(ExploredJob::Program local, std::function<void(Gateway&)> script)
{
    return ExploredJob::play({.design = "exp4,transport=network",
                              .programs = {std::move(local), [](CallingProcess&) { }, nullptr},
                              .equipment = std::make_shared<Script>(std::move(script)),
                              .setting = here.word(),
                              .buffer_pages = 1});
}

// Two messages cross to a process of this machine. There is memory for one: the other waits until the first
// has been received.
explorer::Play messages_come_in()
{
    const auto receives = [](CallingProcess& peer) {
        static std::array<std::byte, length> bytes;
        for (long type = 0; type < 2; ++type) {
            const Answer answer = peer.receive(type, bytes.data(), length);
            peer.expect(answer.length == length && answer.node == elsewhere, "a message crosses");
        }
    };
    const auto brings = [](Gateway& gateway) {
        static constexpr std::array<std::byte, length> bytes{};
        for (std::uint32_t type = 0; type < 2; ++type) {
            const Envelope envelope = Envelope({elsewhere, 0}, elsewhere).addressed(type, length, 0, 0);
            const auto put = [&] { return gateway.put(envelope, 0, 0, bytes.data(), nullptr).has_value(); };
            if (put())
                continue;
            gateway.want_budget(true);
            try_until_possible(gateway, put);
            gateway.want_budget(false);
        }
    };
    return play(receives, brings);
}

// Messages go to another machine. There is memory for the bytes of one: the next waits until those of the
// first have gone, which is known to be delivered only later. The last has none, and goes the short way if it
// may.
explorer::Play messages_go_out()
{
    const auto sends = [](CallingProcess& peer) {
        static constexpr std::array<std::byte, length> bytes{};
        const long id = peer.start_send(0, bytes.data(), length, elsewhere).value;
        peer.expect(peer.send(1, bytes.data(), length, elsewhere).good(), "csend succeeds");
        peer.expect(peer.wait(id).good(), "isend has succeeded");
        peer.expect(peer.send(2, nullptr, 0, elsewhere).good(), "csend without bytes succeeds");
    };
    const auto carries = [](Gateway& gateway) {
        Message& first = take(gateway);
        Message& second = take(gateway);
        gateway.complete(first);
        gateway.complete(second);
        gateway.complete(take(gateway));
    };
    return play(sends, carries);
}

// The processes of this machine meet others' three times. The network brings what all have brought, but the
// last time it is too long.
explorer::Play machines_meet()
{
    static constexpr std::array<std::string_view, 3> wholes{"abc", "xyz", "too long"};
    static constexpr std::array calls{parley_library_call_gdsum, parley_library_call_gcol,
                                      parley_library_call_gdsum};
    const auto meets = [](CallingProcess& peer) {
        const unsigned long address = parley_address(0, PARLEY_CONTEXT_LIBRARY);
        const parley_calls& own = peer.calls();
        for (unsigned meeting = 0; meeting < wholes.size(); ++meeting) {
            const char* const part = &wholes[meeting][static_cast<unsigned>(peer.node())];
            std::array<char, 8> all{};
            const long come =
                own.meet(own.self, calls[meeting], reinterpret_cast<std::uintptr_t>(part), 1, address);
            peer.expect(come == 0, "nobody ends the meeting but the helper");
            const long met = own.met(own.self, calls[meeting], reinterpret_cast<std::uintptr_t>(all.data()),
                                     all.size(), address);
            const bool whole = met == 3 && std::string_view(all.data(), 3) == wholes[meeting];
            peer.expect(meeting == 2 ? met == -static_cast<long>(Error::message_too_long) : whole,
                        "all bytes come, or none");
        }
    };
    const auto gathers = [](Gateway& gateway) {
        for (unsigned meeting = 0; meeting < wholes.size(); ++meeting) {
            std::array<std::byte, 8> brought{};
            std::optional<MachineMeetings::Come> come;
            try_until_possible(gateway,
                               [&] { return (come = gateway.meetings()->next(brought)).has_value(); });
            const std::string_view both(reinterpret_cast<const char*>(brought.data()), come->bytes);
            const bool right =
                come->call == static_cast<unsigned>(calls[meeting]) && both == wholes[meeting].substr(0, 2);
            if (!right || gateway.meetings()->next(brought))
                return;
            if (meeting == 2)
                gateway.meetings()->end({});
            else
                gateway.meetings()->end(std::as_bytes(std::span(wholes[meeting])));
        }
    };
    return ExploredJob::play({.design = "exp4,transport=network",
                              .programs = {meets, meets, nullptr},
                              .equipment = std::make_shared<Script>(gathers),
                              .setting = here.word()});
}

// Another party goes on where one waits. That a signal is not lost against a wait in any order of steps, the
// plays of the budget say (shared_explored.cpp).
std::string fault(explorer::Play (*make_play)())
{
    return explorer::explore({.preemptions = 0, .memory = explorer::Model::sequential}, make_play).failure;
}

} // namespace

TEST_CASE("what crosses to a machine waits for memory that its processes free whoever goes first")
{
    CHECK(fault(messages_come_in) == "");
}

TEST_CASE("what all machines' processes bring to a meeting comes to those of this one whoever goes first")
{
    CHECK(fault(machines_meet) == "");
}

TEST_CASE("who sends to another machine waits for memory that the network frees whoever goes first")
{
    CHECK(fault(messages_go_out) == "");
}
