// SPDX-License-Identifier: MIT
#include "native/nxrun/options.hpp"

#include "messaging/design/nearest_name.hpp"
#include "native/nxrun/design_choice.hpp"
#include "native/nxrun/version.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <getopt.h>
#include <iostream>
#include <set>
#include <string_view>

namespace parley::native {

namespace {

constexpr std::string_view help = R"(usage: nxrun [options] program [arguments]
Runs an NX/2 program on this machine, or on several: one process a node, over one message system in shared
memory on each, and MPI between them.

  -n, --nodes N          number of nodes (default: one for each processor); -np N, too
  -d, --design DESIGN    the message system, by the names that the kernel has, for instance exp2,
                         exp6,transfer=adaptive or exp4,port=locked. A named design with its system in the
                         kernel has it in the library here (default: native; where more than eight processes
                         share each processor, native,synchronization=two-phase)
      --hosts HOSTS      spreads the nodes over these machines (ant,bee,cat), in runs of equal length; their
                         nxruns are started by an MPI's mpirun, by ssh where it is not localhost. Under mpirun
                         each nxrun that it starts is one machine
      --mpi MPI          whose mpirun: mpich or openmpi (default: the first that is installed)
      --list-designs     names the designs and every class that may take another's place
      --semaphore KIND   what P and V of its semaphores are, as the kernel has them: kernel, who waits sleeps
                         (default); combining; queue, who waits looks; spin, spin:1000 (turns between two
                         looks); policy-0, policy-1:300ms:2, with policy processes of their own
      --dispatch WHICH   virtual, or static, which takes fewer instructions and knows the named designs, and
                         native with a port that claims packets (default: static for these, else virtual)
      --widest-move BYTES  copies messages by moves of at most so many: 16, 32 or 64 (default: as wide as
                         every rank's processor has them)
      --pids N           processes a node (default: 1)
      --host             the program is the job's host, which loads the nodes' programs (default: if it
                         calls load); --no-host: it is not
      --budget BYTES     memory for messages, and as much again for nx_alloc (default: 64 MiB)
      --limit SECONDS    ends the job after so long (default: never)
  -t, --tag              lines of output begin with the node that wrote them
      --no-pin           lets Linux move ranks between processors (default: one each where they suffice, for
                         its first thread, unless the program that is named here has threads of OpenMP)
      --gang             takes turns with other jobs started so, one at a time on each processor
      --slice MILLISECONDS   with --gang: how long a turn lasts while others wait for theirs (default: 100)
      --trace FILE       writes down every message and wait: .svg is a picture, .json for Perfetto's viewer,
                         .trace for nxtrace, which draws and tells all of it. Of several machines in one
                         file, written on the first, by its clock
      --trace-records N  how many records are kept of each process (default: 65536); the rest is counted
      --window FROM..TO  the part that a picture shows, in microseconds from the first message
      --profile          prints where each node's time went
      --unreceived       says at the end which messages nobody received, which irecvs nobody waited for, and
                         which ids were used after their requests had ended; the record says it in any case
  -r, --record FILE      writes what was measured, and how the job ended, as JSON
      --help, --version

Standard input is node 0's. The status is 0 when every rank ended with 0, 1 when one did not or the job
deadlocked, 2 when nxrun was asked for what cannot be, 6 at the limit, 130 after Ctrl-C.
)";

enum Long : int {
    pids = 256,
    semaphore,
    host,
    no_host,
    budget,
    limit,
    no_pin,
    gang,
    slice,
    dispatch,
    widest_move,
    trace,
    trace_records,
    window,
    profile,
    unreceived,
    list_wanted,
    help_wanted,
    version_wanted,
    hosts,
    mpi
};

constexpr option known[] = {
    {"nodes", required_argument, nullptr, 'n'},
    {"design", required_argument, nullptr, 'd'},
    {"pids", required_argument, nullptr, pids},
    {"semaphore", required_argument, nullptr, semaphore},
    {"host", no_argument, nullptr, host},
    {"no-host", no_argument, nullptr, no_host},
    {"budget", required_argument, nullptr, budget},
    {"limit", required_argument, nullptr, limit},
    {"tag", no_argument, nullptr, 't'},
    {"no-pin", no_argument, nullptr, no_pin},
    {"gang", no_argument, nullptr, gang},
    {"slice", required_argument, nullptr, slice},
    {"trace", required_argument, nullptr, trace},
    {"trace-records", required_argument, nullptr, trace_records},
    {"window", required_argument, nullptr, window},
    {"profile", no_argument, nullptr, profile},
    {"unreceived", no_argument, nullptr, unreceived},
    {"record", required_argument, nullptr, 'r'},
    {"hosts", required_argument, nullptr, hosts},
    {"mpi", required_argument, nullptr, mpi},
    {"dispatch", required_argument, nullptr, dispatch},
    {"widest-move", required_argument, nullptr, widest_move},
    {"help", no_argument, nullptr, help_wanted},
    {"version", no_argument, nullptr, version_wanted},
    {"list-designs", no_argument, nullptr, list_wanted},
    {nullptr, 0, nullptr, 0},
};

template <class Number>
Number number(std::string_view option, std::string_view text, Number least, Number most)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
        throw BadRequest{"--" + std::string(option) + " takes a number from " + std::to_string(least) +
                         " to " + std::to_string(most) + ", not '" + std::string(text) + "'."};
    return value;
}

// "a,b,c"
std::vector<std::string> names(std::string_view text)
{
    std::vector<std::string> found;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string_view name = text.substr(at, end - at);
        if (name.empty() || name.front() == '-' ||
            name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._") !=
                std::string_view::npos)
            throw BadRequest{"--hosts takes names of machines with commas between, not '" +
                             std::string(text) + "'."};
        found.emplace_back(name);
        at = end + 1;
    }
    return found;
}

