// SPDX-License-Identifier: MIT
// A process ends at every step of what it does: those who have to do with it go on, and nothing is left. In
// the kernel it is killed and leaves the message system by itself. In user location it can be cut off where
// the system copies to or from its program, and the kernel closes its endpoint; under nxrun, too, and there
// its successor may go on.
#include "messaging/behaviours/test_messages.hpp"
#include "testing/catch.hpp"
#include "testing/every_design.hpp"
#include "testing/explored/job.hpp"
#include "testing/made_port.hpp"

#include "messaging/leaves.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

using namespace parley;
using behaviours::Answer;
using testing::CallingProcess;
using testing::Death;
using testing::Ends;
using testing::ExploredJob;

namespace {

constexpr long usual_length = 200;
constexpr int messages = 2;
constexpr int sender = 0, receiver = 1;

// Whatever happens to the two, a call either succeeds or says that one of them is no more.
bool may_be(const Answer& answer)
{
    return answer.good() || answer.value == -static_cast<long>(Error::killed) ||
           answer.value == -static_cast<long>(Error::closed);
}

struct Desk {
    std::array<void*, messages> out{}, in{};
};

explorer::Play killed(std::string_view design, long length, int victim, bool is_posted)
{
    auto desk = std::make_shared<Desk>();
    const auto sends = [=](CallingProcess& peer) {
        for (int type = 0; type < messages; ++type)
            peer.expect(may_be(peer.send(type, desk->out[type], length, receiver)),
                        "csend succeeds, or its receiver is killed");
    };
    const auto receives = [=](CallingProcess& peer) {
        const bool brings = !peer.capabilities().transfers_ownership;
        for (int type = 0; type < messages; ++type) {
            void* const own = brings ? desk->in[type] : nullptr;
            const long id = is_posted && brings ? peer.start_receive(type, own, length).value : 0;
            const Answer answer = id > 0 ? peer.wait(id) : peer.receive_block(type, own, length);
            peer.expect(may_be(answer), "the receive succeeds, or its sender is killed");
            if (answer.good())
                peer.expect(behaviours::holds_pattern(brings ? own : answer.block, type, length),
                            "the bytes are those that were sent");
        }
    };
    return ExploredJob::play({.design = design,
                              .before = {[=](CallingProcess& peer) {
                                             for (int type = 0; type < messages; ++type)
                                                 desk->out[type] = behaviours::filled(peer, type, length);
                                         },
                                         [=](CallingProcess& peer) {
                                             for (void*& block : desk->in)
                                                 block =
                                                     behaviours::filled(peer, messages, length); // wrong ones
                                         }},
                              .programs = {sends, receives},
                              .ends = Ends::by_themselves,
                              .victim = victim,
                              .all_die = victim == sender}); // its receiver would wait for ever
}

// Short messages, one with bytes and one without, which ports with room carry whole.
constexpr long short_length = 8;

void send_short(CallingProcess& peer, int first, int to)
{
    std::array<unsigned char, short_length> bytes;
    for (long index = 0; index < short_length; ++index)
        bytes[static_cast<std::size_t>(index)] = behaviours::pattern(first, index);
    peer.expect(may_be(peer.send(first, bytes.data(), short_length, to)), "csend succeeds, or finds an end");
    peer.expect(may_be(peer.send(first + 1, nullptr, 0, to)), "csend succeeds, or finds an end");
}

// The message of that type, and that it is whole if it has bytes; or the first that comes, of any.
Answer take_short(CallingProcess& peer, long typesel)
{
    std::array<unsigned char, short_length> bytes{};
    const Answer answer = peer.receive(typesel, bytes.data(), short_length);
    if (answer.good() && answer.length != 0)
        peer.expect(behaviours::holds_pattern(bytes.data(), answer.type, short_length), "a message is whole");
    return answer;
}

// The sender is cut off; another's messages arrive, whatever the sender has drawn and not published. It is
// not process 0, for 0 is what a number is that nobody has set.
explorer::Play a_sender_is_cut(std::string_view design)
{
    return ExploredJob::play({.design = design,
                              .programs = {[](CallingProcess& peer) { send_short(peer, 20, receiver); },
                                           [](CallingProcess& peer) {
                                               for (const int type : {20, 21})
                                                   peer.expect(take_short(peer, type).good(),
                                                               "another's message arrives");
                                           },
                                           [](CallingProcess& peer) { send_short(peer, 0, receiver); }},
                              .victim = 2,
                              .death = Death::is_cut});
}

// The receiver is cut off, with its mailbox's lock held: what it takes has come before, so its receives go
// the short way. Who sends to it goes on.
explorer::Play a_receiver_is_cut(std::string_view design)
{
    const auto sends = [](CallingProcess& peer) { send_short(peer, 10 * peer.node(), receiver); };
    return ExploredJob::play({.design = design,
                              .before = {sends, [](CallingProcess&) {}, sends},
                              .programs = {sends,
                                           [](CallingProcess& peer) {
                                               for (int number = 0; number < 4; ++number)
                                                   peer.expect(take_short(peer, -1).good(), "all are there");
                                           },
                                           sends},
                              .victim = receiver,
                              .death = Death::is_cut});
}

// The sender, process 1, is cut off, and its successor sends at the same endpoint: what both have sent comes
// in order.
explorer::Play a_sender_has_a_successor(std::string_view design)
{
    return ExploredJob::play({.design = design,
                              .programs = {[](CallingProcess& peer) {
                                               for (long last = -1; last < 3;) {
                                                   const Answer answer = take_short(peer, -1);
                                                   peer.expect(answer.good() && answer.type > last,
                                                               "messages come in order");
                                                   last = answer.good() ? answer.type : 3;
                                               }
                                           },
                                           [](CallingProcess& peer) { send_short(peer, 0, 0); }},
                              .victim = 1,
                              .death = Death::succeeded,
                              .successor = [](CallingProcess& peer) { send_short(peer, 2, 0); }});
}

// The sender is cut off while the system copies its message's bytes, and has a successor or none. The
// receiver ends without having received anything.
explorer::Play a_sender_of_memory_is_cut(std::string_view design, long length, Death death)
{
    auto block = std::make_shared<void*>();
    const auto sends = [=](CallingProcess& peer) {
        peer.expect(may_be(peer.send(0, *block, length, receiver)), "csend succeeds, or finds an end");
    };
    return ExploredJob::play(
        {.design = design,
         .before = {[=](CallingProcess& peer) { *block = behaviours::filled(peer, 0, length); }},
         .programs = {sends, [](CallingProcess&) {}},
         .ends = Ends::by_themselves,
         .victim = sender,
         .death = death,
         .successor = sends});
}

// The receiver is cut off while a message's bytes are copied to its program. Its sender goes on, and has all
// that the message held. The sender has sent once before, so that a spare message is known in its pool: only
// then does a port carry one whose return it waits for.
explorer::Play a_receiver_is_cut_in_a_copy(std::string_view design, long length, bool is_posted)
{
    auto desk = std::make_shared<Desk>();
    auto first = std::make_shared<long>();
    const auto sends_once = [=](CallingProcess& peer) {
        desk->out[0] = behaviours::filled(peer, 0, length);
        desk->out[1] = behaviours::filled(peer, 1, length);
        *first = peer.start_send(1, desk->out[1], length, receiver).value;
    };
    const auto receives_once = [=](CallingProcess& peer) {
        desk->in[0] = behaviours::filled(peer, 0, length);
        desk->in[1] = behaviours::filled(peer, 0, length);
        peer.expect(peer.receive(1, desk->in[1], length).good(), "the first message arrives");
    };
    const auto sends = [=](CallingProcess& peer) {
        peer.expect(peer.wait(*first).good(), "the first message has been sent");
        peer.expect(may_be(peer.send(0, desk->out[0], length, receiver)),
                    "csend succeeds, or its receiver is gone");
    };
    const auto receives = [=](CallingProcess& peer) {
        const long id = is_posted ? peer.start_receive(0, desk->in[0], length).value : 0;
        const Answer answer = is_posted ? peer.wait(id) : peer.receive(0, desk->in[0], length);
        peer.expect(answer.good(), "the receive succeeds");
    };
    return ExploredJob::play({.design = design,
                              .before = {sends_once, receives_once},
                              .programs = {sends, receives},
                              .ends = Ends::by_themselves,
                              .victim = receiver,
                              .death = Death::is_cut});
}

// A sender ends while it copies a message in pieces. The receiver may have some of them already: its crecv
// fails, and it then gets the message of another sender.
explorer::Play a_sender_of_pieces_is_cut(std::string_view design)
{
    auto desk = std::make_shared<std::array<void*, 3>>();
    const auto fills = [=](CallingProcess& peer) {
        (*desk)[static_cast<std::size_t>(peer.node())] = behaviours::filled(peer, peer.node(), usual_length);
    };
    const auto sends = [=](CallingProcess& peer) {
        void* const bytes = (*desk)[static_cast<std::size_t>(peer.node())];
        peer.expect(may_be(peer.send(peer.node(), bytes, usual_length, receiver)), "csend succeeds");
    };
    const auto receives = [=](CallingProcess& peer) {
        bool is_there = false;
        for (int tries = 0; tries < 3 && !is_there; ++tries) {
            const Answer answer = peer.receive(-1, (*desk)[receiver], usual_length);
            peer.expect(may_be(answer), "a receive succeeds, or hears of an end");
            is_there = answer.good() && answer.type == sender;
        }
        peer.expect(is_there, "another's message arrives");
    };
    return ExploredJob::play({.design = design,
                              .before = {fills, fills, fills},
                              .programs = {sends, receives, sends},
                              .victim = 2,
                              .death = Death::is_cut});
}

// A message comes while its receiver ends by itself, and has nothing else to do with the sender.
explorer::Play a_message_meets_an_end(std::string_view design)
{
    return ExploredJob::play({.design = design,
                              .programs = {[](CallingProcess& peer) {
                                               peer.expect(may_be(peer.send(0, nullptr, 0, receiver)),
                                                           "csend succeeds, or finds an end");
                                           },
                                           [](CallingProcess&) {}},
                              .ends = Ends::by_themselves});
}

// All memory that the job has for messages is in use. A process waits for what another gives back when it
// ends: its spare messages, of which one has come back from its receiver.
explorer::Play an_end_gives_back_memory(std::string_view design)
{
    constexpr long half = page_bytes / 2; // of a page, the other half of which are the spare messages
    auto block = std::make_shared<void*>();
    const auto begin = [](CallingProcess& peer) {
        peer.expect(peer.send(0, nullptr, 0, receiver).good(), "csend succeeds");
    };
    const auto fill = [=](CallingProcess& peer) {
        peer.expect(peer.receive(0, nullptr, 0).good(), "the message has come");
        *block = behaviours::filled(peer, 1, 2 * half);
        peer.expect(peer.send(1, *block, 2 * half, receiver).good(), "there is memory for one of a page");
    };
    const auto wait = [=](CallingProcess& peer) {
        peer.expect(peer.send(2, *block, half, receiver).good(), "memory comes back");
        for (const long type : {1, 2})
            peer.expect(peer.receive(type, *block, 2 * half).good(), "its own messages are there");
    };
    return ExploredJob::play({.design = design,
                              .before = {begin, fill},
                              .programs = {[](CallingProcess&) { }, wait},
                              .ends = Ends::by_themselves,
                              .buffer_pages = 2});
}

// A sender is killed whose block is lent. The block goes to another, who writes there, perhaps before the
// receiver copies: either the message is whole, or the receive fails.
explorer::Play a_lent_block_goes_to_another(std::string_view design)
{
    constexpr long block_bytes = page_bytes;
    constexpr int next = 2;
    auto desk = std::make_shared<Desk>();
    return ExploredJob::play(
        {.design = design,
         .before = {[=](CallingProcess& peer) {
                        desk->out[0] = behaviours::filled(peer, 0, block_bytes);
                        peer.expect(peer.send(0, desk->out[0], block_bytes, receiver).good(), "csend lends");
                    },
                    [=](CallingProcess& peer) { desk->in[0] = peer.allocate(block_bytes); }},
         .programs = {[](CallingProcess&) {}, // it waits for what it has lent
                      [=](CallingProcess& peer) {
                          const Answer answer = peer.receive(0, desk->in[0], block_bytes);
                          peer.expect(may_be(answer), "the receive succeeds, or its sender is killed");
                          peer.expect(!answer.good() ||
                                          behaviours::holds_pattern(desk->in[0], 0, block_bytes),
                                      "the bytes are those that were sent");
                      },
                      [](CallingProcess& peer) { (void)behaviours::filled(peer, next, block_bytes); }},
         .ends = Ends::by_themselves,
         .victim = sender,
         .block_bytes = 2 * block_bytes});
}

std::vector<std::string> designs()
{
    std::vector<std::string> result;
    for (const messaging::LeafChoice& transfer : testing::choices_of("transfer"))
        for (const char* const waits : {"semaphore", "spinlock"}) {
            std::string name(transfer.name);
            if (name == "adaptive")
                name += ":100:100"; // whose messages go in pieces
            result.push_back("exp6,synchronization=" + std::string(waits) + ",transfer=" + name);
        }
    result.insert(result.end(), {"native", "exp1", "nx2,synchronous,semaphore"});
    // Nobody leaves a lock's queue, so a process that must end passes the lock on and comes again.
    const std::string queues = "synchronization=mcs";
    result.insert(result.end(), {"exp6," + queues, "nx2,synchronous," + queues});
    // Odd, so that it meets both ways to wait.
    const std::size_t stride = testing::sample_stride() > 1 ? testing::briefly(5, 9) : 1;
    std::vector<std::string> sample;
    for (std::size_t index = 0; index < result.size(); index += stride)
        sample.push_back(result[index]);
    return sample;
}

std::string fault(unsigned preemptions, const std::function<explorer::Play()>& make_play)
{
    return explorer::explore({.preemptions = preemptions, .weak_executions = 200}, make_play).failure;
}

} // namespace

