// SPDX-License-Identifier: MIT
#include "native/nxrun/job_ending.hpp"

#include "native/nxrun/processes.hpp"

#include <sys/wait.h>

namespace parley::native {

bool JobEnding::begin(JobEnd how, const std::string& sentence, const std::string& report)
{
    if (begun_)
        return false;
    begun_ = true;
    verdict_.end(how, sentence, report);
    return true;
}

JobEnding::Meaning JobEnding::rank_ended(const Place& place, int status,
                                         const std::optional<std::string>& lost)
{
    const bool exited = WIFEXITED(status);
    const int exit_status = exit_status_of(status);
    jobs::Roster& roster = places_.roster();
    const bool by_own_job = roster.removed(place.endpoint);
    const bool removed = by_own_job || begun_;
    bool is_last = false;
    {
        const LockGuard guard(roster.lock());
        is_last = roster.ended(place.endpoint, exit_status);
    }
    const std::string did = !place.fault.empty() ? place.fault
                            : exited             ? "exited with status " + std::to_string(exit_status)
                                                 : "was ended by " + name_of_signal(status);
    if (is_for_programs(place.role)) {
        const std::string reason = by_own_job                      ? "ended by its own job"
                                   : begun_                        ? "ended with its job"
                                   : exited && place.fault.empty() ? ""
                                                                   : did;
        record_.processes.push_back(
            {place.node, roster.pid_of(place.endpoint), removed ? 0 : exit_status, reason});
    }
    if (!removed && exit_status != 0)
        verdict_.rank_failed(places_.name_of(place) + " " + did);
    if (lost)
        return {lost, is_last};
    if (!removed && !exited)
        return {"", is_last};
    return {{}, is_last};
}

void JobEnding::complete_record() const
{
    record_.end = verdict_.how();
    record_.sentence = verdict_.sentence();
}

} // namespace parley::native
