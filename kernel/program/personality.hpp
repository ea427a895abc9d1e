// SPDX-License-Identifier: MIT
// What makes a process look like one of Linux to its program: heap, open files, output, random numbers, which
// all threads of the program share; and, one object a thread, what each has for itself. linux_call() serves
// one system call: all arguments come from the program and are checked there; the value is >= 0 or -errno.
#pragma once

#include "kernel/program/heap.hpp"
#include "kernel/program/open_files.hpp"
#include "kernel/program/process_control.hpp"
#include "kernel/program/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace parley::kernel {

struct PersonalityOptions {
    AddressSpace& space;
    ProcessControl& control;
    FileStore& store;
    OutputSink& sink;
    StandardInput* input; // null for all but node 0 and the host
    UserAddress heap_start;
    UserAddress heap_limit;
    std::size_t stack_bytes;
    std::uint64_t seed;
    int tag; // as for LineOutput
    std::string_view job = {};
};

// What all threads of a program share. It is used by one of them at a time, in calls between
// ProcessControl's enter_program() and leave_program(); what says otherwise never changes.
class ProgramState {
public:
    explicit ProgramState(const PersonalityOptions& options)
        : space_(options.space), output_(options.sink, options.tag, options.job),
          error_(options.sink, options.tag, options.job),
          files_(options.store, {options.input, output_, error_}),
          heap_(options.space, options.heap_start, options.heap_limit), random_(options.seed),
          stack_bytes_(options.stack_bytes), started_(options.control.nanoseconds())
    {
    }
    ProgramState(const ProgramState&) = delete;

    // Hands on what is left of the output and closes all files. Called however the program ends, when its
    // other threads have; a second call is harmless.
    void finish()
    {
        output_.finish();
        error_.finish();
        files_.close_all();
    }

    OpenFiles& files() { return files_; }
    Heap& heap() { return heap_; }
    Random& random() { return random_; }
    // These never change. A space is safe to use from several threads.
    AddressSpace& space() const { return space_; }
    std::size_t stack_bytes() const { return stack_bytes_; }
    // When the program began, in nanoseconds since boot. Its processor time counts from there, with waits.
    std::uint64_t started() const { return started_; }

    // Plain values that calls set and get back.
    std::uint64_t ignored_signals = 0; // bit n: signal n
    unsigned file_mask = 022;

private:
    AddressSpace& space_;
    LineOutput output_;
    LineOutput error_;
    OpenFiles files_;
    Heap heap_;
    Random random_;
    const std::size_t stack_bytes_;
    const std::uint64_t started_;
};

class Personality {
public:
    // A thread of the program. `control`: the thread's own.
    Personality(ProgramState& program, ProcessControl& control) : program_(program), control_(control) { }
    Personality(const Personality&) = delete;

    ProgramState& program() { return program_; }
    ProcessControl& control() { return control_; }
    AddressSpace& space() { return program_.space(); }
    OpenFiles& files() { return program_.files(); }
    Heap& heap() { return program_.heap(); }
    Random& random() { return program_.random(); }
    std::size_t stack_bytes() const { return program_.stack_bytes(); }
    std::uint64_t started() const { return program_.started(); }
    // A piece of kernel memory between user memory and files, off the kernel's small stacks.
    std::span<std::byte> bounce() { return bounce_; }

    // Plain values that calls set and get back.
    std::uint64_t blocked_signals = 0; // as the program last said; none ever comes

private:
    ProgramState& program_;
    ProcessControl& control_;
    std::array<std::byte, 4096> bounce_;
};

LinuxValue linux_call(Personality& personality, long number, const long (&arguments)[6]);

// "" for a call that is not in the table.
std::string_view linux_call_name(long number);

} // namespace parley::kernel
