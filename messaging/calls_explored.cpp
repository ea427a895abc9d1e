// SPDX-License-Identifier: MIT
// The calls of one process against those of others, in every order of steps: requests that are asked for,
// probes, notifications, calls that a handler interrupts, and a port that is full.
#include "interface/message_calls.h"
#include "messaging/behaviours/test_messages.hpp"
#include "testing/catch.hpp"
#include "testing/explored/job.hpp"
#include "testing/made_port.hpp"
#include "testing/selection.hpp"

#include "messaging/leaves.hpp"
#include "platform.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <string>

using namespace parley;
using behaviours::Answer;
using testing::CallingProcess;
using testing::Ends;
using testing::ExploredJob;

namespace {

constexpr long length = 200;
constexpr long any = -1;

// A message of a process that has nothing else to do.
ExploredJob::Program sends(long type, long to)
{
    auto bytes = std::make_shared<std::array<unsigned char, length>>();
    for (long index = 0; index < length; ++index)
        (*bytes)[static_cast<std::size_t>(index)] = behaviours::pattern(type, index);
    return [=](CallingProcess& peer) {
        peer.expect(peer.send(type, bytes->data(), length, to).good(), "csend succeeds");
    };
}

// A message without bytes, to node 0.
ExploredJob::Program sends_nothing(long type)
{
    return
        [=](CallingProcess& peer) { peer.expect(peer.send(type, nullptr, 0, 0).good(), "csend succeeds"); };
}

// Where its bytes come.
class Inbox {
public:
    void* bytes() { return bytes_.data(); }
    bool has(const Answer& answer, long type) const
    {
        return answer.type == type && answer.length == length &&
               behaviours::holds_pattern(bytes_.data(), type, length);
    }

private:
    std::array<unsigned char, length> bytes_{};
};

// The ways in which a message is waited for.
using Takes = void (*)(CallingProcess&, Inbox&);

void asks_again_and_again(CallingProcess& peer, Inbox& inbox)
{
    const long id = peer.start_receive(0, inbox.bytes(), length).value;
    Answer answer;
    do
        answer = peer.done(id);
    while (answer.value == 0);
    peer.expect(inbox.has(answer, 0), "msgdone says what has come");
}

// Its receive is too short, so it fails, with the error that whoever finds it failed is told.
void asks_for_too_little(CallingProcess& peer, Inbox& inbox)
{
    const long id = peer.start_receive(0, inbox.bytes(), length - 1).value;
    Answer answer;
    do
        answer = peer.done(id);
    while (answer.value == 0);
    peer.expect(answer.value == -static_cast<long>(Error::message_too_long), "msgdone says why it failed");
    peer.expect(inbox.has(peer.receive(0, inbox.bytes(), length), 0), "the message is there for another");
}

void probes(CallingProcess& peer, Inbox& inbox)
{
    peer.expect(peer.probe(0, true).length == length, "cprobe says what could be received");
    peer.expect(peer.probe(0, false).length == length, "iprobe says so, too");
    peer.expect(inbox.has(peer.receive(0, inbox.bytes(), length), 0), "the message is still there");
}

// A process that has armed its notification finds what came before when it looks, and is interrupted for what
// comes later, until this request has ended. It may be interrupted before all the bytes have come.
template <class Interrupted>
void interrupted(CallingProcess& peer, Inbox& inbox, Interrupted is_interrupted)
{
    const parley_calls& calls = peer.calls();
    const long id = peer.start_receive(0, inbox.bytes(), length).value;
    peer.expect(calls.watch(calls.self, id) == 0, "a request can be watched");
    for (;;) {
        const std::uint32_t before = platform::explored::interruptions[peer.node()].load();
        peer.expect(calls.watch(calls.self, parley_watch_armed) == 0, "a notification can be armed");
        const Answer answer = peer.done(id);
        if (answer.value != 0)
            return peer.expect(inbox.has(answer, 0), "who is interrupted finds the message");
        is_interrupted(before);
    }
}

void is_interrupted(CallingProcess& peer, Inbox& inbox)
{
    interrupted(peer, inbox, [&](std::uint32_t before) {
        while (platform::explored::interruptions[peer.node()].load() == before)
            platform::pause();
    });
}

// It is interrupted in a wait for something else.
void is_interrupted_while_it_waits(CallingProcess& peer, Inbox& inbox)
{
    interrupted(peer, inbox, [&](std::uint32_t) {
        peer.expect(peer.receive(1, nullptr, 0).value == -static_cast<long>(Error::interrupted),
                    "a handler that is due ends a wait");
    });
}

// Nothing else happens to a process than that it arms its notification, and that its message comes.
explorer::Play armed(std::string_view design)
{
    auto id = std::make_shared<long>();
    return ExploredJob::play(
        {.design = design,
         .before = {[](CallingProcess&) {},
                    [=](CallingProcess& peer) {
                        *id = peer.start_receive(0, nullptr, 0).value;
                        peer.expect(peer.calls().watch(peer.calls().self, *id) == 0, "it can be watched");
                    }},
         .programs = {
             [](CallingProcess& peer) { peer.expect(peer.send(0, nullptr, 0, 1).good(), "csend succeeds"); },
             [=](CallingProcess& peer) {
                 (void)peer.calls().watch(peer.calls().self, parley_watch_armed);
                 if (peer.done(*id).value != 0)
                     return;
                 while (platform::explored::interruptions[peer.node()].load() == 0)
                     platform::pause();
                 peer.expect(peer.done(*id).good(), "who is interrupted finds the message");
             }}});
}

explorer::Play taken(std::string_view design, Takes takes)
{
    auto inbox = std::make_shared<Inbox>();
    return ExploredJob::play(
        {.design = design, .programs = {sends(0, 1), [=](CallingProcess& peer) { takes(peer, *inbox); }}});
}

// A csend that waits, for its delivery or for memory, is interrupted by a handler of its process's: it is
// made again, or waited for.
explorer::Play interrupted_csend(std::string_view design, long bytes)
{
    struct Scene {
        Inbox inbox;
        void* out = nullptr;
        void* in = nullptr;
    };
    auto scene = std::make_shared<Scene>();
    return ExploredJob::play(
        {.design = design,
         .before = {[=](CallingProcess& peer) { scene->out = behaviours::filled(peer, 1, bytes); },
                    [=](CallingProcess& peer) {
                        scene->in = peer.allocate(bytes);
                        std::memset(scene->in, 0, static_cast<std::size_t>(bytes));
                    }},
         .programs = {[=](CallingProcess& peer) {
                          const parley_calls& calls = peer.calls();
                          const long id = peer.start_receive(0, scene->inbox.bytes(), 0).value;
                          (void)calls.watch(calls.self, id);
                          (void)calls.watch(calls.self, parley_watch_armed);
                          Answer sent = peer.send(1, scene->out, bytes, 1);
                          (void)calls.watch(calls.self, parley_watch_off);
                          if (sent.value == -static_cast<long>(Error::interrupted))
                              sent = peer.send(1, scene->out, bytes, 1);
                          if (sent.value > 0)
                              sent = peer.wait(sent.value);
                          peer.expect(sent.good(), "a csend goes on after a handler");
                          peer.expect(peer.wait(id).type == 0, "the other's message arrives");
                      },
                      [=](CallingProcess& peer) {
                          peer.expect(peer.start_send(0, nullptr, 0, 0).good(), "isend succeeds");
                          const Answer answer = peer.receive(1, scene->in, bytes);
                          peer.expect(answer.length == bytes &&
                                          behaviours::holds_pattern(scene->in, 1, bytes),
                                      "the message arrives once");
                          peer.expect(peer.probe(1, false).value == 0, "and no more often");
                      }},
         .buffer_pages = 1});
}

// The port has no more slots for a sender, and its owner looks for the last message first.
explorer::Play a_full_port(std::string_view design, const testing::PortLeaf& leaf)
{
    const long inside = testing::places_of_a_sender(leaf);
    return ExploredJob::play(
        {.design = design,
         .before = {[=](CallingProcess& peer) {
             for (long type = 0; type < inside; ++type)
                 peer.expect(peer.send(type, nullptr, 0, 1).good(), "csend succeeds");
         }},
         .programs = {[=](CallingProcess& peer) {
                          peer.expect(peer.send(inside, nullptr, 0, 1).good(), "a full port is made room in");
                      },
                      [=](CallingProcess& peer) {
                          peer.expect(peer.receive(inside, nullptr, 0).good(),
                                      "the message that found it full");
                          peer.expect(peer.receive(any, nullptr, 0).type == 0, "the oldest comes first");
                      }}});
}

// Two send to one, who takes what comes.
explorer::Play two_senders(std::string_view design)
{
    return ExploredJob::play({.design = design,
                              .programs = {[](CallingProcess& peer) {
                                               Inbox inbox;
                                               const Answer first = peer.receive(any, inbox.bytes(), length);
                                               peer.expect(inbox.has(first, first.node), "one arrives");
                                               const Answer second = peer.receive(any, inbox.bytes(), length);
                                               peer.expect(inbox.has(second, second.node) &&
                                                               second.node != first.node,
                                                           "and then the other's");
                                           },
                                           sends(1, 0), sends(2, 0)}});
}

// A receiver waits twice for messages that a port carries whole, whose senders signal only if it waits.
explorer::Play carried_twice(std::string_view design, long bytes)
{
    const auto sends_one = [=](long type) {
        return [=](CallingProcess& peer) {
            std::array<unsigned char, 8> out{};
            peer.expect(peer.send(type, out.data(), bytes, 0).good(), "csend succeeds");
        };
    };
    return ExploredJob::play({.design = design,
                              .programs = {[=](CallingProcess& peer) {
                                               std::array<unsigned char, 8> in{};
                                               peer.expect(peer.receive(1, in.data(), bytes).type == 1,
                                                           "one is found by whoever waits for it");
                                               peer.expect(peer.receive(2, in.data(), bytes).type == 2,
                                                           "and so is the other");
                                           },
                                           sends_one(1), sends_one(2)}});
}

explorer::Play carried_once(std::string_view design)
{
    return ExploredJob::play({.design = design,
                              .programs = {[](CallingProcess& peer) {
                                               peer.expect(peer.receive(0, nullptr, 0).good(),
                                                           "crecv succeeds");
                                           },
                                           sends_nothing(0)}});
}

// A receiver waits for one message, and accepts another for a receive that it has posted meanwhile.
explorer::Play received_while_another_is_accepted(std::string_view design)
{
    auto id = std::make_shared<long>();
    return ExploredJob::play(
        {.design = design,
         .before = {[=](CallingProcess& peer) { *id = peer.start_receive(1, nullptr, 0).value; }},
         .programs = {[=](CallingProcess& peer) {
                          peer.expect(peer.receive(2, nullptr, 0).type == 2, "what is waited for is found");
                          peer.expect(peer.wait(*id).type == 1, "the posted receive has the other");
                      },
                      sends_nothing(1), sends_nothing(2)}});
}

// A receiver probes for a short message. Meanwhile the sender of a long message empties the receiver's port,
// and so takes the short one out of it.
explorer::Play probed_while_another_drains(std::string_view design)
{
    return ExploredJob::play(
        {.design = design,
         .programs = {[](CallingProcess& peer) {
                          Inbox inbox;
                          peer.expect(peer.probe(1, true).type == 1, "the short one is found");
                          peer.expect(peer.receive(1, nullptr, 0).type == 1, "and received");
                          peer.expect(inbox.has(peer.receive(2, inbox.bytes(), length), 2),
                                      "so is the long one");
                      },
                      sends(2, 0), sends_nothing(1)}});
}

// A receiver switches its notification off and waits. Meanwhile a sender that has seen the notification armed
// empties the receiver's port.
explorer::Play received_while_another_attends(std::string_view design)
{
    auto id = std::make_shared<long>();
    return ExploredJob::play(
        {.design = design,
         .before = {[=](CallingProcess& peer) {
             *id = peer.start_receive(7, nullptr, 0).value;
             (void)peer.calls().watch(peer.calls().self, *id);
             (void)peer.calls().watch(peer.calls().self, parley_watch_armed);
         }},
         .programs = {[=](CallingProcess& peer) {
                          (void)peer.cancel(*id);
                          (void)peer.calls().watch(peer.calls().self, parley_watch_off);
                          peer.expect(peer.receive(1, nullptr, 0).type == 1, "one is found");
                          peer.expect(peer.receive(2, nullptr, 0).type == 2, "and the other");
                      },
                      sends_nothing(2), sends_nothing(1)}});
}

std::string fault(unsigned preemptions, const std::function<explorer::Play()>& make_play)
{
    return explorer::explore({.preemptions = preemptions, .weak_executions = 200}, make_play).failure;
}

const std::initializer_list<const char*> usual = {"exp4", "exp6", "nx2,semaphore",
                                                  "exp6,semaphore,transfer=adaptive:100:100"};
// Their ports carry short messages whole, and show that a number has been drawn (Port::shows_draws()).
const std::initializer_list<const char*> carrying = {"native", "exp4,port=carrying",
                                                     "exp6,semaphore,port=carrying"};

} // namespace

