// SPDX-License-Identifier: MIT
#include "native/nxrun/separate_ranks.hpp"

#include "native/nxrun/helper_process.hpp"
#include "native/nxrun/machine.hpp"
#include "native/nxrun/printable.hpp"
#include "native/nxrun/processes.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace parley::native {

std::expected<pid_t, std::string> SeparateRanks::start(const RankStart& rank)
{
    const pid_t self = getpid();
    const pid_t child = fork();
    if (child == 0)
        become(rank, self);
    if (child < 0)
        return std::unexpected(no_more_processes(errno));
    return child;
}

// In the child, which has only this thread and is not nxrun any more.
void SeparateRanks::become(const RankStart& rank, pid_t nxrun) const
{
    const Place& place = rank.place;
    end_with(nxrun, SIGKILL);
    lead_group(getpid());
    parley_native_request told{};
    told.method = PARLEY_NATIVE_BEGUN;
    (void)send(rank.socket, &told, offsetof(parley_native_request, payload), MSG_NOSIGNAL);
    __atomic_store_n(&memory_.place(place.endpoint).process, getpid(), __ATOMIC_RELEASE);
    sigprocmask(SIG_UNBLOCK, &signals_, nullptr);
    // Interrupted before it has handlers, a rank takes no notice.
    std::signal(PARLEY_NATIVE_INTERRUPT, SIG_IGN);
    memory_.place(place.endpoint).processor = rank.processor;
    if (rank.processor >= 0)
        pin_to(rank.processor);
    if (!is_for_programs(place.role)) {
        listen_for_the_end(library_, memory_.place(place.endpoint));
        const parley_start& start = memory_.place(place.endpoint).start;
        enter_helper(first_instruction(library_, start), start);
    }
    if (!rank.reads_input) {
        const int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
    if (rank.output >= 0) {
        dup2(rank.output, STDOUT_FILENO);
        dup2(rank.output, STDERR_FILENO);
        close(rank.output);
    }
    const std::string where =
        std::to_string(PARLEY_NATIVE_VERSION) + ":" + std::to_string(memory_.area().descriptor()) + ":" +
        std::to_string(memory_.arena().descriptor()) + ":" + std::to_string(library_file_) + ":" +
        std::to_string(rank.socket) + ":" + std::to_string(place.endpoint);
    setenv(PARLEY_NATIVE_VARIABLE, where.c_str(), 1);
    if (const std::string variable = memory_.trace_variable(place.endpoint, nxrun); !variable.empty())
        setenv(PARLEY_TRACE_VARIABLE, variable.c_str(), 1);
    std::vector<char*> words;
    for (const std::string& word : place.command)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words.front(), words.data());
    const std::string line =
        "nxrun: " + printable(place.command.front()) + ": " + std::strerror(errno) + "\n";
    (void)!::write(STDERR_FILENO, line.data(), line.size());
    _exit(127);
}

} // namespace parley::native
