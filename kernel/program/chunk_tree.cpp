// SPDX-License-Identifier: MIT
#include "kernel/program/chunk_tree.hpp"

#include <algorithm>
#include <cstring>

namespace parley::kernel {

namespace {

constexpr std::size_t chunk_bytes = ChunkPool::chunk_bytes;

std::size_t chunk_index(std::size_t offset) { return offset / chunk_bytes % ChunkTree::fan_out; }
std::size_t table_index(std::size_t offset) { return offset / chunk_bytes / ChunkTree::fan_out; }

// How much of [offset, offset + bytes) lies in offset's chunk.
std::size_t piece(std::size_t offset, std::size_t bytes)
{
    return std::min(bytes, chunk_bytes - offset % chunk_bytes);
}

template <class Table>
Result<void> fill(ChunkPool& pool, Table*& place)
{
    if (place == nullptr)
        place = reinterpret_cast<Table*>(TRY(pool.take())); // all zeroes: null pointers
    return {};
}

} // namespace

Result<std::byte*> ChunkPool::take()
{
    if (free_ == nullptr && tables_ != nullptr) {
        Table* table = tables_;
        tables_ = reinterpret_cast<Table*>(table->chunks[0]);
        for (std::byte* chunk : std::span(table->chunks).subspan(1)) {
            if (chunk != nullptr)
                give(chunk);
        }
        give(reinterpret_cast<std::byte*>(table));
    }
    if (free_ == nullptr)
        return arena_.allocate(chunk_bytes, chunk_bytes);
    auto* chunk = reinterpret_cast<std::byte*>(free_);
    free_ = free_->next;
    std::memset(chunk, 0, chunk_bytes);
    return chunk;
}

void ChunkPool::give(std::byte* chunk)
{
    auto* free = reinterpret_cast<Free*>(chunk);
    free->next = free_;
    free_ = free;
}

void ChunkPool::give(Table* table)
{
    if (table->chunks[0] != nullptr)
        give(table->chunks[0]);
    table->chunks[0] = reinterpret_cast<std::byte*>(tables_);
    tables_ = table;
}

const std::byte* ChunkTree::find(std::size_t offset) const
{
    const Table* table =
        root_ == nullptr || offset >= max_bytes ? nullptr : root_->tables[table_index(offset)];
    return table == nullptr ? nullptr : table->chunks[chunk_index(offset)];
}

Result<std::byte*> ChunkTree::reach(ChunkPool& pool, std::size_t offset)
{
    TRY_VOID(fill(pool, root_));
    TRY_VOID(fill(pool, root_->tables[table_index(offset)]));
    Table& table = *root_->tables[table_index(offset)];
    std::byte*& chunk = table.chunks[chunk_index(offset)];
    if (chunk == nullptr) {
        chunk = TRY(pool.take());
        read_original(offset - offset % chunk_bytes, {chunk, chunk_bytes});
    }
    return chunk;
}

void ChunkTree::read_original(std::size_t offset, std::span<std::byte> into) const
{
    const std::size_t there =
        offset < original_.size() ? std::min(into.size(), original_.size() - offset) : 0;
    if (there != 0)
        std::memcpy(into.data(), original_.data() + offset, there);
    std::memset(into.data() + there, 0, into.size() - there);
}

void ChunkTree::read(std::size_t offset, std::span<std::byte> into) const
{
    while (!into.empty()) {
        const std::size_t bytes = piece(offset, into.size());
        if (const std::byte* chunk = find(offset))
            std::memcpy(into.data(), chunk + offset % chunk_bytes, bytes);
        else
            read_original(offset, into.first(bytes));
        offset += bytes;
        into = into.subspan(bytes);
    }
}

Result<void> ChunkTree::write(ChunkPool& pool, std::size_t offset, std::span<const std::byte> from)
{
    while (!from.empty()) {
        const std::size_t bytes = piece(offset, from.size());
        std::byte* chunk = TRY(reach(pool, offset));
        std::memcpy(chunk + offset % chunk_bytes, from.data(), bytes);
        offset += bytes;
        from = from.subspan(bytes);
    }
    return {};
}

void ChunkTree::cut(ChunkPool& pool, std::size_t offset)
{
    original_ = original_.first(std::min(offset, original_.size()));
    if (root_ == nullptr)
        return;
    if (std::byte* chunk = const_cast<std::byte*>(find(offset));
        chunk != nullptr && offset % chunk_bytes != 0)
        std::memset(chunk + offset % chunk_bytes, 0, chunk_bytes - offset % chunk_bytes);
    const std::size_t first = (offset + chunk_bytes - 1) / chunk_bytes;
    for (std::size_t index = first / fan_out; index < fan_out; ++index) {
        Table* table = root_->tables[index];
        if (table == nullptr)
            continue;
        const std::size_t start = index == first / fan_out ? first % fan_out : 0;
        if (start == 0) {
            pool.give(table);
            root_->tables[index] = nullptr;
            continue;
        }
        for (std::byte*& chunk : std::span(table->chunks).subspan(start)) {
            if (chunk != nullptr)
                pool.give(chunk);
            chunk = nullptr;
        }
    }
    if (first == 0) {
        pool.give(reinterpret_cast<std::byte*>(root_));
        root_ = nullptr;
    }
}

std::size_t ChunkTree::next_stored(std::size_t offset) const
{
    if (offset < original_.size() || find(offset) != nullptr)
        return offset;
    for (std::size_t index = offset / chunk_bytes + 1; root_ != nullptr && index < fan_out * fan_out;) {
        const Table* table = root_->tables[index / fan_out];
        if (table != nullptr && table->chunks[index % fan_out] != nullptr)
            return index * chunk_bytes;
        index = table == nullptr ? (index / fan_out + 1) * fan_out : index + 1;
    }
    return max_bytes;
}

} // namespace parley::kernel
