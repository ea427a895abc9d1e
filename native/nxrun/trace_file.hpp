// SPDX-License-Identifier: MIT
// Writes the trace of a job to a file (nxrun --trace), in the frames that a booted machine sends
// (interface/results.h), so that one reader reads both. A picture is drawn by nxtrace, which lies beside
// nxrun.
#pragma once

#include "native/nxrun/job_trace.hpp"
#include "native/nxrun/options.hpp"
#include "native/nxrun/output_file.hpp"
#include "native/nxrun/record.hpp"

#include <optional>
#include <string>

namespace parley::native {

class TraceFile {
public:
    // `name` as the user gave it. Throws BadRequest when it can be seen now that there will be no file.
    TraceFile(const std::string& name, const std::string& window);

    // Writes the file whole or not at all, and says on standard error what came of it. False: there is no
    // file.
    bool write(const Record& record, const JobTrace& trace) const;

    // Throws BadRequest when what the user gave can be no trace's name, or no window.
    static void check_words(const std::string& name, const std::string& window);

private:
    bool draw(int frames) const;

    const std::string name_;
    const std::string window_;
    std::string drawer_;             // nxtrace's path; empty: the frames themselves are wanted
    std::optional<OutputFile> file_; // of the frames, then
};

} // namespace parley::native
