// SPDX-License-Identifier: MIT
// A process is killed at every step of what it does: those who have to do with it go on, and nothing is left.
#include "messaging/behaviours/test_messages.hpp"
#include "testing/catch.hpp"
#include "testing/every_design.hpp"
#include "testing/explored/job.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

using namespace parley;
using behaviours::Answer;
using testing::CallingProcess;
using testing::Ends;
using testing::ExploredJob;

namespace {

constexpr long length = 200;
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

explorer::Play killed(std::string_view design, int victim, bool is_posted)
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
    // Of a queue for a lock nobody leaves, so who must end passes the lock on and comes again.
    const std::string queues = "synchronization=mcs";
    result.insert(result.end(), {"exp6," + queues, "nx2,synchronous," + queues});
    const std::size_t stride = testing::sample_stride() > 1 ? 5 : 1; // meets both ways to wait
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
            CHECK(fault(1, [&] { return killed(design, sender, is_posted); }) == "");
        }
}

TEST_CASE("a receiver is killed at any step")
{
    for (const std::string& design : designs())
        for (const bool is_posted : {false, true}) {
            INFO(design);
            CHECK(fault(1, [&] { return killed(design, receiver, is_posted); }) == "");
        }
}
