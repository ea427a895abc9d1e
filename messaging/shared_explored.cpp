// SPDX-License-Identifier: MIT
// What processes share beside messages, in every order of steps: the budget and those who wait for some of
// it, the blocks of a broadcast, and the place where they meet.
#include "messaging/behaviours/test_messages.hpp"
#include "messaging/meeting.hpp"
#include "messaging/memory/blocks.hpp"
#include "messaging/memory/budget.hpp"
#include "sched/synchronization/semaphore.hpp"
#include "testing/catch.hpp"
#include "testing/explored/job.hpp"
#include "testing/mapped_memory.hpp"
#include "testing/selection.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

using namespace parley;
using namespace parley::messaging;
using testing::CallingProcess;
using testing::Ends;
using testing::ExploredJob;

namespace {

// A sender's first messages take a half of the one page that there is: the other half holds one message's
// bytes, so a second one waits until the first has been received, or discarded by its receiver's end.
explorer::Play one_buffer(std::string_view design, bool are_received)
{
    constexpr long length = 1500;
    return ExploredJob::play(
        {.design = design,
         .programs = {[](CallingProcess& peer) {
                          static constexpr std::array<std::byte, length> bytes{};
                          for (int type = 0; type < 2; ++type)
                              peer.expect(peer.send(type, bytes.data(), length, 1).good(), "csend succeeds");
                      },
                      [=](CallingProcess& peer) {
                          static std::array<std::byte, length> bytes;
                          for (int type = 0; are_received && type < 2; ++type)
                              peer.expect(peer.receive(type, bytes.data(), length).length == length,
                                          "the message arrives");
                      }},
         .ends = are_received ? Ends::together : Ends::by_themselves,
         .buffer_pages = 1});
}

// A message to two processes has one buffer, of which a helper hands on the second's share while the first
// lets go of its own.
explorer::Play a_broadcast_buffer()
{
    constexpr long length = 200;
    const auto receives = [](CallingProcess& peer) {
        std::array<std::byte, length> bytes{};
        peer.expect(peer.receive(0, bytes.data(), length).length == length, "the message arrives");
        peer.expect(behaviours::holds_pattern(bytes.data(), 0, length), "its bytes are those that were sent");
    };
    return ExploredJob::play(
        {.design = "exp6,semaphore,transport=process,transfer=broadcast-copy",
         .programs = {[](CallingProcess& peer) {
                          std::array<unsigned char, length> bytes;
                          for (long index = 0; index < length; ++index)
                              bytes[static_cast<std::size_t>(index)] = behaviours::pattern(0, index);
                          peer.expect(peer.send(0, bytes.data(), length, -1).good(), "csend to all succeeds");
                      },
                      receives, receives},
         .ends = Ends::by_themselves});
}

// All the memory that there is has gone into one process's messages. Of these one has no slot in its
// sender's pool, and when that has been received its memory is another's who waits for some.
explorer::Play another_sender_waits(std::string_view design)
{
    constexpr int in_two_pages = 32;
    static constexpr long last = in_two_pages - 1;
    return ExploredJob::play(
        {.design = design,
         .before = {[](CallingProcess& peer) {
             for (long type = 0; type <= last; ++type)
                 peer.expect(peer.send(type, nullptr, 0, 1).good(), "csend succeeds");
         }},
         .programs = {[](CallingProcess&) {},
                      [](CallingProcess& peer) {
                          peer.expect(peer.receive(last, nullptr, 0).good(), "the last message is there");
                      },
                      [](CallingProcess& peer) {
                          peer.expect(peer.send(100, nullptr, 0, 1).good(), "the other's csend succeeds");
                      }},
         .buffer_pages = 2});
}

// All the memory that there is lies spare with a process that ends: another who waits for some gets it then.
explorer::Play one_with_all_the_memory_ends(std::string_view design)
{
    constexpr int in_two_pages = 32;
    static constexpr long messages = in_two_pages - 1;
    return ExploredJob::play(
        {.design = design,
         .before = {[](CallingProcess& peer) {
                        for (long type = 0; type < messages; ++type)
                            peer.expect(peer.send(type, nullptr, 0, 1).good(), "csend succeeds");
                    },
                    [](CallingProcess& peer) {
                        for (long type = 0; type < messages; ++type)
                            peer.expect(peer.receive(type, nullptr, 0).good(), "the messages are there");
                    }},
         .programs = {[](CallingProcess&) {}, [](CallingProcess&) {},
                      [](CallingProcess& peer) {
                          peer.expect(peer.send(100, nullptr, 0, 1).good(), "the other's csend succeeds");
                      }},
         .ends = Ends::by_themselves,
         .buffer_pages = 2});
}

// A block that all others receive, and each of them lets go of.
explorer::Play a_broadcast_block()
{
    constexpr long length = 200;
    auto block = std::make_shared<void*>(nullptr);
    const auto reads = [](CallingProcess& peer) {
        const behaviours::Answer answer = peer.receive_block(1, nullptr, length);
        peer.expect(answer.block != nullptr && behaviours::holds_pattern(answer.block, 1, length),
                    "the bytes are those that were sent");
        peer.expect(peer.release(answer.block).good(), "a reader's block can be released");
        peer.expect(!peer.release(answer.block).good(), "a block that is released is the reader's no more");
    };
    return ExploredJob::play(
        {.design = "exp2,semaphore",
         .before = {[=](CallingProcess& peer) { *block = behaviours::filled(peer, 1, length); }},
         .programs = {[=](CallingProcess& peer) {
                          peer.expect(peer.send(1, *block, length, -1).good(), "csend succeeds");
                          peer.expect(!peer.release(*block).good(), "a block that is given is gone");
                      },
                      reads, reads}});
}

// In a job of more nodes than a word has bits the set of a broadcast block's readers has memory of its own.
// The last reader ends, and another process waits for just that memory. All else that there is has become
// spare messages of the block's sender, and messages of one more node.
explorer::Play a_large_set_of_readers_is_given_back()
{
    constexpr unsigned waits = 0, holds = 1, broadcasts = 2, fills = 3, nodes = 65;
    constexpr std::size_t pages = 5;
    constexpr long length = 200, spare = 31, the_set = 1;
    static constexpr long left = pages * page_bytes / BuddyHeap::unit_bytes - spare - the_set;
    auto peers = std::make_shared<std::vector<CallingProcess*>>();
    ExploredJob::Plan plan{.design = "exp2,semaphore",
                           .programs = {[](CallingProcess& peer) {
                                            peer.expect(peer.send(3, nullptr, 0, fills).good(),
                                                        "the set's memory is there for a message");
                                        },
                                        [](CallingProcess&) {}},
                           .ends = Ends::by_themselves,
                           .idle = nodes - 2,
                           .buffer_pages = pages};
    plan.before.assign(nodes, [=](CallingProcess& peer) {
        peers->push_back(&peer);
        if (peers->size() < nodes)
            return;
        CallingProcess& sender = *(*peers)[broadcasts];
        sender.expect(sender.send(1, behaviours::filled(sender, 1, length), length, -1).good(),
                      "csend succeeds");
        for (unsigned node = 0; node < nodes; ++node)
            if (CallingProcess& reader = *(*peers)[node]; node != broadcasts) {
                const behaviours::Answer answer = reader.receive_block(1, nullptr, length);
                reader.expect(answer.block != nullptr, "the block has come");
                if (node != holds)
                    reader.expect(reader.release(answer.block).good(), "a reader's block can be released");
            }
        CallingProcess& filler = *(*peers)[fills];
        for (long number = 0; number < left; ++number)
            filler.expect(filler.send(2, nullptr, 0, waits).good(), "there is memory for one more");
    });
    return ExploredJob::play(plan);
}

// The table of blocks alone: messages that carry one block are accepted, or discarded, while a
// reader lets go of it or ends.
class SharedBlock {
public:
    static constexpr unsigned owner = 0, processes = 3;

