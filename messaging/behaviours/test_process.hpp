// SPDX-License-Identifier: MIT
// One process of a job, as the shared list of behaviours sees it: on the host a thread, in a booted kernel a
// program over libnx. Values below zero are errors (minus an Error's number).
#pragma once

namespace parley::behaviours {

struct Answer {
    long value = 0;
    long type = -1;
    long node = -1;  // of the sender
    long length = 0; // of the message
    void* block = nullptr;

    bool good() const { return value >= 0; }
};

// What the design under test asks of programs.
struct Capabilities {
    bool transfers_ownership = false; // crecvp only, blocks only
    bool needs_shared_memory = false; // buffers of nx_alloc only
    bool one_domain = false;          // every buffer is shared
    bool synchronous = false;         // csend waits for the receiver
    bool several_machines = false;    // a node of another machine gets a block of its own
};

enum class Context : long { program = 0, library = 1 };

class TestProcess {
public:
    TestProcess(int node, int nodes, const Capabilities& capabilities)
        : node_(node), nodes_(nodes), manners_(capabilities)
    {
    }

    int node() const { return node_; }
    int nodes() const { return nodes_; }
    const Capabilities& capabilities() const { return manners_; }

    virtual Answer send(long type, const void* buffer, long length, long to,
                        Context context = Context::program) = 0;
    virtual Answer start_send(long type, const void* buffer, long length, long to) = 0;
    virtual Answer receive(long typesel, void* buffer, long maximum) = 0;
    virtual Answer receive_block(long typesel, void* buffer, long maximum,
                                 Context context = Context::program) = 0;
    virtual Answer start_receive(long typesel, void* buffer, long maximum) = 0;
    virtual Answer done(long id) = 0;
    virtual Answer wait(long id) = 0;
    virtual Answer cancel(long id) = 0;
    virtual Answer probe(long typesel, bool may_wait) = 0;
    virtual void* allocate(long bytes) = 0;
    virtual Answer release(void* block) = 0;
    // Notes a failure under this sentence unless `holds`.
    virtual void expect(bool holds, const char* sentence) = 0;

protected:
    ~TestProcess() = default;

private:
    int node_;
    int nodes_;
    Capabilities manners_;
};

struct Behaviour {
    const char* sentence;
    int nodes; // at least
    bool (*applies)(const Capabilities& capabilities);
    void (*run)(TestProcess& peer);
};

inline bool always(const Capabilities&) { return true; }

inline bool with_plain_receives(const Capabilities& capabilities)
{
    return !capabilities.transfers_ownership;
}

} // namespace parley::behaviours
