// SPDX-License-Identifier: MIT
#include "kernel/job/shares.hpp"

namespace parley::kernel {

void share_memory(std::span<const JobConfiguration> jobs, std::size_t memory, std::span<Share> into)
{
    const std::size_t for_all = memory - memory / 16;
    std::size_t unsized_jobs = 0;
    for (const JobConfiguration& job : jobs)
        unsized_jobs += job.memory_bytes == 0 ? 1 : 0;
    const std::size_t least_of_others = unsized_jobs * Share::least;
    std::size_t given = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const std::size_t wanted = jobs[i].memory_bytes;
        into[i] = {wanted, least_of_others + given + wanted, for_all};
        if (wanted != 0 && into[i].fits())
            given += wanted;
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (jobs[i].memory_bytes == 0)
            into[i] = {(for_all - given) / unsized_jobs, least_of_others, for_all};
    }
}

} // namespace parley::kernel
