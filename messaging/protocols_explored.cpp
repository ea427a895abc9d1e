// SPDX-License-Identifier: MIT
// Messages with bytes, by every way that they may take from one process to another, in every order of steps:
// received, posted for, taken back, without memory for them, and where one of the two ends or is killed.
#include "messaging/behaviours/test_messages.hpp"
#include "testing/catch.hpp"
#include "testing/every_design.hpp"
#include "testing/explored/job.hpp"

#include "platform.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace parley;
using behaviours::Answer;
using testing::CallingProcess;
using testing::Ends;
using testing::ExploredJob;

namespace {

// More than what travels inside a message, so every protocol does all its steps.
constexpr long length = 200;
constexpr int messages = 2;
constexpr long any = -1;

// What the processes of a play have at hand. The blocks are theirs before the play begins; their bytes tell
// of which message they are.
struct Desk {
    std::array<void*, messages> out{};
    std::array<void*, messages> in{};
    std::array<long, messages> ids{};

    void fill(CallingProcess& peer, long bytes = length)
    {
        for (int type = 0; type < messages; ++type)
            out[type] = behaviours::filled(peer, type, bytes);
    }
    void clear(CallingProcess& peer, long bytes = length)
    {
        for (void*& block : in) {
            block = peer.allocate(bytes);
            std::memset(block, 0, static_cast<std::size_t>(bytes)); // an older play has left the same bytes
        }
    }
    // Buffers whose bytes lie in two pages each.
    void clear_across_pages(CallingProcess& peer)
    {
        clear(peer, 2 * page_bytes);
        for (void*& block : in)
            block = static_cast<std::byte*>(block) + page_bytes - length / 2;
    }

    void send(CallingProcess& peer, int type, long bytes = length)
    {
        peer.expect(peer.send(type, out[type], bytes, 1).good(), "csend succeeds");
    }
    void send_both(CallingProcess& peer, long bytes = length)
    {
        send(peer, 0, bytes);
        send(peer, 1, bytes);
    }

