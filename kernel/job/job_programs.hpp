// SPDX-License-Identifier: MIT
// What the programs of a job share, files, standard input and output, and the making of a program in the
// place of a process: when the job is built, and later when load() wants another. One program is made at a
// time.
#pragma once

#include "kernel/job/line_sink.hpp"
#include "kernel/memory/window.hpp"
#include "kernel/program/archive.hpp"
#include "kernel/program/configuration.hpp"
#include "kernel/program/failure.hpp"
#include "kernel/program/file_store.hpp"
#include "kernel/program/standard_input.hpp"

#include <array>
#include <span>
#include <string_view>

struct parley_start;

namespace parley::kernel {

class Programs;
class UserProcess;

class JobPrograms {
public:
    // For the job of that number, in its window. Errors: not_found, where the archive does not hold the
    // job's program; bad_argument, where its arguments cannot be split; no_memory.
    static Loaded<JobPrograms*> create(Window& window, const Configuration& boot, unsigned job,
                                       const Archive& archive);

    FileStore& files() { return files_; }

    // Gives a process its occupation: it will run programs, and has none yet. Errors: no_memory.
    Loaded<void> admit(UserProcess& process);
    // Makes the program that the job begins with. The process lives in a domain, has been admitted, and runs
    // nothing; `start`: what its program is told. Errors: bad_executable, no_memory.
    Loaded<void> make_first(UserProcess& process, const parley_start& start);
    // As make_first(), of a program from elsewhere. Its arguments are the name, and what stands behind each
    // zero in `rest`. Errors also: bad_argument.
    Loaded<void> load(UserProcess& process, const parley_start& start, std::span<const std::byte> program,
                      std::string_view name, std::string_view rest);

private:
    friend Arena;
    struct Words {
        std::array<std::string_view, 64> words;
        std::size_t count = 0;
    };

    JobPrograms(Window& window, const Configuration& boot, const JobConfiguration& job)
        : window_(window), boot_(boot), job_(job), files_(window)
    {
    }
    Loaded<void> find_first(const Archive& archive);
    Loaded<void> add_files(const Archive& archive);
    StandardInput* input_of(const UserProcess& process);
    bool run_beside_others() const;
    Loaded<void> make(UserProcess& process, const parley_start& start, std::span<const std::byte> program,
                      const Words& arguments);

    Window& window_;
    const Configuration& boot_;
    const JobConfiguration& job_;
    LineSink sink_;
    FileStore files_;
    StandardInput input_;
    std::span<std::byte> scratch_; // where a program's first stack is composed
    std::span<const std::byte> first_;
    Words first_arguments_;
    Programs** programs_ = nullptr; // by endpoint; null: not admitted
};

} // namespace parley::kernel