    SharedBlock()
    {
        (void)buffers_.start();
        (void)blocks_.start();
        block_ = *blocks_.allocate(owner, 100, 8);
        (void)blocks_.give(owner, block_, 100, processes);
    }

    void accept_and_release(unsigned reader)
    {
        blocks_.accept(reader, block_);
        released_ += blocks_.release(reader, block_) ? 1 : 0;
    }
    void accept_and_end(unsigned reader)
    {
        blocks_.accept(reader, block_);
        blocks_.release_all(reader);
    }
    void discard() { blocks_.discard(block_); }
    std::string fault() const
    {
        if (released_ != 1)
            return "a reader's block could not be released";
        return blocks_.used_units() == 0 ? "" : "a block that nobody has is not free";
    }

private:
    static constexpr std::size_t bytes = 16 << 10;

    testing::MappedMemory memory_{bytes}, table_{BuddyHeap::table_bytes(bytes)};
    testing::MappedMemory buffer_memory_{bytes}, buffer_table_{BuddyHeap::table_bytes(bytes)};
    BuddyHeap buffers_{buffer_memory_.start(), bytes, buffer_table_.start()};
    Blocks::Received received_[processes];
    Blocks blocks_{memory_.start(), bytes, table_.start(), buffers_, received_};
    std::uintptr_t block_ = 0;
    unsigned released_ = 0;
};

explorer::Play a_shared_block()
{
    auto scene = std::make_shared<SharedBlock>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->accept_and_release(0); });
    play.parties.push_back([scene] { scene->accept_and_end(1); });
    play.parties.push_back([scene] { scene->discard(); });
    play.check = [scene] { return scene->fault(); };
    return play;
}

