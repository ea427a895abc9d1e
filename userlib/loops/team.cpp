// SPDX-License-Identifier: MIT
#include "userlib/loops/team.hpp"

#include <new>

namespace parley::loops {

// One piece of memory: the team, its wait, its barrier, and lines for each thread: its
// place, the barrier's, and each loop's.
Team* Team::create(unsigned threads, unsigned all_threads, const Choice& choice, bool crowded, int home)
{
    const auto in_lines = [](std::size_t bytes) {
        return (bytes + line_bytes - 1) / line_bytes * line_bytes;
    };
    const std::size_t wait_bytes = in_lines(choice.wait.kind->bytes);
    const std::size_t barrier_bytes = in_lines(choice.barrier.kind->bytes);
    const std::size_t lines_bytes = threads * line_bytes;
    const std::size_t all = in_lines(sizeof(Team)) + wait_bytes + barrier_bytes + (2 + loops) * lines_bytes;
    auto* address = static_cast<std::byte*>(take_memory(home, all));
    if (address == nullptr)
        return nullptr;

    Team* const team = new (address) Team();
    address += in_lines(sizeof(Team));
    team->threads_ = threads;
    team->all_threads_ = all_threads;
    team->home_ = home;
    team->bytes_ = all;
    team->wait_ = choice.wait.kind->make(address, WaitParts{crowded}, choice.wait.values);
    address += wait_bytes;
    void* const barrier = address;
    address += barrier_bytes;
    const auto lines = [&] {
        const std::span<Line> some(reinterpret_cast<Line*>(address), threads);
        address += lines_bytes;
        return some;
    };
    team->barrier_ = choice.barrier.kind->make(barrier, BarrierParts{threads, lines(), *team->wait_},
                                               choice.barrier.values);
    team->meet_ = choice.barrier.kind->meet;
    team->gather_ = choice.barrier.kind->gather;
    team->progress_of_threads_ = lines();
    for (Line& line : team->progress_of_threads_)
        line.make<Progress>();
    for (Loop& loop : team->loops_)
        loop.prepare(threads, lines().data());
    return team;
}

void Team::destroy(Team* team) { give_memory_back(team->home_, team, team->bytes_); }

} // namespace parley::loops
