// SPDX-License-Identifier: MIT
// On which processors this machine's ranks run: each on one of its own, where there are enough for all and
// nobody has asked for anything else. Machines of a job may share a computer, and then its processors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace parley::native {

// The processes of a job on one computer.
struct Crowd {
    unsigned processes = 0; // those of other machines of the job on that computer included
    unsigned before = 0;    // those of machines with a lower number
};

class ProcessorShare {
public:
    // `usable`: numbers of those that nxrun may use. `processes`: of this machine, which is alone on its
    // computer until share().
    ProcessorShare(std::vector<int> usable, bool pinned, unsigned processes)
        : usable_(std::move(usable)), pinned_(pinned), crowd_{processes, 0}
    {
    }

    void share(const Crowd& crowd) { crowd_ = crowd; }

    unsigned count() const { return static_cast<unsigned>(usable_.size()); }
    unsigned processes() const { return crowd_.processes; }
    // Whether processes have to share processors.
    bool are_crowded() const { return crowd_.processes > usable_.size(); }
    // How many processes share each processor; 0: each has its own.
    unsigned sharers() const
    {
        const unsigned processors = std::max(count(), 1u);
        return are_crowded() ? (crowd_.processes + processors - 1) / processors : 0;
    }
    // The processor of the process with that number among this machine's; -1: any.
    int of(unsigned number) const { return pinned_ && !are_crowded() ? usable_[crowd_.before + number] : -1; }
    // All processors that so many processes use. Processes that are not pinned may run on any.
    std::vector<int> used_by(std::size_t processes) const
    {
        std::vector<int> used = usable_;
        if (pinned_ && processes < used.size())
            used.resize(processes);
        return used;
    }

private:
    const std::vector<int> usable_;
    const bool pinned_;
    Crowd crowd_;
};

} // namespace parley::native
