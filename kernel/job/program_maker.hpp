// SPDX-License-Identifier: MIT
// Makes the programs that load() wants in places that are empty, from the archive, and takes them back:
// jobs/loading.hpp says when.
#pragma once

#include "base/result.hpp"
#include "kernel/program/failure.hpp"

#include <atomic>
#include <cstddef>
#include <span>
#include <string_view>

namespace parley::kernel {

class Job;

class ProgramMaker {
public:
    // For taking back alone.
    explicit ProgramMaker(Job& job) : job_(job) { }
    // The words are a program's name and its arguments, with zeros between them.
    ProgramMaker(Job& job, std::string_view words, int pid);

    // Errors: not_found, bad_executable, bad_argument, no_memory.
    Result<void> make(unsigned endpoint);
    // Messages may come to it.
    void open(unsigned endpoint);
    void take_back(unsigned endpoint);
    // If there was an error, says on the console why.
    void tell_refusal() const;

private:
    Job& job_;
    int pid_ = 0;
    std::string_view file_;
    std::string_view rest_; // each argument behind a zero
    std::span<const std::byte> program_;
    std::string_view refusal_; // empty: none
};

// Held by one process at a time, which may take long.
class Turn {
public:
    explicit Turn(std::atomic<bool>& taken);
    ~Turn() { taken_.store(false, std::memory_order_release); }
    Turn(const Turn&) = delete;

private:
    std::atomic<bool>& taken_;
};

} // namespace parley::kernel
