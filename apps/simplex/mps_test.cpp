// SPDX-License-Identifier: MIT
#include "testing/catch.hpp"

#include <cmath>
#include <string>

extern "C" {
#include "apps/simplex/mps.h"
}

namespace {

struct Read {
    problem it;
    std::string complaint;

    explicit Read(const std::string& text, mps_format format = mps_automatic)
    {
        problem_make(&it);
        const char* wrong = mps_read(&it, "a.mps", text.data(), static_cast<long>(text.size()), format);
        complaint = wrong ? wrong : "";
    }
    Read(const Read&) = delete;
    ~Read() { problem_free(&it); }
    const column& operator[](const char* name) { return it.columns[names_find(&it.column_names, name)]; }
};

const std::string head = "NAME T\nROWS\n N COST\n L A\n E B\nCOLUMNS\n X COST 1 A 2\n Y B 3\n";

std::string bound(const std::string& line) { return head + "RHS\n RHS A 9\nBOUNDS\n" + line + "\nENDATA\n"; }

} // namespace

TEST_CASE("free format is read, sets need no names")
{
    Read read(head + "RHS\n A 9 B 1\nBOUNDS\n UP X 4\n FR Y\nENDATA\n");
    CHECK(read.complaint == "");
    CHECK(read.it.entry_count == 3);
    CHECK(read.it.rows[1].right_side == 9);
    CHECK(read["X"].upper == 4);
    CHECK(std::isinf(read["Y"].lower));
}

TEST_CASE("fixed format is recognised, with blanks in names")
{
    Read read("NAME          T\nROWS\n N  THE COST\n G  ROW ONE\nCOLUMNS\n"
              "    COL A     THE COST            -4   ROW ONE              1\n"
              "RHS\n              ROW ONE              8\nENDATA\n");
    CHECK(read.complaint == "");
    CHECK(names_find(&read.it.column_names, "COL A") == 0);
    CHECK(read.it.rows[1].right_side == 8);
}

TEST_CASE("every type of bound")
{
    CHECK(Read(bound(" UP B X 4"))["X"].upper == 4);
    CHECK(Read(bound(" UP B X -4"))["X"].lower == -INFINITY);
    CHECK(Read(bound(" LO B X 4"))["X"].lower == 4);
    CHECK(Read(bound(" FX B X 4"))["X"].upper == 4);
    CHECK(Read(bound(" MI B X"))["X"].lower == -INFINITY);
    CHECK(Read(bound(" PL B X"))["X"].upper == INFINITY);
    CHECK(Read(bound(" BV B X"))["X"].upper == 1);
    CHECK(Read(bound(" LI B X 2"))["X"].lower == 2);
    CHECK(Read(bound(" UI B X 7"))["X"].upper == 7);
    CHECK(Read(bound(" UP B X 1e30"))["X"].upper == INFINITY);
}

TEST_CASE("ranges follow the row's type and the sign")
{
    double lower, upper;
    row line{'E', 10, -4, 1};
    problem_limits(&line, &lower, &upper);
    CHECK(lower == 6);
    CHECK(upper == 10);
    line = {'G', 10, -4, 1};
    problem_limits(&line, &lower, &upper);
    CHECK(upper == 14);
    line = {'L', 10, 0, 0};
    problem_limits(&line, &lower, &upper);
    CHECK(lower == -INFINITY);
}

TEST_CASE("the sense stands on its own line or beside the header")
{
    CHECK(Read("NAME T\nOBJSENSE\n    MAX\nROWS\n N C\nCOLUMNS\nRHS\nENDATA\n").it.maximise);
    CHECK(Read("NAME T\nOBJSENSE MAXIMIZE\nROWS\n N C\nCOLUMNS\nRHS\nENDATA\n").it.maximise);
}

TEST_CASE("a mistake is named with its line")
{
    CHECK(Read(head + " Z A 1x\nENDATA\n").complaint == "a.mps:9: this is not a number: '1x'");
    CHECK(Read(head + " Z C 1\nENDATA\n").complaint == "a.mps:9: there is no row of this name: 'C'");
    CHECK(Read(head + " X B 1\nENDATA\n").complaint ==
          "a.mps:9: this column's entries stand in two places: 'X'");
    CHECK(Read(head + " Y B 1\nENDATA\n").complaint ==
          "a.mps:9: the column has two entries in this row: 'B'");
    CHECK(Read(head + " Z A\nENDATA\n").complaint == "a.mps:9: a number is missing after: 'A'");
    CHECK(Read(bound(" XX B X 4")).complaint.find("a.mps:12: a bound's type is UP") == 0);
    CHECK(Read(bound(" UP B Z 4")).complaint == "a.mps:12: there is no column of this name: 'Z'");
    CHECK(Read(bound(" UP B X")).complaint == "a.mps:12: there is no column of this name: 'B'");
    CHECK(Read(head).complaint == "a.mps:8: the file ends without ENDATA");
    CHECK(Read("COLUMNS\n").complaint == "a.mps:1: the ROWS section must come first");
    CHECK(Read("NAME T\nROWS\n L A\nCOLUMNS\nRHS\nENDATA\n").complaint ==
          "a.mps:6: there is no objective: no row of type N");
    CHECK(Read("NAME T\nHELLO\n").complaint == "a.mps:2: there is no such section: 'HELLO'");
    CHECK(Read("").complaint == "a.mps:1: the file ends without ENDATA");
}

TEST_CASE("no damaged text makes the reader fall over")
{
    const std::string whole = bound(" UP B X 4");
    unsigned state = 1;
    for (int trial = 0; trial < 3000; trial++) {
        std::string text = whole;
        for (int change = 0; change < 3; change++) {
            state = state * 1664525 + 1013904223;
            text[(state >> 8) % text.size()] = static_cast<char>(state >> 24);
        }
        text.resize((state >> 4) % (text.size() + 1));
        Read read(text, static_cast<mps_format>(trial % 3));
        CHECK(read.complaint.size() < 1200);
    }
}
