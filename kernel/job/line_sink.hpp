// SPDX-License-Identifier: MIT
// Where the lines that programs print go: the console.
#pragma once

#include "kernel/program/line_output.hpp"
#include "kernel/report/console.hpp"

namespace parley::kernel {

class LineSink final : public OutputSink {
public:
    void write(std::string_view lines) override { console().write(lines); }
};

} // namespace parley::kernel
