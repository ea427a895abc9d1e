// SPDX-License-Identifier: MIT
#include "kernel/report/symbols.hpp"

namespace parley::kernel {

namespace {

struct FunctionEntry {
    std::uint32_t offset; // from the start of the text, ascending
    std::uint32_t name;   // offset in the texts
};
struct LineEntry {
    std::uint32_t offset;
    std::uint32_t file;
    std::uint32_t line;
};

extern "C" {
extern const std::uint32_t symbol_function_count, symbol_line_count;
extern const FunctionEntry symbol_functions[];
extern const LineEntry symbol_lines[];
extern const char symbol_texts[];
extern const char text_start[], text_end[];
}

// The last entry at or before `offset`, or null.
template <class Entry>
const Entry* last_before(const Entry* entries, std::uint32_t count, std::uint32_t offset)
{
    std::uint32_t low = 0;
    while (count > 0) {
        const std::uint32_t half = count / 2;
        if (entries[low + half].offset <= offset) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low == 0 ? nullptr : &entries[low - 1];
}

} // namespace

SourceLocation find_source(std::uint64_t address)
{
    const auto start = reinterpret_cast<std::uint64_t>(text_start);
    if (address < start || address >= reinterpret_cast<std::uint64_t>(text_end))
        return {};
    const auto offset = static_cast<std::uint32_t>(address - start);
    SourceLocation location;
    if (const auto* function = last_before(symbol_functions, symbol_function_count, offset))
        location.function = symbol_texts + function->name;
    if (const auto* line = last_before(symbol_lines, symbol_line_count, offset)) {
        location.file = symbol_texts + line->file;
        location.line = line->line;
    }
    return location;
}

} // namespace parley::kernel
