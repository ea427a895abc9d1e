// SPDX-License-Identifier: MIT
// Starting programs in places that are empty: load().
#include "base/text.hpp"
#include "kernel/job/cube.hpp"
#include "kernel/job/job.hpp"
#include "kernel/job/words.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/report/console.hpp"

namespace parley::kernel {

namespace {

// Fortran's texts end in blanks.
std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    return text;
}

// As it was given, or, since folders of another machine mean nothing here, by its last name.
std::span<const std::byte> find_program(const Archive& archive, std::string_view file)
{
    std::string_view last = file;
    last.remove_prefix(file.rfind('/') + 1); // nothing, when there is no folder
    const std::string_view names[] = {file, last};
    for (const std::string_view name : names) {
        for (const std::string_view folder : {std::string_view("bin/"), std::string_view("files/")}) {
            Text<300> path;
            path << folder << name;
            if (const auto found = archive.find(path.view()))
                return found->bytes;
        }
    }
    return {};
}

// Held by one process at a time, which may take long.
class Turn {
public:
    explicit Turn(std::atomic<bool>& taken) : taken_(taken)
    {
        while (taken_.exchange(true, std::memory_order_acquire))
            give_way_once();
    }
    ~Turn() { taken_.store(false, std::memory_order_release); }
    Turn(const Turn&) = delete;

private:
    std::atomic<bool>& taken_;
};

} // namespace

// The row of processes, one a node, that has this pid: by number, by a name it got, or one that may get it.
Result<unsigned> Cube::row_for(int pid)
{
    const unsigned rows = job_.configuration().pids;
    if (pid < 0)
        return std::unexpected(Error::bad_process);
    for (unsigned row = 0; row < rows; ++row) {
        if (pid_of_row_[row] == pid + 1)
            return row;
    }
    if (static_cast<unsigned>(pid) < rows)
        return static_cast<unsigned>(pid);
    for (unsigned row = 0; row < rows; ++row) {
        if (pid_of_row_[row] == 0 && check_places(row, -1)) {
            pid_of_row_[row] = pid + 1;
            return row;
        }
    }
    return std::unexpected(Error::bad_process);
}

Result<void> Cube::check_places(unsigned row, int node)
{
    const auto nodes = static_cast<int>(job_.configuration().nodes);
    for (int at = 0; at < nodes; ++at) {
        const UserProcess& process =
            *job_.process(row * static_cast<unsigned>(nodes) + static_cast<unsigned>(at));
        if ((node == -1 || node == at) && place_of(process).life.standing() != Standing::empty)
            return std::unexpected(Error::pid_in_use);
    }
    return {};
}

// `rest` is what follows the name: each argument behind a zero.
Loaded<void> Cube::place_program(unsigned row, Chosen chosen, std::string_view file, std::string_view rest)
{
    const std::span<const std::byte> bytes = find_program(kernel().archive, file);
    if (bytes.empty())
        return refuse("there is no such program: put it beside the host's, or into the FILES folder",
                      Error::not_found);
    const auto nodes = static_cast<int>(job_.configuration().nodes);
    for (int node = 0; node < nodes; ++node) {
        if (chosen.node != -1 && chosen.node != node)
            continue;
        UserProcess& process =
            *job_.process(row * static_cast<unsigned>(nodes) + static_cast<unsigned>(node));
        process.pid = chosen.pid;
        const Loaded<void> loaded = job_.load(process, bytes, file, rest);
        if (!loaded) {
            job_.clear_domain(process);
            return loaded;
        }
        job_.messages().open(process.endpoint);
        (void)job_.messages().set_pid(process.endpoint, chosen.pid);
        place_of(process).life.place();
    }
    return {};
}

Result<std::uint64_t> Cube::load(UserProcess& caller, std::string_view words, Chosen chosen)
{
    const auto nodes = static_cast<int>(job_.configuration().nodes);
    if (!keeps(caller))
        return std::unexpected(Error::not_permitted);
    if (chosen.node < -1 || chosen.node >= nodes)
        return std::unexpected(Error::bad_node);
    const Turn turn(loading_);
    const unsigned row = TRY(row_for(chosen.pid));
    TRY_VOID(check_places(row, chosen.node));
    const std::string_view name = before_zero(words);
    const std::string_view file = trimmed(name);
    words.remove_prefix(name.size());
    const Loaded<void> loaded = place_program(row, chosen, file, words);
    if (loaded)
        return row * static_cast<unsigned>(nodes) +
               static_cast<unsigned>(chosen.node == -1 ? 0 : chosen.node);
    Text<400> line;
    line << "parley: job " << job_.configuration().name << ": load(\"" << file
         << "\"): " << loaded.error().sentence << '\n';
    console().write(line.view());
    return std::unexpected(loaded.error().error);
}

} // namespace parley::kernel