TEST_CASE("a request is found ended in any order of steps")
{
    for (const char* const design : usual) {
        INFO(design);
        CHECK(fault(1, [&] { return taken(design, asks_again_and_again); }) == "");
    }
}

TEST_CASE("a receive that is too short for its message fails in any order of steps")
{
    CHECK(fault(1, [&] { return taken("exp4", asks_for_too_little); }) == "");
}

TEST_CASE("a probe finds what will be received in any order of steps")
{
    for (const char* const design : usual) {
        INFO(design);
        CHECK(fault(1, [&] { return taken(design, probes); }) == "");
    }
}

TEST_CASE("who has armed a notification is interrupted in any order of steps")
{
    for (const char* const design : usual) {
        INFO(design);
        CHECK(fault(1, [&] { return taken(design, is_interrupted); }) == "");
        CHECK(fault(1, [&] { return taken(design, is_interrupted_while_it_waits); }) == "");
    }
}

TEST_CASE("who has armed a notification is interrupted in any order of steps with two preemptions")
{
    CHECK(fault(2, [&] { return taken("exp4", is_interrupted); }) == "");
    CHECK(fault(testing::briefly(2, 1), [&] { return taken("exp4", is_interrupted_while_it_waits); }) == "");
}

TEST_CASE("a message is found or interrupts, whatever of the two that meet is seen late")
{
    CHECK(explorer::explore({.preemptions = 1, .older = 3, .weak_executions = 0}, [] {
              return armed("exp4");
          }).failure == "");
}

