// SPDX-License-Identifier: MIT
// A file's contents in chunks of one page, reached over two levels of tables that are chunks themselves: at
// most 1 GiB. Where no chunk is, an original may show through; a chunk is made from it at the first write
// there. Chunks come from a pool that takes them from an arena and keeps the freed ones. It has no lock: the
// file store's guards it.
#pragma once

#include "base/arena.hpp"

#include <cstddef>
#include <span>

namespace parley::kernel {

class ChunkPool {
public:
    static constexpr std::size_t chunk_bytes = 4096;

    explicit ChunkPool(Arena& arena) : arena_(arena) { }
    ChunkPool(const ChunkPool&) = delete;

    static constexpr std::size_t fan_out = chunk_bytes / sizeof(void*);

    // A chunk of pointers to chunks, null where there is none.
    struct Table {
        std::byte* chunks[fan_out];
    };

    Result<std::byte*> take(); // zeroed
    void give(std::byte* chunk);
    // A table and all its chunks, in one step: they are taken apart when they are needed, so that giving back
    // the largest file takes no longer than its root has entries.
    void give(Table* table);

private:
    struct Free {
        Free* next;
    };
    Arena& arena_;
    Free* free_ = nullptr;
    Table* tables_ = nullptr; // whole ones, linked through their first entry
};

class ChunkTree {
public:
    static constexpr std::size_t fan_out = ChunkPool::fan_out;
    static constexpr std::size_t max_bytes = fan_out * fan_out * ChunkPool::chunk_bytes;

    ChunkTree() = default;
    explicit ChunkTree(std::span<const std::byte> original) : original_(original) { }

    // Holes read as zeroes. The range must lie below max_bytes.
    void read(std::size_t offset, std::span<std::byte> into) const;
    // Error::no_memory; what was written until then stays.
    Result<void> write(ChunkPool& pool, std::size_t offset, std::span<const std::byte> from);
    // Gives back everything from `offset` on; what is written there later starts out as zeroes.
    void cut(ChunkPool& pool, std::size_t offset);
    // Where contents are stored at `offset` or, if that is in a hole, next behind it; max_bytes: nowhere.
    std::size_t next_stored(std::size_t offset) const;

private:
    using Table = ChunkPool::Table;
    struct Root {
        Table* tables[fan_out];
    };
    const std::byte* find(std::size_t offset) const;
    Result<std::byte*> reach(ChunkPool& pool, std::size_t offset);

    void read_original(std::size_t offset, std::span<std::byte> into) const;

    std::span<const std::byte> original_;
    Root* root_ = nullptr;
};

} // namespace parley::kernel
