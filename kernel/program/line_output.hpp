// SPDX-License-Identifier: MIT
// A process's standard output or error: collects it and hands on whole lines, so that lines of several
// processes never mix; a line that is too long goes out in parts. Used by one process only; the sink is
// shared and guards itself.
#pragma once

#include <cstddef>
#include <string_view>

namespace parley::kernel {

class OutputSink {
public:
    // A line with its newline, or a part of one that is too long.
    virtual void write(std::string_view lines) = 0;

protected:
    ~OutputSink() = default;
};

class LineOutput {
public:
    static constexpr std::size_t capacity = 4096;
    static constexpr int no_tag = -1;

    // `tag`: the node number that "[node] " in front of each line shows, or no_tag. `job`: its name, which
    // stands there too where jobs run together; it must outlive the output.
    LineOutput(OutputSink& sink, int tag, std::string_view job = {}) : sink_(sink), tag_(tag), job_(job) { }
    LineOutput(const LineOutput&) = delete;

    void append(std::string_view text);
    // Ends an unfinished last line, with the newline it lacks. Harmless when there is none.
    void finish();

private:
    void put(char character);
    void begin_line();
    void hand_on();

    OutputSink& sink_;
    const int tag_;
    const std::string_view job_;
    bool line_begins_ = true;
    std::size_t length_ = 0;
    char line_[capacity];
};

} // namespace parley::kernel
