// SPDX-License-Identifier: MIT
#include "userlib/testing/fake_messages.hpp"

#include "kernel/interface/errors.h"
#include "kernel/interface/senders.h"
#include "kernel/interface/start_info.h"

extern "C" {
#include "userlib/nx/proxy_call.h"
#include "userlib/nx/this_process.h"
}

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

__thread struct nx_process nx_process;

extern "C" void nx_leave() { }

namespace parley::userlib {
namespace {

struct Message {
    long context, type, source;
    std::string bytes;
    void* block;
};

struct Receive {
    long typesel, maximum, from, mask;
    void* buffer;
};

struct System {
    std::mutex mutex;
    std::condition_variable changed;
    Style style = Style::copying;
    std::vector<std::list<Message>> waiting;
    std::map<std::pair<int, long>, Receive> posted;
    std::set<void*> blocks;
    long next_id = 1;
};

System fake;

bool selects(const Receive& receive, const Message& message)
{
    const auto typesel = static_cast<int>(receive.typesel);
    const auto sender = static_cast<long>(parley_senders_from(message.source, 0, message.context));
    return (sender & receive.mask) == receive.from && (typesel == -1 || typesel == message.type);
}

std::list<Message>::iterator await(std::unique_lock<std::mutex>& lock, const Receive& receive, bool may_wait)
{
    auto& mine = fake.waiting[nx_process.node];
    for (;;) {
        for (auto found = mine.begin(); found != mine.end(); ++found)
            if (selects(receive, *found))
                return found;
        if (!may_wait)
            return mine.end();
        fake.changed.wait(lock);
    }
}

parley_reply send(long type, const void* buffer, long length, long node, long address)
{
    if (length < 0)
        return {-3, -1, 0, 0, 0};
    if (node < -1 || node >= nx_process.nodes)
        return {-5, -1, 0, 0, 0};
    std::string bytes = length > 0 ? std::string(static_cast<const char*>(buffer), length) : std::string();
    const bool moved = fake.style == Style::handing_over && length > 0;
    if (moved && fake.blocks.erase(const_cast<void*>(buffer)) == 0)
        return {-12, -1, 0, 0, 0};
    if (fake.style == Style::shared_buffers && length > 0 &&
        fake.blocks.count(const_cast<void*>(buffer)) == 0)
        return {-11, -1, 0, 0, 0};
    for (int to = 0; to < nx_process.nodes; to++)
        if (node == to || (node == -1 && to != nx_process.node))
            fake.waiting[to].push_back(
                {static_cast<long>(parley_address_context(address)), type, nx_process.node, bytes, nullptr});
    if (moved)
        std::free(const_cast<void*>(buffer));
    return {0, -1, 0, 0, 0};
}

parley_reply allocate(long bytes)
{
    void* block = std::malloc(bytes);
    fake.blocks.insert(block);
    return {reinterpret_cast<long>(block), -1, 0, 0, 0};
}

parley_reply receive(std::unique_lock<std::mutex>& lock, const Receive& wanted, bool as_block)
{
    if (fake.style == Style::handing_over && !as_block)
        return {-13, -1, 0, 0, 0};
    auto found = await(lock, wanted, true);
    const auto length = static_cast<long>(found->bytes.size());
    if (length > wanted.maximum)
        return {-4, -1, 0, 0, 0};
    void* to = wanted.buffer;
    if (fake.style == Style::handing_over && length > 0)
        to = reinterpret_cast<void*>(allocate(length).value);
    if (length > 0)
        std::memcpy(to, found->bytes.data(), length);
    parley_reply reply = {length, found->type, reinterpret_cast<long>(to), found->source, 0};
    fake.waiting[nx_process.node].erase(found);
    return reply;
}

parley_reply probe(std::unique_lock<std::mutex>& lock, const Receive& wanted, bool may_wait)
{
    auto found = await(lock, wanted, may_wait);
    if (found == fake.waiting[nx_process.node].end())
        return {0, -1, 0, 0, 0};
    return {1, found->type, static_cast<long>(found->bytes.size()), found->source, 0};
}

parley_reply start_receive(const Receive& wanted)
{
    fake.posted[{nx_process.node, fake.next_id}] = wanted;
    return {fake.next_id++, -1, 0, 0, 0};
}

parley_reply finish(std::unique_lock<std::mutex>& lock, long id, bool may_wait)
{
    const auto found = fake.posted.find({nx_process.node, id});
    if (found == fake.posted.end())
        return {may_wait ? 0 : 1, -1, 0, 0, 0};
    const Receive wanted = found->second;
    if (!may_wait && await(lock, wanted, false) == fake.waiting[nx_process.node].end())
        return {0, -1, 0, 0, 0};
    fake.posted.erase(found);
    parley_reply reply = receive(lock, wanted, false);
    if (!may_wait && reply.value >= 0) {
        reply.block = reply.value;
        reply.value = 1;
    }
    return reply;
}

parley_reply release(void* block)
{
    if (fake.blocks.erase(block) == 0)
        return {-12, -1, 0, 0, 0};
    std::free(block);
    return {0, -1, 0, 0, 0};
}

// As receives answer (kernel/interface/found.h).
parley_reply packed(const parley_reply& reply)
{
    if (reply.value < 0)
        return reply;
    const auto sender = parley_senders_from(reply.node, reply.pid, 0);
    return {reply.value << 32 | reply.type, static_cast<long>(sender), reply.block, 0, 0};
}

parley_reply carry_out(enum nx_method method, long first, long second, long third, long fourth, long fifth)
{
    std::unique_lock lock(fake.mutex);
    const auto buffer = reinterpret_cast<void*>(second);
    const Receive wanted = {first, third, fourth, fifth, buffer};
    fake.changed.notify_all();
    switch (method) {
    case nx_method_messages_send: return send(first, buffer, third, fourth, fifth);
    case nx_method_messages_start_send: {
        const auto reply = send(first, buffer, third, fourth, fifth);
        return reply.value < 0 ? reply : parley_reply{fake.next_id++, -1, 0, 0, 0};
    }
    case nx_method_messages_receive: return packed(receive(lock, wanted, false));
    case nx_method_messages_receive_block: return packed(receive(lock, wanted, true));
    case nx_method_messages_start_receive: return start_receive(wanted);
    case nx_method_messages_done: return finish(lock, first, false);
    case nx_method_messages_wait: return finish(lock, first, true);
    case nx_method_messages_cancel: fake.posted.erase({nx_process.node, first}); return {0, -1, 0, 0, 0};
    case nx_method_messages_probe: return probe(lock, wanted, second != 0);
    case nx_method_messages_allocate: return allocate(first);
    case nx_method_messages_release: return release(reinterpret_cast<void*>(first));
    default: return {0, -1, 0, 0, 0};
    }
}

} // namespace

bool run_nodes(int nodes, Style style, const std::function<void()>& program)
{
    fake.style = style;
    fake.waiting.assign(nodes, {});
    std::vector<std::thread> threads;
    for (int node = 0; node < nodes; node++)
        threads.emplace_back([=, &program] {
            nx_process.node = node;
            nx_process.nodes = nodes;
            unsigned capabilities = 0;
            if (style == Style::handing_over)
                capabilities |= PARLEY_BLOCKS_CHANGE_OWNER;
            if (style != Style::copying)
                capabilities |= PARLEY_BUFFERS_MUST_BE_SHARED;
            nx_take_capabilities(capabilities);
            program();
        });
    for (auto& thread : threads)
        thread.join();
    bool clean = fake.blocks.empty() && fake.posted.empty();
    for (const auto& waiting : fake.waiting)
        clean = clean && waiting.empty();
    return clean;
}

} // namespace parley::userlib

extern "C" parley_reply nx_proxy_call(enum nx_method method, unsigned long, long first, long second,
                                      long third, long fourth, long fifth)
{
    const auto reply = parley::userlib::carry_out(method, first, second, third, fourth, fifth);
    if (reply.value < 0) // as in the registers of a call that failed
        return {reply.value, second, third, fourth, fifth};
    return reply;
}
