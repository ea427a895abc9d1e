// SPDX-License-Identifier: MIT
#include "userlib/testing/fake_messages.hpp"

#include "interface/errors.h"
#include "interface/senders.h"
#include "interface/start_info.h"

extern "C" {
#include "userlib/nx/lengths.h"
#include "userlib/nx/proxy_call.h"
#include "userlib/nx/this_process.h"
}

#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

__thread struct nx_process nx_process;

extern "C" void nx_leave() { }

namespace parley::userlib {
namespace {

struct FakeMessage {
    long context, type, source;
    std::string bytes;
    void* block;
};

struct System {
    std::mutex mutex;
    std::condition_variable changed;
    Style style = Style::copying;
    std::vector<std::list<FakeMessage>> waiting;
    std::map<std::pair<int, long>, parley_receive> posted;
    std::set<void*> blocks;
    long next_id = 1;
    int come = 0;                                        // to the meeting
    long over = 0;                                       // meetings
    std::map<std::pair<long, int>, std::string> brought; // to a meeting, by a node
    int sent = 0;                                        // to one node each
};

System fake;
thread_local unsigned long left_block = 0; // of a node's last receive_block

bool selects(const parley_receive& receive, const FakeMessage& message)
{
    const auto typesel = static_cast<int>(receive.typesel);
    const unsigned long sender = parley_senders_from(message.source, 0, message.context);
    return (sender & receive.mask) == receive.from && (typesel == -1 || typesel == message.type);
}

std::list<FakeMessage>::iterator await(std::unique_lock<std::mutex>& lock, const parley_receive& receive,
                                       bool may_wait)
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

using Lock = std::unique_lock<std::mutex>;

enum class ErrorNumber {
#define ERROR_ENUMERATOR(name, number, nx_errno, sentence) name = number,
    PARLEY_ERRORS(ERROR_ENUMERATOR)
#undef ERROR_ENUMERATOR
};

constexpr long minus(ErrorNumber error) { return -static_cast<long>(error); }
constexpr parley_receive_status failed(ErrorNumber error) { return {minus(error), 0}; }
constexpr parley_receive_status no_message = {PARLEY_FOUND_NO_MESSAGE, 0};

parley_receive_status found_message(const FakeMessage& message)
{
    const auto length = static_cast<long>(message.bytes.size());
    return {length << 32 | message.type, parley_senders_from(message.source, 0, message.context)};
}

// The calls of interface/calls.def; one that is missing here does not compile.
long send(Lock&, long type, unsigned long buffer, long length, long node, unsigned long address)
{
    if (!nx_is_length(length))
        return minus(ErrorNumber::bad_length);
    if (node < -1 || node >= nx_process.nodes)
        return minus(ErrorNumber::bad_node);
    auto* const from = reinterpret_cast<char*>(buffer);
    const std::string bytes = length > 0 ? std::string(from, length) : std::string();
    const bool moved = fake.style == Style::handing_over && length > 0;
    if (moved && fake.blocks.erase(from) == 0)
        return minus(ErrorNumber::not_owned);
    if (fake.style == Style::shared_buffers && length > 0 && fake.blocks.count(from) == 0)
        return minus(ErrorNumber::not_shared);
    for (int to = 0; to < nx_process.nodes; to++)
        if (node == to || (node == -1 && to != nx_process.node)) {
            fake.waiting[to].push_back(
                {static_cast<long>(parley_address_context(address)), type, nx_process.node, bytes, nullptr});
            ++fake.sent;
        }
    if (moved)
        std::free(from);
    return 0;
}

long start_send(Lock& lock, long type, unsigned long buffer, long length, long node, unsigned long address)
{
    const long value = send(lock, type, buffer, length, node, address);
    return value < 0 ? value : fake.next_id++;
}

long allocate(Lock&, long bytes, long)
{
    void* block = std::malloc(bytes);
    fake.blocks.insert(block);
    return reinterpret_cast<long>(block);
}

long release(Lock&, unsigned long address)
{
    auto* const block = reinterpret_cast<void*>(address);
    if (fake.blocks.erase(block) == 0)
        return minus(ErrorNumber::not_owned);
    std::free(block);
    return 0;
}

// Where the bytes have gone is left in `block`.
parley_receive_status take(Lock& lock, const parley_receive& wanted, unsigned long& block)
{
    if (!nx_is_length(wanted.maximum))
        return failed(ErrorNumber::bad_length);
    const auto found = await(lock, wanted, true);
    const auto length = static_cast<long>(found->bytes.size());
    if (length > wanted.maximum)
        return failed(ErrorNumber::message_too_long);
    block = wanted.buffer;
    if (fake.style == Style::handing_over && length > 0)
        block = allocate(lock, length, 1);
    if (length > 0)
        std::memcpy(reinterpret_cast<void*>(block), found->bytes.data(), length);
    const parley_receive_status answer = found_message(*found);
    fake.waiting[nx_process.node].erase(found);
    return answer;
}

parley_receive_status receive(Lock& lock, const parley_receive* call)
{
    unsigned long block = 0;
    if (fake.style == Style::handing_over)
        return failed(ErrorNumber::needs_crecvp);
    return take(lock, *call, block);
}

parley_receive_status receive_block(Lock& lock, const parley_receive* call)
{
    return take(lock, *call, left_block);
}

long start_receive(Lock&, long typesel, unsigned long buffer, long maximum, unsigned long from,
                   unsigned long mask)
{
    if (!nx_is_length(maximum))
        return minus(ErrorNumber::bad_length);
    fake.posted[{nx_process.node, fake.next_id}] = {typesel, buffer, maximum, from, mask};
    return fake.next_id++;
}

parley_receive_status done(Lock& lock, long id)
{
    const auto found = fake.posted.find({nx_process.node, id});
    if (found == fake.posted.end())
        return no_message;
    const parley_receive wanted = found->second;
    if (await(lock, wanted, false) == fake.waiting[nx_process.node].end())
        return failed(ErrorNumber::would_block);
    fake.posted.erase(found);
    return receive(lock, &wanted);
}

parley_receive_status wait(Lock& lock, long id)
{
    const auto found = fake.posted.find({nx_process.node, id});
    if (found == fake.posted.end())
        return no_message;
    const parley_receive wanted = found->second;
    fake.posted.erase(found);
    return receive(lock, &wanted);
}

long cancel(Lock&, long id)
{
    fake.posted.erase({nx_process.node, id});
    return 0;
}

parley_receive_status probe(Lock& lock, long typesel, long may_wait, unsigned long from, unsigned long mask)
{
    const auto found = await(lock, {typesel, 0, 0, from, mask}, may_wait != 0);
    if (found == fake.waiting[nx_process.node].end())
        return failed(ErrorNumber::would_block);
    return found_message(*found);
}

// Handlers are never due here.
long watch(Lock&, long) { return 0; }

thread_local long meeting = 0; // that a node has come to

long meet(Lock&, long, unsigned long part, long bytes, unsigned long)
{
    meeting = fake.over;
    fake.brought[{meeting, nx_process.node}] = std::string(reinterpret_cast<char*>(part), bytes);
    const bool is_last = ++fake.come == nx_process.nodes;
    if (is_last) {
        fake.come = 0;
        ++fake.over;
    }
    return is_last;
}

// Active Messages are not for nodes that are threads.
long find_active(Lock&, long, long, unsigned long) { return minus(ErrorNumber::no_such_call); }
long send_active(Lock&, unsigned long, unsigned long, unsigned long)
{
    return minus(ErrorNumber::no_such_call);
}
parley_receive_status take_active(Lock&, long, unsigned long) { return failed(ErrorNumber::no_such_call); }
long await_active(Lock&, long, unsigned long, unsigned long) { return minus(ErrorNumber::no_such_call); }

// They look into no interface.
long set_polling(Lock&, unsigned long, long) { return minus(ErrorNumber::no_such_call); }

long met(Lock& lock, long, unsigned long buffer, long room, unsigned long)
{
    while (fake.over == meeting)
        fake.changed.wait(lock);
    std::string all;
    for (int node = 0; node < nx_process.nodes; node++)
        all += fake.brought[{meeting, node}];
    if (static_cast<long>(all.size()) > room)
        return minus(ErrorNumber::message_too_long);
    all.copy(reinterpret_cast<char*>(buffer), all.size());
    return static_cast<long>(all.size());
}

// A call's words become its arguments.
template <class Answer, class... Words, std::size_t... index>
Answer make(Answer (*call)(Lock&, Words...), Lock& lock, const long (&words)[5],
            std::index_sequence<index...>)
{
    return call(lock, static_cast<Words>(words[index])...);
}
template <class Answer, class... Words>
Answer make(Answer (*call)(Lock&, Words...), Lock& lock, const long (&words)[5])
{
    return make(call, lock, words, std::index_sequence_for<Words...>{});
}
parley_receive_status make(parley_receive_status (*call)(Lock&, const parley_receive*), Lock& lock,
                           const long (&words)[5])
{
    const parley_receive wanted = {words[0], static_cast<unsigned long>(words[1]), words[2],
                                   static_cast<unsigned long>(words[3]),
                                   static_cast<unsigned long>(words[4])};
    return call(lock, &wanted);
}

// As the registers of a proxy call have it.
nx_registers registers_of(long value) { return {value, 0, 0, 0, 0}; }
nx_registers registers_of(const parley_receive_status& found)
{
    return {found.contents, static_cast<long>(found.sender), static_cast<long>(left_block), 0, 0};
}

nx_registers dispatch(parley_method method, const long (&words)[5])
{
    Lock lock(fake.mutex);
    fake.changed.notify_all();
    switch (method) {
#define PARLEY_CALL(class, name, number, parameters, arguments) \
    case parley_method_##name: return registers_of(0L);
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) \
    case parley_method_messages_##name: return registers_of(make(&name, lock, words));
#include "interface/calls.def"
    }
    return registers_of(minus(ErrorNumber::no_such_call));
}

} // namespace

