// SPDX-License-Identifier: MIT
// Says how a job has ended, and why: names its first cause, whatever came of it afterwards.
#pragma once

#include "native/nxrun/record.hpp"

#include <string>

namespace parley::native {

class Verdict {
public:
    // A rank has failed by itself: "node 1 exited with status 3".
    void rank_failed(const std::string& what);
    // The job ends; called once. `sentence` says why, and the lines of `report` what its ranks were doing. A
    // deadlock or a limit that comes after a rank has failed tells what became of the others.
    void end(JobEnd how, const std::string& sentence, const std::string& report = {});

    JobEnd how() const { return how_; }
    // Empty: all went well.
    std::string sentence() const;

private:
    JobEnd how_ = JobEnd::success;
    std::string first_; // cause
    unsigned others_ = 0;
    std::string rest_; // what became of the others, or the whole sentence
};

} // namespace parley::native