    void post(CallingProcess& peer, int index, long typesel)
    {
        ids[index] = peer.start_receive(typesel, in[index], length).value;
        peer.expect(ids[index] > 0, "irecv returns an id");
    }
    void receive(CallingProcess& peer, int type, long bytes = length)
    {
        const bool brings = !peer.capabilities().transfers_ownership;
        const Answer answer = peer.receive_block(type, brings ? in[type] : nullptr, bytes);
        check(peer, answer, type, brings ? in[type] : answer.block, bytes);
    }
    void wait(CallingProcess& peer, int index) { check(peer, peer.wait(ids[index]), index, in[index]); }
    static void check(CallingProcess& peer, const Answer& answer, long type, const void* bytes,
                      long expected = length)
    {
        peer.expect(answer.type == type && answer.length == expected, "the receive has its message");
        peer.expect(bytes != nullptr && behaviours::holds_pattern(bytes, type, expected),
                    "the bytes are those that were sent");
    }
};

using Program = ExploredJob::Program;

Program fills(const std::shared_ptr<Desk>& desk, long bytes = length)
{
    return [=](CallingProcess& peer) { desk->fill(peer, bytes); };
}
Program clears(const std::shared_ptr<Desk>& desk, long bytes = length)
{
    return [=](CallingProcess& peer) { desk->clear(peer, bytes); };
}
Program sends_both(const std::shared_ptr<Desk>& desk)
{
    return [=](CallingProcess& peer) { desk->send_both(peer); };
}

explorer::Play received(std::string_view design)
{
    auto desk = std::make_shared<Desk>();
    return ExploredJob::play({.design = design,
                              .before = {fills(desk), clears(desk)},
                              .programs = {sends_both(desk), [=](CallingProcess& peer) {
                                               desk->receive(peer, 0), desk->receive(peer, 1);
                                           }}});
}

// One receive is there before its message, the other perhaps not.
explorer::Play posted(std::string_view design)
{
    auto desk = std::make_shared<Desk>();
    return ExploredJob::play(
        {.design = design,
         .before = {fills(desk), [=](CallingProcess& peer) { desk->clear(peer), desk->post(peer, 0, any); }},
         .programs = {sends_both(desk), [=](CallingProcess& peer) {
                          desk->post(peer, 1, any);
                          desk->wait(peer, 1), desk->wait(peer, 0);
                      }}});
}

// Its message may be on its way to the receive, in two pieces; the next receive gets it whole.
explorer::Play taken_back(std::string_view design)
{
    auto desk = std::make_shared<Desk>();
    return ExploredJob::play(
        {.design = design,
         .before = {fills(desk),
                    [=](CallingProcess& peer) { desk->clear_across_pages(peer), desk->post(peer, 0, any); }},
         .programs = {sends_both(desk),
                      [=](CallingProcess& peer) {
                          peer.expect(peer.cancel(desk->ids[0]).good(), "msgcancel succeeds");
                          desk->post(peer, 1, any);
                          const Answer answer = peer.wait(desk->ids[1]);
                          desk->check(peer, answer, answer.type == 1, desk->in[1]);
                      }},
         .block_bytes = 128 << 10});
}

// No system buffer holds such a message, so the sender waits for its receive, or for the receiver's end.
explorer::Play too_long_for_buffers(std::string_view design, bool is_received)
{
    constexpr long too_long = page_bytes + 1;
    auto desk = std::make_shared<Desk>();
    return ExploredJob::play({.design = design,
                              .before = {fills(desk, too_long), clears(desk, too_long)},
                              .programs = {[=](CallingProcess& peer) { desk->send_both(peer, too_long); },
                                           [=](CallingProcess& peer) {
                                               if (is_received)
                                                   desk->receive(peer, 0, too_long),
                                                       desk->receive(peer, 1, too_long);
                                           }},
                              .ends = Ends::by_themselves,
                              .buffer_pages = 1});
}

// A delivery process takes it to its destination, which has ended or looks at other messages first.
explorer::Play carried(std::string_view design, bool is_received)
{
    auto desk = std::make_shared<Desk>();
    return ExploredJob::play(
        {.design = design,
         .before = {fills(desk), clears(desk)},
         .programs = {[=](CallingProcess& peer) {
                          desk->send(peer, 0);
                          peer.expect(peer.send(1, nullptr, 0, 1).good(), "csend without bytes succeeds");
                      },
                      [=](CallingProcess& peer) {
                          if (!is_received)
                              return;
                          peer.expect(peer.receive(1, nullptr, 0).good(), "its sender has gone on");
                          desk->receive(peer, 0);
                      }},
         .ends = Ends::by_themselves});
}

// Another's message comes before one for which no receive is posted, and which has come to rest before it is
// received. It is copied into a system buffer, once.
explorer::Play copied_once(std::string_view design)
{
    auto desk = std::make_shared<Desk>();
    explorer::Play play = ExploredJob::play(
        {.design = design,
         .before = {fills(desk), clears(desk)},
         .programs = {[=](CallingProcess& peer) {
                          desk->send(peer, 0);
                          peer.expect(peer.send(1, nullptr, 0, 1).good(), "csend without bytes succeeds");
                      },
                      [=](CallingProcess& peer) {
                          peer.expect(peer.probe(0, true).good(), "cprobe finds the message");
                          peer.expect(peer.receive(1, nullptr, 0).good(), "its sender has gone on");
                          desk->receive(peer, 0);
                      },
                      [](CallingProcess& peer) {
                          peer.expect(peer.send(2, nullptr, 0, 1).good(), "csend without bytes succeeds");
                      }}});
    play.check = [check = play.check]() -> std::string {
        const std::string failure = check();
        constexpr std::size_t ends_of_the_buffer = 2; // that are tried
        if (platform::explored::copied > 2 * length + ends_of_the_buffer)
            return failure + "; a message was copied more often than into a buffer and out of it";
        return failure;
    };
    return play;
}

// Every way that bytes may take, and each with its processes asleep while they wait.
std::vector<std::string> designs()
{
    std::vector<std::string> result;
    for (const messaging::LeafChoice& transfer : testing::choices_of("transfer")) {
        const std::string name(transfer.name);
        result.push_back("exp6,semaphore,transfer=" + name);
        if (name == "adaptive")
            result.push_back("exp6,semaphore,transfer=adaptive:100:100"); // whose messages go in pieces
    }
    result.insert(result.end(), {"exp6", "native", "exp1", "nx2,synchronous,semaphore"});
    return result;
}

behaviours::Capabilities capabilities_in_tests(std::string_view text)
{
    messaging::Design design;
    REQUIRE(messaging::parse_design(text, design).empty());
    return testing::capabilities_in_tests(design);
}

const std::initializer_list<const char*> with_protocols = {"nx2,semaphore",
                                                           "exp6,semaphore,transfer=adaptive:100:100"};

// What is wrong in some order of at most so many preemptions.
template <class MakePlay>
std::string fault(unsigned preemptions, MakePlay make_play)
{
    return explorer::explore({.preemptions = preemptions, .weak_executions = 200}, make_play).failure;
}

} // namespace

TEST_CASE("two messages are received as they were sent in any order of steps")
{
    for (const std::string& design : designs()) {
        INFO(design);
        CHECK(fault(1, [&] { return received(design); }) == "");
    }
}

TEST_CASE("two messages reach receives that were posted in any order of steps")
{
    for (const std::string& design : designs()) {
        INFO(design);
        if (!capabilities_in_tests(design).transfers_ownership)
            CHECK(fault(1, [&] { return posted(design); }) == "");
    }
}

TEST_CASE("a receive that is taken back leaves its message whole to the next in any order of steps")
{
    for (const std::string& design : designs()) {
        INFO(design);
        if (!capabilities_in_tests(design).transfers_ownership && !capabilities_in_tests(design).synchronous)
            CHECK(fault(1, [&] { return taken_back(design); }) == "");
    }
}

TEST_CASE(
    "a message that no buffer holds waits for its receive, or its receiver's end, in any order of steps")
{
    for (const bool is_received : {true, false})
        CHECK(fault(1, [&] { return too_long_for_buffers("nx2,semaphore", is_received); }) == "");
}

TEST_CASE("a sender goes on whatever its carried message meets in any order of steps")
{
    for (const bool is_received : {true, false})
        CHECK(fault(1, [&] { return carried("nx2,transport=process,semaphore", is_received); }) == "");
}

TEST_CASE("two ends of a protocol agree in any order of steps with two preemptions")
{
    for (const char* const design : with_protocols) {
        if (testing::briefly(0, 1) != 0 && design != *with_protocols.begin())
            break;
        INFO(design);
        CHECK(fault(2, [&] { return posted(design); }) == "");
        if (testing::sample_stride() == 1)
            CHECK(fault(2, [&] { return taken_back(design); }) == "");
    }
}

TEST_CASE("a message behind another's is copied no more often than need be in any order of steps")
{
    CHECK(fault(1, [&] { return copied_once("nx2,semaphore"); }) == "");
}
