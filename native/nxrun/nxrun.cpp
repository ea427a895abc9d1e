// SPDX-License-Identifier: MIT
// nxrun: starts an NX/2 program on this machine, one process a node.
#include "native/nxrun/hosts.hpp"
#include "native/nxrun/installation.hpp"
#include "native/nxrun/launch.hpp"
#include "native/nxrun/machine.hpp"
#include "native/nxrun/network_connection.hpp"
#include "native/nxrun/output_file.hpp"
#include "native/nxrun/printable.hpp"
#include "native/nxrun/program_file.hpp"
#include "native/nxrun/rank_output.hpp"
#include "native/nxrun/trace_file.hpp"
#include "native/nxrun/turns.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <unistd.h>

using namespace parley::native;

namespace {

// The message library lies beside nxrun: ../lib/parley from where it is installed or built.
int open_library(bool statically, bool traced)
{
    const std::string file =
        installed_file(std::string("lib/parley/") + (statically ? "messages-static" : "messages") +
                       (traced ? "-traced" : ""));
    const int descriptor = open(file.c_str(), O_RDONLY);
    if (descriptor < 0)
        throw BadRequest{"The message library " + file + " cannot be read (" + std::strerror(errno) +
                         "): build or install it again."};
    return descriptor;
}

// What cannot be on several machines. Throws BadRequest.
void check(const NxrunOptions& options, unsigned machines)
{
    if (options.nodes < machines)
        throw BadRequest{"Of " + std::to_string(options.nodes) + " nodes not every one of " +
                         std::to_string(machines) +
                         " machines gets one: ask for more (-n) or fewer machines."};
    if (options.gang)
        throw BadRequest{"--gang takes turns on one machine's processors: leave it out on several."};
}

std::unique_ptr<Connection> connect(const std::optional<World>& world, const NxrunOptions& options,
                                    const std::string& design, const std::string& objection)
{
    if (world)
        return std::make_unique<NetworkConnection>(*world, options, design, objection);
    return std::make_unique<NoConnection>();
}

// Of standard input, output and errors those that nxrun was started without lead to nowhere. Else the next
// files that it opens would have their numbers: those of the memory that ranks share, for one.
void open_standard_files()
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file)
        if (fcntl(file, F_GETFD) < 0)
            (void)open("/dev/null", file == STDIN_FILENO ? O_RDONLY : O_WRONLY); // gets the least number
}

// What a user sees at the end. `lost`: why some of what ranks have printed could not be written, or 0.
// Answers whether all is written.
bool report(const Record& record, bool with_times, int lost)
{
    // A job that was told to end does not wait for whoever reads.
    const bool was_told = record.end == JobEnd::limit || record.end == JobEnd::interrupted;
    if (!was_told || can_be_written(STDOUT_FILENO)) {
        errno = 0;
        print(record);
        if (with_times)
            print_times(record);
        if (!std::cout)
            lost = errno;
    }
    if (lost != 0)
        std::cerr << "nxrun: what the job prints cannot be written, and some of it is lost: "
                  << std::strerror(lost) << '\n';
    if (record.rows_left_out != 0)
        std::cerr << "nxrun: The job has reported more than " << Record::most_rows
                  << " rows: " << record.rows_left_out << " are left out.\n";
    if (record.openmp)
        std::cerr << "nxrun: " << printable(record.openmp->told()) << '\n';
    if (!record.sentence.empty())
        std::cerr << "nxrun: " << printable_lines(record.sentence)
                  << (record.sentence.ends_with('\n') ? "" : "\n");
    return lost == 0;
}

int run(NxrunOptions options, char** words)
{
    const std::optional<World> world = find_world();
    const unsigned machines = world ? world->machines : 1;
    const unsigned processors = static_cast<unsigned>(usable_processors().size());
    if (!options.hosts.empty()) {
        const unsigned asked = static_cast<unsigned>(options.hosts.size());
        check(options, options.nodes == 0 ? 0 : asked);
        if (!options.trace.empty())
            TraceFile::check_words(options.trace, options.window);
        const std::string design = design_on_hosts(options, processors);
        choose_design(design, std::max(options.nodes, asked), processors, std::max(asked, 2u));
        return run_on_hosts(options, design, words);
    }
    if (options.nodes == 0)
        options.nodes = processors * machines;
    take_program(options);
    if (machines > 1)
        check(options, machines);
    const unsigned processes = options.nodes * options.pids + (options.hosted ? 1 : 0);
    // All machines must have one design, and each knows its own processors alone.
    if (options.design.empty())
        options.design = default_design(machines > 1 || options.statically ? 1 : processes, processors);
    const DesignChoice design = choose_design(options.design, processes, processors, machines);
    if (options.statically.value_or(false) && !design.has_static_row)
        throw BadRequest{"--dispatch static knows the named designs, as they are on one machine (nxrun "
                         "--list-designs), and native with a port that claims packets: leave it out, or take "
                         "one of these."};
    if (!options.statically)
        options.statically = design.has_static_row;
    std::optional<OutputFile> recorded;
    std::optional<TraceFile> trace;
    const bool is_first = !world || world->here == 0;
    std::string objection;
    if (is_first)
        try {
            if (!options.record.empty())
                recorded.emplace(options.record, "record");
            if (!options.trace.empty())
                trace.emplace(options.trace, options.window);
        } catch (const BadRequest& bad) {
            if (!world)
                throw;
            objection = bad.sentence; // the others wait for this machine: first it joins them
        }
    const std::unique_ptr<Connection> connection = connect(world, options, design.text, objection);
    Launch launch(options, design, open_library(*options.statically, options.watched()),
                  world.value_or(World{1, 0, {}}), *connection);
    const Record& record = launch.run();
    const bool printed = report(record, options.profiled && is_first, launch.output_failure());
    if (options.tells_unreceived && is_first)
        std::cerr << "nxrun: " << printable_lines(unreceived_of(record)) << '\n';
    const bool traced = !trace || trace->write(record, launch.trace());
    if (options.profiled && is_first && !trace)
        if (const std::optional<std::string> missing = launch.trace().about_missing())
            std::cerr << "nxrun: " << *missing << '\n';
    const int failure =
        recorded ? recorded->write([&](int file) { return write_all(file, text_of(record)); }) : 0;
    if (failure != 0)
        std::cerr << "nxrun: the record cannot be written to " << printable(options.record) << ": "
                  << std::strerror(failure) << '\n';
    const bool complete = printed && traced && failure == 0;
    return record.exit_status() == 0 && !complete ? 1 : record.exit_status();
}

} // namespace

int main(int count, char** words)
try {
    open_standard_files();
    if (count == 1 && std::string_view(words[0]) == Turns::keepers_name)
        return Turns::keep();
    // gfortran's units would else keep what a rank has written until it ends by itself, which not all do.
    setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "y", 0);
    return run(parse_options(count, words), words);
} catch (const BadRequest& bad) {
    // Else the first machine's nxrun tells it, whom mpirun must not end before.
    if (bad.sentence.empty())
        return 0;
    std::cerr << "nxrun: " << printable(bad.sentence) << '\n';
    return 2;
} catch (const std::bad_alloc&) {
    constexpr char line[] = "nxrun: Linux gives no memory: raise ulimit -d or ulimit -v.\n";
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
    return 2;
}