void take(NxrunOptions& options, int which)
{
    const std::string_view text = optarg != nullptr ? optarg : "";
    switch (which) {
    case 'n': options.nodes = number<unsigned>("nodes", text, 1, 1024); return;
    case 'd': options.design = text; return;
    case 'r': options.record = text; return;
    case 't': options.tagged = true; return;
    case hosts: options.hosts = names(text); return;
    case mpi:
        if (text != "mpich" && text != "openmpi")
            throw BadRequest{"--mpi takes mpich or openmpi, not '" + std::string(text) + "'."};
        options.mpi = text;
        return;
    case pids: options.pids = number<unsigned>("pids", text, 1, 64); return;
    case semaphore: options.semaphore = text; return;
    case host: options.hosted = options.hosted_known = true; return;
    case no_host: options.hosted = false, options.hosted_known = true; return;
    case budget: options.budget = number<std::size_t>("budget", text, 65536, std::size_t{1} << 40); return;
    case limit: options.limit_seconds = number<unsigned>("limit", text, 1, 100000000); return;
    case gang: options.gang = true; return;
    case slice: options.slice_milliseconds = number<unsigned>("slice", text, 1, 60000); return;
    case trace: options.trace = text; return;
    case trace_records: options.trace_records = number<unsigned>("trace-records", text, 16, 1u << 22); return;
    case window: options.window = text; return;
    case profile: options.profiled = true; return;
    case unreceived: options.tells_unreceived = true; return;
    case no_pin: options.pinned = false; return;
    case dispatch:
        if (text != "virtual" && text != "static")
            throw BadRequest{"--dispatch takes virtual or static, not '" + std::string(text) + "'."};
        options.statically = text == "static";
        return;
    case widest_move:
        if (text != "16" && text != "32" && text != "64")
            throw BadRequest{"--widest-move takes 16, 32 or 64, not '" + std::string(text) + "'."};
        options.widest_move = number<unsigned>("widest-move", text, 16, 64);
        return;
    case list_wanted: list_designs(std::cout); std::exit(0);
    case help_wanted: std::cout << help; std::exit(0);
    case version_wanted: std::cout << "nxrun " << version << '\n'; std::exit(0);
    }
}

