// SPDX-License-Identifier: MIT
#include "native/nxrun/printable.hpp"
#include "testing/catch.hpp"

using namespace parley::native;

TEST_CASE("what a terminal shows stays, what it obeys is written out")
{
    CHECK(printable("time, us: \xc2\xb5s \xe2\x82\xac \xf0\x9f\x98\x80") ==
          "time, us: \xc2\xb5s \xe2\x82\xac \xf0\x9f\x98\x80");
    CHECK(printable("\x1b[2J\a\x7f") == "\\x1b[2J\\x07\\x7f");
    CHECK(printable("two\nlines\r") == "two\\x0alines\\x0d");
    CHECK(printable_lines("two\nlines\r\n") == "two\nlines\\x0d\n");
}

TEST_CASE("control characters of two bytes and broken UTF-8 are written out")
{
    CHECK(printable("\xc2\x9b"
                    "2J") == "\\xc2\\x9b2J");
    CHECK(printable("\xff\xc0\x80") == "\\xff\\xc0\\x80");
    CHECK(printable("end\xe2\x82") == "end\\xe2\\x82");
    CHECK(printable("\xed\xa0\x80\xe0\x80\x80") == "\\xed\\xa0\\x80\\xe0\\x80\\x80");
}