TEST_CASE("whoever waits finds a message whose sender need not signal in any order of steps")
{
    for (const char* const design : carrying) {
        INFO(design);
        for (const long bytes : {0, 8})
            CHECK(fault(1, [&] { return carried_twice(design, bytes); }) == "");
        CHECK(explorer::explore({.preemptions = 1, .older = 2, .weak_executions = 0}, [&] {
                  return carried_once(design);
              }).failure == "");
    }
}

TEST_CASE("a message that another takes out of the port for whoever waits is found in any order of steps")
{
    const explorer::Options options{.preemptions = testing::briefly(2, 1),
                                    .memory = explorer::Model::sequential};
    const char* const long_ones = "exp6,semaphore,port=carrying,transfer=nx2";
    CHECK(explorer::explore(options, [&] { return probed_while_another_drains(long_ones); }).failure == "");
    CHECK(explorer::explore(options, [] { return received_while_another_attends("native"); }).failure == "");
}

TEST_CASE("a message that comes while another is accepted is found in any order of steps")
{
    for (const char* const design :
         {"native", "exp4,port=carrying", "exp6,semaphore,port=carrying", "exp4"}) {
        INFO(design);
        CHECK(fault(1, [&] { return received_while_another_is_accepted(design); }) == "");
    }
}

TEST_CASE("a message whose sender need not signal is found or interrupts in any order of steps")
{
    for (const char* const design : carrying) {
        INFO(design);
        CHECK(explorer::explore({.preemptions = 1, .older = 4, .weak_executions = 0}, [&] {
                  return armed(design);
              }).failure == "");
    }
}

TEST_CASE("a csend that a handler has interrupted sends its message once in any order of steps")
{
    CHECK(fault(1, [] { return interrupted_csend("nx2,semaphore", page_bytes + 1); }) == "");
    CHECK(fault(1, [] { return interrupted_csend("exp6,synchronous,semaphore", 8); }) == "");
    CHECK(fault(1, [] { return interrupted_csend("nx2,synchronous,semaphore", page_bytes + 1); }) == "");
}

TEST_CASE("a sender that finds a port full makes room in any order of steps")
{
    testing::for_each_ordered_port_with_room<messaging::PortLeaves>([](const testing::PortLeaf& leaf) {
        const std::string design = "exp4,port=" + std::string(leaf.name);
        INFO(design);
        CHECK(fault(1, [&] { return a_full_port(design, leaf); }) == "");
    });
}

TEST_CASE("two senders' messages arrive in any order of steps")
{
    for (const char* const design : usual) {
        INFO(design);
        CHECK(fault(1, [&] { return two_senders(design); }) == "");
    }
}