// What getopt_long() has stopped at: a value that is missing (':'), or a word that it does not know.
[[noreturn]] void refuse(int which, const char* word)
{
    const std::string asked = word;
    if (which == ':')
        throw BadRequest{"A value is missing behind " + asked + " (nxrun --help says which)."};
    messaging::NearestName nearest(std::string_view(asked).substr(asked.starts_with("--") ? 2 : 0));
    for (const option& one : known)
        if (one.name != nullptr)
            nearest.consider(one.name);
    const std::string hint = nearest.is_near() ? "did you mean --" + std::string(nearest.best()) + "?"
                                               : "nxrun --help lists them.";
    throw BadRequest{"There is no such option: " + asked + "; " + hint};
}

std::string name_of(int which)
{
    const auto* const found =
        std::ranges::find_if(known, [which](const option& one) { return one.val == which; });
    return std::string("--") + found->name;
}

// A value that looks like an option is one whose value was forgotten: files and designs have no such names.
void check_value(int which, bool is_word_of_its_own)
{
    const std::string_view text = optarg != nullptr ? optarg : "";
    if (!is_word_of_its_own || text.size() < 2 || text.front() != '-')
        return;
    if (which == trace || which == 'r')
        throw BadRequest{"The name of a file is missing behind " + name_of(which) + ": " + std::string(text) +
                         " is an option (a file of that name is ./" + std::string(text) + ")."};
    if (which == 'd' || which == semaphore || which == dispatch || which == mpi || which == hosts ||
        which == window)
        throw BadRequest{"A value is missing behind " + name_of(which) + ": " + std::string(text) +
                         " is an option (nxrun --help says which)."};
}

// Whether what is written to one would take the place of what is written to the other.
bool are_one_file(const std::string& path, const std::string& other)
{
    std::error_code ignored;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(path, ignored);
    return whole == std::filesystem::weakly_canonical(other, ignored) &&
           !std::filesystem::is_other(whole, ignored);
}

// Which options were given, to say of each that has no effect why.
class GivenOptions {
public:
    void note(int which)
    {
        if (!all_.insert(which).second)
            throw BadRequest{name_of(which) + " is given twice: leave one of them out."};
    }

    void check(const NxrunOptions& options) const
    {
        needs(window, !options.trace.empty(), "says what a picture shows: say --trace FILE.svg, too");
        needs(slice, options.gang, "says how long a turn of --gang lasts: say --gang, too");
        needs(trace_records, !options.trace.empty(),
              "says how many records of --trace are kept: say --trace FILE, too");
        needs(mpi, !options.hosts.empty(), "says whose mpirun --hosts starts: say --hosts, too");
        if (all_.contains(host) && all_.contains(no_host))
            throw BadRequest{"--host and --no-host exclude each other: leave one of them out."};
        if (!options.trace.empty() && are_one_file(options.trace, options.record))
            throw BadRequest{"--record and --trace name one file, " + options.trace +
                             ": one of them needs another name."};
    }

private:
    void needs(int which, bool has_effect, const char* sentence) const
    {
        if (all_.contains(which) && !has_effect)
            throw BadRequest{name_of(which) + " " + sentence + "."};
    }

    std::set<int> all_;
};

// As mpirun has it. getopt takes -np for an -n whose value is p, in one word.
bool is_np(int which, char** words) { return which == 'n' && std::string_view(words[optind - 1]) == "-np"; }

} // namespace

NxrunOptions parse_options(int count, char** words)
{
    NxrunOptions options;
    GivenOptions given;
    opterr = 0;
    for (int which = 0; (which = getopt_long(count, words, "+:n:d:r:t", known, nullptr)) != -1;) {
        if (which == '?' || which == ':')
            refuse(which, words[optind - 1]);
        if (is_np(which, words)) {
            if (optind == count)
                refuse(':', "-np");
            optarg = words[optind++];
        }
        given.note(which);
        check_value(which, words[optind - 1] == optarg);
        take(options, which);
    }
    given.check(options);
    options.command.assign(words + optind, words + count);
    options.command_word = words[optind];
    if (options.command.empty())
        throw BadRequest{"Which program? nxrun -n 4 ./program (nxrun --help says more)."};
    return options;
}

} // namespace parley::native
