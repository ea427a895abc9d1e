// SPDX-License-Identifier: MIT
#include "testing/catch.hpp"

#include <string>

extern "C" {
#include "apps/simplex/generated.h"
#include "apps/simplex/mps.h"
}

namespace {

std::string text_of(const generated& made)
{
    char* letters = nullptr;
    std::size_t length = 0;
    FILE* out = open_memstream(&letters, &length);
    generated_write(&made, out);
    std::fclose(out);
    std::string text(letters, length);
    std::free(letters);
    return text;
}

} // namespace

TEST_CASE("a made-up problem is the one that its text says")
{
    const generated made{7, 12, 3};
    const std::string text = text_of(made);
    problem read;
    problem told;
    problem_make(&read);
    problem_make(&told);
    REQUIRE(mps_read(&read, "a.mps", text.data(), static_cast<long>(text.size()), mps_fixed) == nullptr);
    generated_problem(&made, &told);
    CHECK(told.objective == read.objective);
    REQUIRE(told.row_names.count == read.row_names.count);
    for (long row = 0; row < read.row_names.count; ++row) {
        CHECK(std::string{told.row_names.all[row]} == read.row_names.all[row]);
        CHECK(told.rows[row].relation == read.rows[row].relation);
        CHECK(told.rows[row].right_side == read.rows[row].right_side);
    }
    REQUIRE(told.column_names.count == read.column_names.count);
    for (long column = 0; column < read.column_names.count; ++column) {
        CHECK(std::string{told.column_names.all[column]} == read.column_names.all[column]);
        CHECK(told.columns[column].first_entry == read.columns[column].first_entry);
    }
    REQUIRE(told.entry_count == read.entry_count);
    for (long entry = 0; entry < read.entry_count; ++entry) {
        CHECK(told.entries[entry].row == read.entries[entry].row);
        CHECK(told.entries[entry].value == read.entries[entry].value);
    }
    problem_free(&read);
    problem_free(&told);
}

TEST_CASE("another seed makes another problem")
{
    CHECK(text_of({3, 3, 1}) == text_of({3, 3, 1}));
    CHECK(text_of({3, 3, 1}) != text_of({3, 3, 2}));
}
