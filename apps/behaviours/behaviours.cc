// SPDX-License-Identifier: MIT
// The list of behaviours that every design shares, run inside a booted machine: the same list that the host's
// tests run. Node 0 prints a line a behaviour and at last "N passed, N failed".
#include "apps/support/one_process.h"
#include "interface/senders.h"
#include "messaging/behaviours/basics.hpp"
#include "messaging/behaviours/blocks.hpp"
#include "messaging/behaviours/requests.hpp"

#include <nx.h>
#include <nx_raw.h>

#include <cstdio>
#include <span>

namespace parley {
namespace {

using behaviours::Answer;
using behaviours::Behaviour;
using behaviours::Capabilities;
using behaviours::Context;

constexpr long any = -1;
constexpr long cache_line = 64;

long address(long pid, Context context)
{
    return static_cast<long>(parley_address(pid, static_cast<unsigned long>(context)));
}

Answer of_receive(const nx_raw_reply& reply)
{
    return {.value = reply.value,
            .type = reply.type,
            .node = static_cast<int>(reply.node),
            .length = reply.value < 0 ? 0 : reply.value,
            .block = reinterpret_cast<void*>(reply.block)};
}

// done and probe answer yes or no, and the length beside it.
Answer of_question(const nx_raw_reply& reply)
{
    return {.value = reply.value,
            .type = reply.type,
            .node = static_cast<int>(reply.node),
            .length = reply.block,
            .block = nullptr};
}

Capabilities capabilities_of_design()
{
    const auto has = [](nx_capability capability) { return (nx_capabilities() & capability) != 0; };
    return {.transfers_ownership = has(NX_BLOCKS_CHANGE_OWNER),
            .needs_shared_memory = has(NX_BUFFERS_MUST_BE_SHARED),
            .one_domain = has(NX_ONE_ADDRESS_SPACE),
            .synchronous = has(NX_SENDS_AWAIT_DELIVERY),
            .several_machines = has(NX_SEVERAL_MACHINES)};
}

class NxProcess final : public behaviours::TestProcess {
public:
    using TestProcess::TestProcess;

    Answer send(long type, const void* buffer, long length, long to, Context context) override
    {
        return of_receive(nx_raw_send(type, buffer, length, to, address(0, context)));
    }
    Answer start_send(long type, const void* buffer, long length, long to) override
    {
        return of_receive(nx_raw_start_send(type, buffer, length, to, address(0, Context::program)));
    }
    Answer receive(long typesel, void* buffer, long maximum) override
    {
        return of_receive(nx_raw_receive(typesel, buffer, maximum, any, address(any, Context::program)));
    }
    Answer receive_block(long typesel, void* buffer, long maximum, Context context) override
    {
        return of_receive(nx_raw_receive_block(typesel, buffer, maximum, any, address(any, context)));
    }
    Answer start_receive(long typesel, void* buffer, long maximum) override
    {
        return of_receive(
            nx_raw_start_receive(typesel, buffer, maximum, any, address(any, Context::program)));
    }
    Answer done(long id) override { return of_question(nx_raw_done(id)); }
    Answer wait(long id) override { return of_receive(nx_raw_wait(id)); }
    Answer cancel(long id) override { return of_receive(nx_raw_cancel(id)); }
    Answer probe(long typesel, bool may_wait) override
    {
        return of_question(nx_raw_probe(typesel, may_wait, any, address(any, Context::program)));
    }
    void* allocate(long bytes) override
    {
        const long block = nx_raw_allocate(bytes, cache_line).value;
        return block > 0 ? reinterpret_cast<void*>(block) : nullptr;
    }
    Answer release(void* block) override { return of_receive(nx_raw_release(block)); }

    void expect(bool holds, const char* sentence) override
    {
        if (holds)
            return;
        failures_++;
        std::fprintf(stderr, "node %d: %s: not so: %s\n", node(), running_, sentence);
    }

    // How many expectations failed on all nodes together.
    long run(const Behaviour& behaviour)
    {
        running_ = behaviour.sentence;
        failures_ = 0;
        behaviour.run(*this);
        long failures = failures_, work = 0;
        gisum(&failures, 1, &work);
        return failures;
    }

private:
    const char* running_ = "";
    long failures_ = 0;
};

struct Counts {
    int passed = 0;
    int failed = 0;
    int left_out = 0;
};

void run_list(NxProcess& peer, std::span<const Behaviour> list, Counts& counts)
{
    for (const Behaviour& behaviour : list) {
        if (behaviour.nodes > peer.nodes() || !behaviour.applies(peer.capabilities())) {
            counts.left_out++;
            continue;
        }
        const bool good = peer.run(behaviour) == 0;
        good ? counts.passed++ : counts.failed++;
        if (peer.node() == 0)
            std::printf("%s %s\n", good ? "passed" : "FAILED", behaviour.sentence);
    }
}

} // namespace
} // namespace parley

int main()
{
    using namespace parley;
    NxProcess peer(static_cast<int>(mynode()), static_cast<int>(numnodes()), capabilities_of_design());
    Counts counts;
    run_list(peer, behaviours::basics, counts);
    run_list(peer, behaviours::requests, counts);
    run_list(peer, behaviours::blocks, counts);
    if (peer.node() == 0)
        std::printf("%d left out, because this design or this number of nodes does not allow them\n"
                    "%d passed, %d failed\n",
                    counts.left_out, counts.passed, counts.failed);
    return counts.failed != 0;
}
