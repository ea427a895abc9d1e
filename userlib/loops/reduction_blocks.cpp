// SPDX-License-Identifier: MIT
#include "userlib/loops/reduction_blocks.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace parley::loops {

namespace {

// Whether another one follows that began together with it.
bool is_last(ReductionBlock& block) { return block.outer == 0 || block.next()->is_first != 0; }

void* at(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

ReductionBlock::Variable* variable(ReductionBlock& block, std::uintptr_t address)
{
    ReductionBlock::Variable* const end = block.variables() + block.count;
    ReductionBlock::Variable* const found =
        std::find_if(block.variables(), end, [&](const auto& one) { return one.address == address; });
    return found == end ? nullptr : found;
}

} // namespace

bool make_copies(ReductionBlock& first, unsigned threads)
{
    for (ReductionBlock* block = &first; block != nullptr; block = block->next()) {
        const std::size_t bytes = block->bytes * threads;
        const std::size_t alignment = std::max<std::size_t>(block->copies, sizeof(void*));
        void* const copies = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
        block->is_first = 0;
        block->copies = reinterpret_cast<std::uintptr_t>(copies);
        block->end = block->copies + bytes;
        if (copies == nullptr) {
            block->outer = 0;
            give_copies_back(first);
            return false;
        }
        std::memset(copies, 0, bytes);
    }
    return true;
}

void take_copies(ReductionBlock& own, ReductionBlock& theirs)
{
    ReductionBlock *block = &own, *from = &theirs;
    for (;;) {
        block->copies = from->copies;
        block->end = from->end;
        block->is_first = 0;
        if (block->next() == nullptr)
            return;
        block = block->next();
        from = from->next();
    }
}

void give_copies_back(ReductionBlock& first)
{
    for (ReductionBlock* block = &first;; block = block->next()) {
        std::free(at(block->copies));
        if (is_last(*block))
            return;
    }
}

void begin_reductions(TaskGroup& group, ReductionBlock& first)
{
    ReductionBlock* last = &first;
    while (last->next() != nullptr)
        last = last->next();
    last->outer = reinterpret_cast<std::uintptr_t>(group.reductions);
    first.is_first = 1;
    group.reductions = &first;
}

// What began last comes first.
Reduced reduced(ReductionBlock* blocks, const void* address, unsigned thread)
{
    const auto wanted = reinterpret_cast<std::uintptr_t>(address);
    for (ReductionBlock* block = blocks; block != nullptr; block = block->next())
        if (const ReductionBlock::Variable* const found = variable(*block, wanted))
            return {at(block->copies + thread * block->bytes + found->offset), at(found->address)};
    for (ReductionBlock* block = blocks; block != nullptr; block = block->next())
        if (block->has(wanted)) {
            const std::uintptr_t offset = (wanted - block->copies) % block->bytes;
            const ReductionBlock::Variable* const end = block->variables() + block->count;
            const auto* const found =
                std::find_if(static_cast<const ReductionBlock::Variable*>(block->variables()), end,
                             [&](const ReductionBlock::Variable& one) { return one.offset == offset; });
            return {at(block->copies + thread * block->bytes + offset),
                    found == end ? nullptr : at(found->address)};
        }
    return {nullptr, nullptr};
}

} // namespace parley::loops
