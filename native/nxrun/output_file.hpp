// SPDX-License-Identifier: MIT
// Writes a file when the job is over: whole or not at all, in place of what was there. Links stay, and what
// is not a regular file (a device, a pipe) is written to.
#pragma once

#include <functional>
#include <string>

namespace parley::native {

class OutputFile {
public:
    // Tries at once whether the file can be written, which for a pipe means to wait until somebody reads, as
    // shells do. `what` names the file in the sentence: "record". Throws BadRequest.
    OutputFile(const std::string& path, const std::string& what);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Has `fill` write to a descriptor. Both answer 0 or errno.
    int write(const std::function<int(int file)>& fill) const;

private:
    std::string unfinished() const { return target_ + ".new"; }

    std::string target_; // after all links
    int through_ = -1;   // the descriptor of what is not a regular file
};

// Writes all of the text. Answers 0 or errno.
int write_all(int file, const std::string& text);

} // namespace parley::native