TEST_CASE("a sender is killed at any step")
{
    for (const std::string& design : designs())
        for (const bool is_posted : {false, true}) {
            INFO(design);
            CHECK(fault(1, [&] { return killed(design, usual_length, sender, is_posted); }) == "");
        }
}

TEST_CASE("a receiver is killed at any step")
{
    for (const std::string& design : designs())
        for (const bool is_posted : {false, true}) {
            INFO(design);
            CHECK(fault(1, [&] { return killed(design, usual_length, receiver, is_posted); }) == "");
        }
}

TEST_CASE("a process whose messages a port carries is killed at any step")
{
    testing::for_each_ordered_port_with_room<messaging::PortLeaves>([](const testing::PortLeaf& leaf) {
        for (const char* const location : {"exp4", "native"})
            for (const int victim : {sender, receiver}) {
                // Each location and each victim once.
                if (testing::briefly(0, 1) != 0 && (location[0] == 'n') != (victim == receiver))
                    continue;
                const std::string design = std::string(location) + ",port=" + std::string(leaf.name);
                INFO(design);
                CHECK(fault(1, [&] { return killed(design, short_length, victim, false); }) == "");
            }
    });
}

TEST_CASE("a sender is cut off while a port is given its bytes, and another's messages arrive")
{
    testing::for_each_ordered_port_with_room<messaging::PortLeaves>([](const testing::PortLeaf& leaf) {
        const std::string design = "native,port=" + std::string(leaf.name);
        INFO(design);
        CHECK(fault(1, [&] { return a_sender_is_cut(design); }) == "");
    });
}

