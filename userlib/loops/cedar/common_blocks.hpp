// SPDX-License-Identifier: MIT
// CLUSTER COMMON: blocks of memory by name, of which each cluster task has its own. The main task is one on
// each cluster, as a process of Xylem's has a task there that takes part in its SDOALLs.
#pragma once

#include "userlib/loops/word_lock.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace parley::loops {

class CommonBlocks {
public:
    // The block of that name that a task has on that cluster, made when it first asks, of so many zeros in
    // the cluster's memory. Null: there is no room.
    struct Block;
    Block* find_or_make(unsigned cluster, std::string_view name, std::uint64_t bytes);

    // Gives all blocks back. Called when nobody asks for one any more.
    void drop_all();

    static void* data(Block& block);
    static std::uint64_t bytes(const Block& block);

private:
    static constexpr unsigned lists = 8;
    static constexpr std::size_t longest_name = 64; // of Fortran's names: 63

    Block* find(unsigned cluster, std::string_view name) const;

    WordLock lock_;                    // of who makes one; others look without it
    Atomic<Block*> first_[lists] = {}; // by cluster
};

} // namespace parley::loops
