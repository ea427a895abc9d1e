// SPDX-License-Identifier: MIT
#include "userlib/loops/cedar/common_blocks.hpp"

#include "userlib/loops/cedar/cluster_tasks.hpp"

#include <cstring>

namespace parley::loops {

// Its data follow it.
struct alignas(line_bytes) CommonBlocks::Block {
    Block* next;
    std::uint64_t bytes;
    int home;
    unsigned cluster;
    std::size_t name_bytes;
    char name[longest_name];

    std::size_t all_bytes() const { return sizeof(Block) + bytes; }
};

CommonBlocks::Block* CommonBlocks::find(unsigned cluster, std::string_view name) const
{
    Block* block = first_[cluster % lists].load(std::memory_order_acquire);
    while (block != nullptr &&
           (block->cluster != cluster || std::string_view(block->name, block->name_bytes) != name))
        block = block->next;
    return block;
}

CommonBlocks::Block* CommonBlocks::find_or_make(unsigned cluster, std::string_view name, std::uint64_t bytes)
{
    name = name.substr(0, longest_name);
    if (Block* const found = find(cluster, name); found != nullptr)
        return found;
    const Holding holding(lock_);
    if (Block* const found = find(cluster, name); found != nullptr)
        return found;
    const int home = home_of_cluster(cluster);
    auto* const block = static_cast<Block*>(take_memory(home, sizeof(Block) + bytes));
    if (block == nullptr)
        return nullptr;
    Atomic<Block*>& first = first_[cluster % lists];
    *block = {first.load(std::memory_order_relaxed), bytes, home, cluster, name.size(), {}};
    std::memcpy(block->name, name.data(), name.size());
    first.store(block, std::memory_order_release);
    return block;
}

void CommonBlocks::drop_all()
{
    for (Atomic<Block*>& first : first_)
        while (Block* const block = first.load(std::memory_order_relaxed)) {
            first.store(block->next, std::memory_order_relaxed);
            give_memory_back(block->home, block, block->all_bytes());
        }
}

void* CommonBlocks::data(Block& block) { return &block + 1; }
std::uint64_t CommonBlocks::bytes(const Block& block) { return block.bytes; }

} // namespace parley::loops