TEST_CASE("a receiver is cut off while it is given bytes from its port, and who sends to it goes on")
{
    testing::for_each_ordered_port_with_room<messaging::PortLeaves>([](const testing::PortLeaf& leaf) {
        const std::string design = "native,port=" + std::string(leaf.name);
        INFO(design);
        CHECK(fault(1, [&] { return a_receiver_is_cut(design); }) == "");
    });
}

TEST_CASE("a sender is cut off while a port is given its bytes, and its successor's messages follow its own")
{
    testing::for_each_ordered_port_with_room<messaging::PortLeaves>([](const testing::PortLeaf& leaf) {
        const std::string design = "native,port=" + std::string(leaf.name);
        INFO(design);
        CHECK(fault(1, [&] { return a_sender_has_a_successor(design); }) == "");
    });
}

TEST_CASE("a sender is cut off while its message's bytes are copied, and all its memory comes back")
{
    const auto check = [](const std::string& design, long length, Death death) {
        INFO(design << ", " << length << " bytes");
        CHECK(fault(1, [&] { return a_sender_of_memory_is_cut(design, length, death); }) == "");
    };
    for (const messaging::LeafChoice& transfer : testing::choices_of("transfer")) {
        std::string name(transfer.name);
        if (name == "pointer")
            continue; // it copies nothing
        if (name == "adaptive")
            name += ":100:100"; // whose messages go in pieces
        check("exp6,transfer=" + name, usual_length, Death::is_cut);
        check("native,transfer=" + name, usual_length, Death::succeeded);
    }
    check("exp4", short_length, Death::is_cut);
    check("exp6,interaction=synchronous", usual_length, Death::is_cut);
}

