// SPDX-License-Identifier: MIT
// Makes the programs that load() wants in places that are empty, from the archive.
#pragma once

#include "kernel/job/cube.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace parley::kernel {

class Job;

class ProgramMaker final : public Cube::Maker {
public:
    // The words are a program's name and its arguments, with zeros between them.
    ProgramMaker(Job& job, std::string_view words, int pid);

    Result<void> make(unsigned endpoint) override;
    Result<void> open(unsigned endpoint) override;
    // If there was an error, says on the console why.
    void tell_refusal() const;

private:
    Job& job_;
    const int pid_;
    std::string_view file_;
    std::string_view rest_; // each argument behind a zero
    std::span<const std::byte> program_;
    std::string_view refusal_; // empty: none
};

} // namespace parley::kernel
