// SPDX-License-Identifier: MIT
// The end of a job whose machines first tell what their ranks wait for, within a time.
#pragma once

#include "native/nxrun/record.hpp"

#include <string>
#include <utility>
#include <vector>

namespace parley::native {

class LastReports {
public:
    // `how` and `sentence`: of the end. `looks`: after so many it comes without the reports that are missing.
    LastReports(JobEnd how, std::string sentence, unsigned machines, unsigned looks)
        : how_(how), sentence_(std::move(sentence)), reports_(machines), left_(machines), looks_(looks)
    {
    }

    // A machine's report, once. True: it was the last.
    bool hear(unsigned machine, const std::string& report)
    {
        if (machine >= reports_.size())
            return false;
        reports_[machine] = report;
        return --left_ == 0;
    }
    // True: there is no more time.
    bool look() { return --looks_ == 0; }

    JobEnd how() const { return how_; }
    const std::string& sentence() const { return sentence_; }
    // Those that have come, in the order of the machines.
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