// The budget alone: each waits until there is a block for it, by the steps of Progress::await_budget(), while
// another gives back one for each. Blocks are counted under a lock, as the heap has them.
class Wanted {
public:
    static constexpr unsigned most_waiters = 2;

    void give_back(unsigned blocks)
    {
        for (unsigned at = 0; at < blocks; ++at) {
            put();
            budget_.freed();
        }
    }
    void await(unsigned waiter)
    {
        auto& self = waiters_[waiter];
        budget_.announce(self);
        for (;;) {
            const std::uint32_t seen = self.sequence();
            if (take())
                break;
            (void)self.wait({WaitReason::budget, 0, 0, -1}, seen);
        }
        budget_.withdraw(self);
    }
    // Nobody waits any more, so nobody is told of what is given back.
    std::string fault()
    {
        const std::uint32_t before = waiters_[0].sequence();
        waiters_[0].status().set_wants_budget(true);
        budget_.freed();
        if (waiters_[0].sequence() != before)
            return "somebody is counted who does not wait";
        return waiters_[1].status().wants_budget() ? "one who does not wait is told" : "";
    }

private:
    using Sleeping = sched::SemaphoreSynchronization;

    void put()
    {
        const sched::ShortGuard guard(lock_);
        ++blocks_;
    }
    bool take()
    {
        const sched::ShortGuard guard(lock_);
        return blocks_ != 0 && blocks_-- != 0;
    }

    sched::ShortLock lock_;
    unsigned blocks_ = 0;
    Sleeping synchronization_;
    std::array<WaitRecord, most_waiters> records_;
    std::array<Waiter<Sleeping>, most_waiters> waiters_{
        Waiter<Sleeping>{synchronization_, records_[0], Party()},
        Waiter<Sleeping>{synchronization_, records_[1], Party()}};
    std::array<Waiter<Sleeping>*, most_waiters> known_{&waiters_[0], &waiters_[1]};
    BuddyHeap heap_{nullptr, 0, nullptr}; // which the budget only answers
    Budget<Sleeping> budget_{heap_, known_};
};

explorer::Play memory_is_wanted(unsigned waiters)
{
    auto scene = std::make_shared<Wanted>();
    explorer::Play play;
    play.parties.push_back([=] { scene->give_back(waiters); });
    for (unsigned waiter = 0; waiter < waiters; ++waiter)
        play.parties.push_back([=] { scene->await(waiter); });
    play.check = [scene] { return scene->fault(); };
    return play;
}

// The heap's only block is released to its holder's shelf, where no lock is taken, while another party waits
// for memory.
explorer::Play a_shelf_is_wanted()
{
    constexpr std::size_t bytes = BuddyHeap::unit_bytes;
    struct Scene {
        using Sleeping = sched::SemaphoreSynchronization;

        Scene() : block(heap.start() ? heap.allocate(bytes, 0).value_or(nullptr) : nullptr) { }

        void give_back()
        {
            heap.release(block, 0);
            budget.freed();
        }
        void await()
        {
            budget.announce(waiter);
            for (;;) {
                const std::uint32_t seen = waiter.sequence();
                if (heap.allocate(bytes, 1))
                    break;
                (void)waiter.wait({WaitReason::budget, 0, 0, -1}, seen);
            }
            budget.withdraw(waiter);
        }

        testing::MappedMemory memory{bytes};
        testing::MappedMemory table{BuddyHeap::table_bytes(bytes)};
        BuddyHeap heap{memory.start(), bytes, table.start()};
        std::byte* const block;
        Sleeping synchronization;
        WaitRecord record;
        Waiter<Sleeping> waiter{synchronization, record, Party()};
        std::array<Waiter<Sleeping>*, 1> known{&waiter};
        Budget<Sleeping> budget{heap, known};
    };
    auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->give_back(); });
    play.parties.push_back([scene] { scene->await(); });
    play.check = [scene] { return scene->block != nullptr ? "" : "the heap has no block"; };
    return play;
}

