// SPDX-License-Identifier: MIT
// nxrun: starts an NX/2 program on this machine, one process a node.
#include "native/nxrun/job.hpp"
#include "native/nxrun/machine.hpp"
#include "native/nxrun/program_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

using namespace parley::native;

namespace {

// The message library lies beside nxrun: ../lib/parley from where it is installed or built.
int open_library(bool statically)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    std::string folder(path, length > 0 ? static_cast<std::size_t>(length) : 0);
    folder.erase(std::min(folder.rfind('/'), folder.size()));
    const std::string file = folder + "/../lib/parley/" + (statically ? "messages-static" : "messages");
    const int descriptor = open(file.c_str(), O_RDONLY);
    if (descriptor < 0)
        throw BadRequest{"The message library " + file + " cannot be read (" + std::strerror(errno) +
                         "): build or install it again."};
    return descriptor;
}

int run(Options options)
{
    const unsigned processors = static_cast<unsigned>(usable_processors().size());
    if (options.nodes == 0)
        options.nodes = processors;
    take_program(options);
    const DesignChoice design =
        choose_design(options.design, options.nodes * options.pids + (options.hosted ? 1 : 0), processors);
    if (!options.record.empty() &&
        access(options.record.substr(0, options.record.rfind('/') + 1).c_str(), W_OK) != 0 &&
        options.record.find('/') != std::string::npos)
        throw BadRequest{"The record cannot be written to " + options.record + ": " + std::strerror(errno) +
                         "."};
    Job job(options, design, open_library(options.statically));
    const Record& record = job.run();
    print(record);
    if (!record.sentence.empty())
        std::cerr << "nxrun: " << record.sentence << (record.sentence.ends_with('\n') ? "" : "\n");
    if (options.record.empty() || write(record, options.record))
        return record.exit_status();
    std::cerr << "nxrun: the record cannot be written to " << options.record << ": " << std::strerror(errno)
              << '\n';
    return record.exit_status() != 0 ? record.exit_status() : 1;
}

} // namespace

int main(int count, char** words)
try {
    return run(parse_options(count, words));
} catch (const BadRequest& bad) {
    std::cerr << "nxrun: " << bad.sentence << '\n';
    return 2;
}
