// SPDX-License-Identifier: MIT
#include "native/nxrun/hosts.hpp"

#include "native/nxrun/design_choice.hpp"
#include "native/nxrun/installation.hpp"
#include "native/nxrun/processes.hpp"
#include "native/nxrun/world.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

namespace {

bool is_local(const std::string& host)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    return host == "localhost" || host == "127.0.0.1" || host == own;
}

bool in_path(const std::string& program)
{
    std::string folders = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
    for (std::size_t at = 0; at <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', at), folders.size());
        if (access((folders.substr(at, end - at) + "/" + program).c_str(), X_OK) == 0)
            return true;
        at = end + 1;
    }
    return false;
}

bool has_adapter(const std::string& mpi)
{
    return access(installed_file("lib/parley/network-" + mpi + ".so").c_str(), R_OK) == 0;
}

std::string choose_mpi(const NxrunOptions& options)
{
    for (const std::string mpi : {"mpich", "openmpi"})
        if ((options.mpi.empty() || options.mpi == mpi) && has_adapter(mpi) && in_path("mpirun." + mpi))
            return mpi;
    if (options.mpi.empty())
        throw BadRequest{"Several machines are joined by MPI, and there is no adapter to any: install mpich "
                         "and libmpich-dev, or openmpi-bin and libopenmpi-dev, and build again (make "
                         "native)."};
    throw BadRequest{"There is no mpirun." + options.mpi +
                     " with an adapter to it: install it with its "
                     "compiler and build again (make native), or leave --mpi out."};
}

// Whether ssh gets in without asking, so that the sentence is ours and comes before anything has begun.
bool can_be_reached(const std::string& host)
{
    const pid_t child = fork();
    if (child == 0) {
        const int nothing = open("/dev/null", O_RDWR);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            dup2(nothing, stream);
        execlp("ssh", "ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", host.c_str(), "true", nullptr);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

std::string joined(const std::vector<std::string>& names, const std::string& behind)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ",") + name + behind;
    return text;
}

std::vector<std::string> mpirun_words(const std::string& mpi, const NxrunOptions& options, bool all_local)
{
    const std::string count = std::to_string(options.hosts.size());
    std::vector<std::string> words{"mpirun." + mpi};
    const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
    if (mpi == "mpich") {
        if (all_local)
            add({"-launcher", "fork"});
        add({"-hosts", joined(options.hosts, ":1"), "-n", count});
        return words;
    }
    // A machine's processors are for its ranks, and what a program answers is nothing to report.
    add({"--quiet", "--bind-to", "none", "--oversubscribe", "--map-by", "seq", "--host",
         joined(options.hosts, ""), "-n", count});
    if (geteuid() == 0)
        add({"--allow-run-as-root"});
    return words;
}

volatile pid_t mpirun = 0;
volatile sig_atomic_t told_to_end = 0;

// What a terminal sends goes to mpirun, too.
void pass_on(int number, siginfo_t* info, void*)
{
    told_to_end = 1;
    if (mpirun > 0 && info->si_code <= 0)
        (void)kill(mpirun, number);
}

// Runs mpirun with these words, and answers its exit status. What ends this process ends mpirun, too.
int run_mpirun(const std::vector<char*>& words)
{
    constexpr int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    const pid_t own = getpid();
    struct sigaction passing{}, before[std::size(ending)];
    passing.sa_sigaction = &pass_on;
    passing.sa_flags = SA_SIGINFO | SA_RESTART;
    sigset_t all, mask;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask);
    for (std::size_t i = 0; i < std::size(ending); ++i) {
        sigaction(ending[i], &passing, &before[i]);
        if (before[i].sa_handler == SIG_IGN) // as by nohup
            sigaction(ending[i], &before[i], nullptr);
    }
    (void)signal(SIGCHLD, SIG_DFL); // where it is ignored, nobody could wait for mpirun
    const pid_t child = fork();
    mpirun = child;
    if (child == 0)
        for (std::size_t i = 0; i < std::size(ending); ++i)
            sigaction(ending[i], &before[i], nullptr);
    const int error = errno;
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    if (child < 0)
        throw BadRequest{no_more_processes(error)};
    if (child == 0) {
        end_with(own, SIGTERM);
        execvp(words.front(), words.data());
        std::fprintf(stderr, "nxrun: %s cannot be started: %s.\n", words.front(), std::strerror(errno));
        _exit(2);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    return exit_status_of(status);
}

} // namespace

std::string design_on_hosts(const NxrunOptions& options, unsigned processors)
{
    if (!options.design.empty())
        return options.design;
    std::ptrdiff_t most = 0; // machines on one host
    for (const std::string& host : options.hosts)
        most = std::max(most, std::ranges::count(options.hosts, host));
    const std::size_t processes = std::size_t{options.nodes} * options.pids;
    const std::size_t there = processes * static_cast<std::size_t>(most) / options.hosts.size();
    return default_design(static_cast<unsigned>(there), processors);
}

int run_on_hosts(const NxrunOptions& options, const std::string& design, char** words)
{
    if (find_world())
        throw BadRequest{"--hosts starts mpirun, and this nxrun was started by one: leave out either."};
    if (options.hosts.size() < 2)
        throw BadRequest{"--hosts takes two machines or more; on one, nxrun needs no such word."};
    const std::string mpi = choose_mpi(options);
    bool all_local = true;
    for (const std::string& host : options.hosts) {
        all_local = all_local && is_local(host);
        if (!is_local(host) && !can_be_reached(host))
            throw BadRequest{"The machine " + host +
                             " cannot be reached: ssh must get there without asking (ssh " + host +
                             " true)."};
    }
    std::vector<std::string> all = mpirun_words(mpi, options, all_local);
    all.push_back(own_file());
    if (options.design.empty())
        all.insert(all.end(), {"--design", design});
    for (char** word = words + 1; *word != nullptr; ++word) {
        const std::string text = *word;
        const bool whole = text == "--hosts" || text == "--mpi";
        if (*word == options.command_word)
            for (; *word != nullptr; ++word)
                all.emplace_back(*word);
        if (*word == nullptr)
            break;
        if (whole && word[1] != nullptr)
            ++word;
        else if (!text.starts_with("--hosts=") && !text.starts_with("--mpi="))
            all.push_back(text);
    }
    std::vector<char*> arguments;
    for (std::string& word : all)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int status = run_mpirun(arguments);
    // An nxrun that is killed, or lost with its machine, says nothing, and mpirun kills the others at once.
    // Open MPI answers as a shell does. MPICH answers the signal, and with it (or) what other nxruns answer,
    // of which 1, 2 and 6 leave it below 16; 127, say, is an nxrun that was not started.
    const bool killed = status == 128 + SIGKILL || (status < 16 && (status & SIGKILL) == SIGKILL);
    if (!killed || told_to_end != 0)
        return status;
    std::fprintf(stderr, "nxrun: The job failed: one of its machines was lost (%s ended with status %d).\n",
                 all.front().c_str(), status);
    return 1;
}

} // namespace parley::native