// Members meet so often, and each reads what all have brought. In the third meeting a place is filled again.
explorer::Play meetings(unsigned members, unsigned rounds)
{
    struct Scene {
        Meeting meeting;
        Brought brought[3];
        explorer::Noted<unsigned> last = 0;
        explorer::Noted<unsigned> wrong = 0;

        void meet(unsigned member, unsigned members)
        {
            const std::uint32_t number = meeting.over();
            brought[member].of(number).length = number + member;
            if (meeting.come(0, members)) {
                ++last;
                meeting.end();
            }
            while (meeting.over() == number)
                explorer::spin();
            for (unsigned other = 0; other < members; ++other)
                if (brought[other].of(number).length != number + other)
                    ++wrong;
        }
    };
    auto scene = std::make_shared<Scene>();
    explorer::Play play;
    for (unsigned member = 0; member < members; ++member)
        play.parties.push_back([=] {
            for (unsigned round = 0; round < rounds; ++round)
                scene->meet(member, members);
        });
    play.check = [scene, rounds]() -> std::string {
        if (scene->wrong != 0)
            return "one has not read what another has brought";
        return scene->last == rounds ? "" : "not one member was the last to come to each meeting";
    };
    return play;
}

// Who comes looks whether the one whose meeting it is still lives, and who ends forgets who has come: nobody
// is counted in the next meeting who came to the last.
explorer::Play one_comes_while_another_ends()
{
    struct Place {
        Meeting meeting;
        Atomic<unsigned> lives{1};
    };
    const auto place = std::make_shared<Place>();
    explorer::Play play;
    play.parties.push_back([place] {
        (void)place->meeting.come(0, 2);
        if (place->lives.load(std::memory_order_acquire) == 0)
            place->meeting.forget();
    });
    play.parties.push_back([place] {
        place->lives.store(0, std::memory_order_release);
        place->meeting.forget();
    });
    play.check = [place] { return place->meeting.come(0, 2) ? "one is counted who came before" : ""; };
    return play;
}

// A party in every order of at most so many preemptions; there are several orders.
template <class MakePlay>
std::string fault(unsigned preemptions, MakePlay make_play)
{
    const explorer::ExplorationOutcome outcome =
        explorer::explore({.preemptions = preemptions, .weak_executions = 200}, make_play);
    return outcome.failure.empty() && outcome.executions < 10 ? "there is only one order" : outcome.failure;
}

} // namespace

TEST_CASE("a sender that waits for the budget gets what others free in any order of steps")
{
    for (const bool are_received : {true, false})
        CHECK(fault(1, [&] { return one_buffer("exp4", are_received); }) == "");
}

TEST_CASE("a broadcast that a helper carries has one buffer, which comes back in any order of steps")
{
    CHECK(fault(0, a_broadcast_buffer) == "");
}

TEST_CASE("who waits for memory is told when some is given back in any order of steps")
{
    CHECK(fault(3, [] { return memory_is_wanted(1); }) == "");
    CHECK(fault(2, [] { return memory_is_wanted(2); }) == "");
    CHECK(fault(2, a_shelf_is_wanted) == "");
}

TEST_CASE("a sender that waits for a message's memory gets another's in any order of steps")
{
    CHECK(fault(1, [] { return another_sender_waits("exp4"); }) == "");
    const explorer::Options options{.preemptions = 0, .memory = explorer::Model::sequential};
    CHECK(explorer::explore(options, [] { return one_with_all_the_memory_ends("exp4"); }).failure == "");
}

TEST_CASE("the readers of a broadcast block let go of it in any order of steps")
{
    CHECK(fault(1, a_broadcast_block) == "");
}

TEST_CASE("who waits for memory gets that of a large set whose last reader ends, in any order of steps")
{
    const explorer::Options options{.preemptions = 1, .memory = explorer::Model::sequential};
    CHECK(explorer::explore(options, a_large_set_of_readers_is_given_back).failure == "");
}

TEST_CASE("a block whose messages are accepted or discarded is free in the end in any order of steps")
{
    CHECK(fault(testing::briefly(3, 2), a_shared_block) == "");
}

TEST_CASE("one of those who meet is the last to come, and all read what all bring, in any order of steps")
{
    CHECK(fault(testing::sample_stride() > 1 ? 2 : 3, [] { return meetings(2, 3); }) == "");
    CHECK(fault(1, [] { return meetings(3, 1); }) == "");
}

TEST_CASE("nobody who came to a meeting before its end is counted after it in any order of steps")
{
    CHECK(fault(4, one_comes_while_another_ends) == "");
}
