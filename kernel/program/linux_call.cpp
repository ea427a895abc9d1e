// SPDX-License-Identifier: MIT
#include "kernel/program/linux_calls/calls.hpp"

namespace parley::kernel {

namespace {

struct Row {
    long number;
    std::string_view name;
    LinuxValue (*function)(Personality&, linux_calls::Arguments);
    bool uses_what_is_shared;
};

constexpr Row rows[] = {
#define SHARED_ROW(number, name) {number, #name, linux_calls::name, true},
#define APART_ROW(number, name) {number, #name, linux_calls::name, false},
    LINUX_CALLS(SHARED_ROW, APART_ROW)
#undef SHARED_ROW
#undef APART_ROW
};

constexpr std::size_t row_count = sizeof rows / sizeof rows[0];
constexpr std::size_t numbers = 512; // Linux has given out fewer

// From a call's number to its row; row_count where there is none.
constexpr auto index_of_number = [] {
    std::array<std::uint8_t, numbers> index{};
    index.fill(row_count);
    for (std::size_t row = 0; row < row_count; ++row)
        index[static_cast<std::size_t>(rows[row].number)] = static_cast<std::uint8_t>(row);
    return index;
}();

const Row* find(long number)
{
    if (number < 0 || static_cast<std::size_t>(number) >= numbers)
        return nullptr;
    const std::size_t row = index_of_number[static_cast<std::size_t>(number)];
    return row == row_count ? nullptr : &rows[row];
}

} // namespace

LinuxValue linux_call(Personality& personality, long number, const long (&arguments)[6])
{
    const Row* row = find(number);
    if (row == nullptr) {
        personality.control().note_unknown_call(number);
        return linux_error::no_such_call;
    }
    if (!row->uses_what_is_shared)
        return row->function(personality, arguments);
    if (const Result<void> entered = personality.control().enter_program(); !entered)
        return linux_value(entered.error());
    const LinuxValue value = row->function(personality, arguments);
    personality.control().leave_program();
    return value;
}

std::string_view linux_call_name(long number)
{
    const Row* row = find(number);
    return row == nullptr ? std::string_view{} : row->name;
}

} // namespace parley::kernel
