// SPDX-License-Identifier: MIT
// A job whose processes are parties of the explorer: a message system as any design composes it, of the real
// classes, and a program for each node. A process ends as a kernel has it end: when its program is over it
// waits for what it has lent, and then its endpoint is closed.
#pragma once

#include "messaging/composition.hpp"
#include "messaging/transport.hpp"
#include "testing/calling_process.hpp"
#include "testing/explorer.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley::testing {

// When the processes of a job end.
enum class Ends {
    by_themselves, // each as soon as its program is over, so that ends meet all that others do
    together,      // when all programs are over, and in no order of steps: that saves orders
};

// How the victim of a play ends.
enum class Death {
    unwinds,   // it is killed: its calls fail, and it closes its endpoint itself
    is_cut,    // in the middle of a copy to or from its program; whoever ended it closes its endpoint
    succeeded, // the same, or by itself, and another program goes on at its endpoint: what was sent is kept
};

class ExploredJob {
public:
    using Program = std::function<void(CallingProcess&)>;

    struct Plan {
        std::string_view design;
        // By node: the programs that run one by one before all orders of steps. None of them may wait.
        std::vector<Program> before{};
        // The processes' own programs, by node. Null: the process is away, and is closed some time.
        std::vector<Program> programs;
        Ends ends = Ends::together;
        // A further party ends the process of this node, at any step where it may end so; nobody: none.
        int victim = nobody;
        Death death = Death::unwinds;
        // What goes on at the victim's endpoint.
        Program successor{};
        // The end of the victim is the end of all others, who may wait for what it would have sent.
        bool all_die = false;
        // What each delivery process is started with, and what its Transport is told
        // (SystemOptions::setting).
        std::shared_ptr<messaging::Equipment> equipment{};
        std::uint64_t setting = 0;
        // How many nodes there are besides, behind the others: what they have to do they have done before. At
        // the end they still have what they have. Only for a design without helpers.
        unsigned idle = 0;
        // How many pages there are for messages and their bytes.
        std::size_t buffer_pages = 16;
        // How many bytes there are for nx_alloc.
        std::size_t block_bytes = 64 << 10;
    };
    static constexpr int nobody = -1;

    // One play of the job. What is wrong in the end: an expectation of a process, or something left
    // allocated when all have ended.
    static explorer::Play play(const Plan& plan);

    explicit ExploredJob(const Plan& plan);
    ~ExploredJob();
    ExploredJob(const ExploredJob&) = delete;
    ExploredJob& operator=(const ExploredJob&) = delete;

private:
    class Memory;

    unsigned active() const { return static_cast<unsigned>(plan_.programs.size()); }
    unsigned nodes() const { return active() + plan_.idle; }
    bool is_idle(unsigned endpoint) const { return endpoint >= active() && endpoint < nodes(); }
    bool is_away(unsigned endpoint) const
    {
        return endpoint < active() && plan_.programs[endpoint] == nullptr;
    }
    messaging::MessageSystem& compose(std::size_t bytes);
    void live(unsigned endpoint);
    void close(unsigned endpoint);
    void end_victim();
    void succeed();
    std::string fault();
    void note(const std::string& failure);

    const Plan plan_;
    messaging::Design design_;
    unsigned endpoints_ = 0; // of the programs, then the helpers
    std::unique_ptr<Memory> memory_;
    messaging::MessageSystem* system_ = nullptr;
    std::vector<std::unique_ptr<CallingProcess>> processes_;
    explorer::Noted<bool> is_succeeded_ = false;
    std::string failures_;
};

} // namespace parley::testing
