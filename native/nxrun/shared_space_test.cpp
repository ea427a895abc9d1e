// SPDX-License-Identifier: MIT
// Ranks in one address space: programs of the shell's, which say how they find themselves.
#include "native/nxrun/shared_space.hpp"

#include "native/nxrun/started_rank_test.hpp"

#include <algorithm>
#include <csignal>
#include <expected>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace parley;
using namespace parley::native;

namespace {

struct Job : StartedRank {
    SharedSpace space{memory.job(), library};

    std::expected<pid_t, std::string> start(unsigned endpoint, std::vector<std::string> command,
                                            int processor = -1)
    {
        places[endpoint].command = std::move(command);
        return space.start({places[endpoint], processor, false, to_nxrun[1], printed[1]});
    }
    pid_t start_shell(unsigned endpoint, const std::string& text)
    {
        const auto started = start(endpoint, {"/bin/sh", "-c", text});
        REQUIRE(started);
        return *started;
    }
    // What the rank of node 1 printed before it ended.
    std::string run_shell(const std::string& text)
    {
        process = start_shell(1, text);
        REQUIRE(waitpid(process, &status, 0) == process);
        return read_printed();
    }
    // The next that ranks print.
    std::string read_printed()
    {
        char piece[512];
        const ssize_t count = read(printed[0], piece, sizeof piece);
        return {piece, count < 0 ? 0 : static_cast<std::size_t>(count)};
    }
    // The keeper is the one child of the test that has no rank's number.
    pid_t keeper() const
    {
        std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
        pid_t found = 0;
        file >> found;
        return found;
    }
};

// Which files and memory a process has, and where.
std::string address_space_of(pid_t process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/maps");
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
}

} // namespace

TEST_CASE("a rank in a shared space says that it has begun, and its program finds the job by its environment")
{
    Job job;
    const std::string said = job.run_shell("echo $PARLEY_JOB");
    CHECK(said.starts_with(std::to_string(PARLEY_NATIVE_VERSION) + ":-1:-1:-1:"));
    CHECK(said.ends_with(":1\n"));
    job.check_begun();
}

TEST_CASE("a rank in a shared space leads a group of its own, and is named and found like any process")
{
    Job job;
    const std::string said = job.run_shell("echo $(ps -o pgid=,comm= -p $$) $PPID");
    CHECK(said == std::to_string(job.process) + " sh " + std::to_string(getpid()) + "\n");
}

TEST_CASE("a rank in a shared space has no descriptors but its own, and reads nothing unless it is to")
{
    Job job;
    CHECK(job.run_shell("readlink /proc/$$/fd/0") == "/dev/null\n");
    // Standard input, output and errors, and the socket to nxrun. The shell has no others while it runs this.
    const std::string descriptors = job.run_shell("ls /proc/$$/fd; exit 0");
    CHECK(descriptors.starts_with("0\n1\n2\n"));
    CHECK(std::count(descriptors.begin(), descriptors.end(), '\n') == 4);
}

TEST_CASE("ranks share the address space, and each has its own number, output and end")
{
    Job job;
    const pid_t first = job.start_shell(0, "echo here; kill -STOP $$; exit 3");
    CHECK(job.read_printed() == "here\n");
    const pid_t second = job.start_shell(1, "echo here; kill -STOP $$; exit 4");
    CHECK(job.read_printed() == "here\n");
    CHECK(first != second);
    for (const pid_t rank : {first, second})
        REQUIRE((waitpid(rank, &job.status, WUNTRACED) == rank && WIFSTOPPED(job.status)));
    const std::string space = address_space_of(first);
    CHECK(space != "");
    CHECK(space == address_space_of(second));
    CHECK(space != address_space_of(getpid()));
    for (const pid_t rank : {first, second}) {
        kill(rank, SIGCONT);
        REQUIRE(waitpid(rank, &job.status, 0) == rank);
        CHECK(WEXITSTATUS(job.status) == (rank == first ? 3 : 4));
    }
}

TEST_CASE("a program that cannot be brought into a shared space is refused with a sentence that names it")
{
    Job job;
    const auto none = job.start(1, {"./no-such-program"});
    REQUIRE_FALSE(none);
    CHECK(none.error().find("./no-such-program") != std::string::npos);
    const auto no_program = job.start(1, {"native/nxrun/shared_space_test.cpp"});
    REQUIRE_FALSE(no_program);
    CHECK(no_program.error().find("native/nxrun/shared_space_test.cpp") != std::string::npos);
    CHECK(job.run_shell("echo still here") == "still here\n");
}

TEST_CASE("when its keeper has ended, no rank begins, and the sentence says what has ended the keeper")
{
    Job job;
    const pid_t keeper = job.keeper();
    REQUIRE(keeper > 0);
    kill(keeper, SIGKILL);
    siginfo_t info{};
    REQUIRE(waitid(P_PID, static_cast<id_t>(keeper), &info, WEXITED | WNOWAIT) == 0);
    const auto started = job.start(1, {"/bin/sh", "-c", "true"});
    REQUIRE_FALSE(started);
    CHECK(started.error() ==
          "The address space of the ranks is lost: its keeper has ended by signal 9 (Killed).");
}

TEST_CASE("a keeper that was stopped with the ranks goes on with them, and starts more")
{
    Job job;
    const pid_t keeper = job.keeper();
    REQUIRE(keeper > 0);
    kill(keeper, SIGSTOP);
    siginfo_t info{};
    REQUIRE(waitid(P_PID, static_cast<id_t>(keeper), &info, WSTOPPED | WNOWAIT) == 0);
    job.space.resume();
    CHECK(job.run_shell("echo here") == "here\n");
}
