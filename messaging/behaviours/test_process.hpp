// SPDX-License-Identifier: MIT
// One process of a job, as the lists of behaviours see it: a thread in a host test, a program over libnx in a
// booted kernel. An answer's value below zero is an error: minus the number of an Error.
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

// What the design under test asks of programs, and what it does otherwise than other designs.
struct Capabilities {
    bool transfers_ownership = false; // whole blocks are sent, and only crecvp receives them
    bool needs_shared_memory = false; // buffers lie in blocks of nx_alloc
    bool one_domain = false;          // every buffer is shared
    bool synchronous = false;         // csend waits for the receiver
    bool several_machines = false;    // a node of another machine gets a block of its own
};

enum class Context : long { program = 0, library = 1 };

class TestProcess {
public:
    TestProcess(int node, int nodes, const Capabilities& capabilities)
        : node_(node), nodes_(nodes), capabilities_(capabilities)
    {
    }

    int node() const { return node_; }
    int nodes() const { return nodes_; }
    const Capabilities& capabilities() const { return capabilities_; }

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
    // Notes a failure unless `holds`; the sentence says what was expected.
    virtual void expect(bool holds, const char* sentence) = 0;

protected:
    ~TestProcess() = default;

private:
    int node_;
    int nodes_;
    Capabilities capabilities_;
};

// Something that programs rely on. Each process of a job calls run().
struct Behaviour {
    const char* sentence;
    int nodes; // the job has at least so many
    bool (*applies)(const Capabilities& capabilities);
    void (*run)(TestProcess& peer);
};

inline bool always(const Capabilities&) { return true; }

inline bool with_plain_receives(const Capabilities& capabilities)
{
    return !capabilities.transfers_ownership;
}

} // namespace parley::behaviours
