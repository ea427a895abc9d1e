// SPDX-License-Identifier: MIT
// Collects the reports of all machines on what their ranks wait for, when their job is about to end.
#pragma once

#include "native/nxrun/record.hpp"

#include <string>
#include <utility>
#include <vector>

namespace parley::native {

class LastReports {
public:
    // `how` and `sentence` describe the end. After so many `looks` the job ends without the missing reports.
    LastReports(JobEnd how, std::string sentence, unsigned machines, unsigned looks)
        : how_(how), sentence_(std::move(sentence)), reports_(machines), left_(machines), looks_(looks)
    {
    }

    // Adds a machine's report; each machine sends one. True: it was the last.
    bool add(unsigned machine, const std::string& report)
    {
        if (machine >= reports_.size())
            return false;
        reports_[machine] = report;
        return --left_ == 0;
    }
    // Counts a look. True: there is no more time.
    bool look() { return --looks_ == 0; }

    JobEnd how() const { return how_; }
    const std::string& sentence() const { return sentence_; }
    // The reports that have come, in the order of the machines.
    std::string reports() const
    {
        std::string all;
        for (const std::string& report : reports_)
            all += report;
        return all;
    }

private:
    const JobEnd how_;
    const std::string sentence_;
    std::vector<std::string> reports_;
    unsigned left_;
    unsigned looks_;
};

} // namespace parley::native