TEST_CASE("a receiver is cut off while its message's bytes are copied, and its sender has all it waits for")
{
    const auto check = [](const std::string& design, long length, bool is_posted) {
        INFO(design << ", " << length << " bytes" << (is_posted ? ", posted" : ""));
        CHECK(fault(1, [&] { return a_receiver_is_cut_in_a_copy(design, length, is_posted); }) == "");
    };
    for (const char* const design :
         {"exp6", "exp6,interaction=synchronous", "exp1,location=user", "exp6,transfer=adaptive:100:100"})
        for (const bool is_posted : {false, true})
            check(design, usual_length, is_posted);
    testing::for_each_ordered_port_with_room<messaging::PortLeaves>([&](const testing::PortLeaf& leaf) {
        for (const bool is_synchronous : {false, true})
            for (const long length : {short_length, usual_length})
                for (const bool is_posted : {false, true}) {
                    const bool is_usual = length == usual_length;
                    // Each way, each length and each receive once.
                    if (testing::briefly(0, 1) != 0 && (is_synchronous != is_usual || is_usual != is_posted))
                        continue;
                    check("native,port=" + std::string(leaf.name) +
                              ",interaction=" + (is_synchronous ? "synchronous" : "asynchronous"),
                          length, is_posted);
                }
    });
}

TEST_CASE("a sender is cut off while it sends in pieces, and its receiver hears that the message breaks off")
{
    CHECK(fault(1, [&] { return a_sender_of_pieces_is_cut("exp4,transfer=adaptive:100:100"); }) == "");
}

TEST_CASE("a message that meets its receiver's end is not left in any order of steps")
{
    for (const char* const design : {"exp6", "native"}) {
        INFO(design);
        const explorer::Options options{.preemptions = 1, .older = 1, .weak_executions = 0};
        CHECK(explorer::explore(options, [&] { return a_message_meets_an_end(design); }).failure == "");
    }
}

TEST_CASE("who waits for memory gets what a process gives back that ends")
{
    CHECK(fault(1, [] { return an_end_gives_back_memory("exp6,semaphore"); }) == "");
}

TEST_CASE("a block that a killed process has lent is not taken for its message when another has it")
{
    // That the copy reads what another writes is what the receiver looks at the sender's state for.
    const explorer::Options options{.preemptions = 0, .weak_executions = 200, .races = false};
    CHECK(explorer::explore(options, [] {
              return a_lent_block_goes_to_another("exp6,semaphore,transfer=single-copy");
          }).failure == "");
}
