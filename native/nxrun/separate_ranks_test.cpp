// SPDX-License-Identifier: MIT
// Ranks with an address space each: programs of the shell's, which say how they find themselves.
#include "native/nxrun/separate_ranks.hpp"

#include "native/nxrun/started_rank_test.hpp"

#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace parley;
using namespace parley::native;

namespace {

constexpr int library_file = 0; // a descriptor that is open

struct Job : StartedRank {
    sigset_t signals{};

    Job()
    {
        sigemptyset(&signals);
        sigaddset(&signals, SIGTERM);
        sigprocmask(SIG_BLOCK, &signals, nullptr);
    }
    ~Job() { sigprocmask(SIG_UNBLOCK, &signals, nullptr); }

    // What the rank of node 1 printed before it ended.
    std::string run(std::vector<std::string> command)
    {
        Place& place = places[1];
        place.command = std::move(command);
        SeparateRanks ranks(memory, library, library_file, signals);
        const auto started = ranks.start({place, -1, false, to_nxrun[1], printed[1]});
        REQUIRE(started);
        process = *started;
        REQUIRE(waitpid(process, &status, 0) == process);
        close(printed[1]);
        std::string all;
        char piece[512];
        for (ssize_t count = 0; (count = read(printed[0], piece, sizeof piece)) > 0;)
            all.append(piece, static_cast<std::size_t>(count));
        printed[1] = dup(printed[0]);
        return all;
    }
    std::string run_shell(const std::string& text) { return run({"sh", "-c", text}); }
};

} // namespace

TEST_CASE("a rank says that it has begun, and its program finds the job by its environment")
{
    Job job;
    const std::string said = job.run_shell("echo $PARLEY_JOB");
    const std::string wanted = std::to_string(PARLEY_NATIVE_VERSION) + ":" +
                               std::to_string(job.memory.area().descriptor()) + ":" +
                               std::to_string(job.memory.arena().descriptor()) + ":" +
                               std::to_string(library_file) + ":" + std::to_string(job.to_nxrun[1]) + ":1\n";
    CHECK(said == wanted);
    job.check_begun();
}

TEST_CASE("a rank leads a group of processes of its own")
{
    Job job;
    const std::string said = job.run_shell("echo $(ps -o pgid= -p $$)");
    CHECK(said == std::to_string(job.process) + "\n");
}

TEST_CASE("a rank that does not read the job's input reads nothing, wherever nxrun reads")
{
    Job job;
    int input[2]{};
    REQUIRE(pipe(input) == 0);
    const int own = dup(STDIN_FILENO);
    dup2(input[0], STDIN_FILENO);
    const std::string said = job.run_shell("readlink /proc/self/fd/0");
    dup2(own, STDIN_FILENO);
    for (const int file : {input[0], input[1], own})
        close(file);
    CHECK(said == "/dev/null\n");
}

TEST_CASE("signals that nxrun holds back reach a rank")
{
    Job job;
    CHECK(job.run_shell("kill -TERM $$; echo it was held back") == "");
    CHECK((WIFSIGNALED(job.status) && WTERMSIG(job.status) == SIGTERM));
}

TEST_CASE("a program that cannot be executed is named where the rank prints")
{
    Job job;
    CHECK(job.run({"./no-such-program"}) == "nxrun: ./no-such-program: No such file or directory\n");
    CHECK(WEXITSTATUS(job.status) == 127);
}