bool run_nodes(int nodes, Style style, const std::function<void()>& program)
{
    fake.style = style;
    fake.waiting.assign(nodes, {});
    fake.sent = 0;
    std::vector<std::thread> threads;
    for (int node = 0; node < nodes; node++)
        threads.emplace_back([=, &program] {
            nx_process.node = node;
            nx_process.nodes = nodes;
            unsigned capabilities = 0;
            if (style == Style::handing_over)
                capabilities |= NX_BLOCKS_CHANGE_OWNER;
            if (style != Style::copying)
                capabilities |= NX_BUFFERS_MUST_BE_SHARED;
            nx_take_capabilities(capabilities);
            nx_bind_proxies();
            program();
        });
    for (auto& thread : threads)
        thread.join();
    bool clean = fake.blocks.empty() && fake.posted.empty();
    for (const auto& waiting : fake.waiting)
        clean = clean && waiting.empty();
    return clean;
}

int messages_sent() { return fake.sent; }

} // namespace parley::userlib

extern "C" nx_registers nx_proxy_call(parley_method method, unsigned long, long first, long second,
                                      long third, long fourth, long fifth)
{
    const auto left = parley::userlib::dispatch(method, {first, second, third, fourth, fifth});
    if (left.value < 0) // as in the registers of a call that failed
        return {left.value, second, third, fourth, fifth};
    return left;
}
