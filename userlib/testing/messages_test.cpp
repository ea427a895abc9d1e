// SPDX-License-Identifier: MIT
#include "testing/catch.hpp"

#include "userlib/testing/fake_messages.hpp"

#include <nx.h>

#include <cstring>

extern "C" {
#include "userlib/fortran/binding.h"
}

using namespace parley::userlib;

TEST_CASE("crecv notes type, length and sender in msginfo")
{
    run_nodes(1, Style::copying, [] {
        char text[8] = {};
        csend(12, "hello", 6, 0, 0);
        crecv(12, text, 8);
        CHECK(std::strcmp(text, "hello") == 0);
        CHECK(infotype() == 12);
        CHECK(infocount() == 6);
        CHECK(infonode() == 0);
    });
}

TEST_CASE("only the low 32 bits of integer arguments are read that are no lengths")
{
    run_nodes(1, Style::copying, [] {
        int word = 0;
        const int sent = 99;
        csend(0x100000005, &sent, 4, 0x500000000, 0x300000000);
        crecv(0x900000005, &word, 4);
        CHECK(word == 99);
    });
}

TEST_CASE("lengths are read whole, and refused where no message can have them")
{
    run_nodes(1, Style::copying, [] {
        int word = 0;
        for (const long length : {0x80000000L, 0x100000000L, 0x700000004L}) {
            CHECK(_csend(5, &word, length, 0, 0) == -1);
            CHECK(errno == EQLEN);
            CHECK(_crecv(5, &word, length) == -1);
            CHECK(errno == EQLEN);
            CHECK(_irecv(5, &word, length) == -1);
            CHECK(errno == EQLEN);
        }
    });
}

TEST_CASE("an underscore call answers -1 and sets errno")
{
    run_nodes(1, Style::copying, [] {
        int word = 0;
        CHECK(_csend(1, &word, 4, 7, 0) == -1);
        CHECK(errno == EQNODE);
        CHECK(_csend(1, &word, -4, 0, 0) == -1);
        CHECK(errno == EQLEN);
        csend(1, &word, 4, 0, 0);
        CHECK(_crecv(1, &word, 2) == -1);
        CHECK(errno == EQMSGLONG);
        CHECK(_crecv(1, &word, 4) == 0);
        CHECK(infocount() == 4);
    });
}

TEST_CASE("irecvx fills its own info array, also for Fortran")
{
    run_nodes(1, Style::copying, [] {
        int word = 0, narrow[8] = {}, typesel = 3, maximum = 4, any = -1;
        long info[8] = {};
        csend(3, &word, 4, 0, 0);
        msgwait(irecvx(3, &word, 4, 0, -1, info));
        CHECK(info[0] == 3);
        CHECK(info[1] == 4);
        csend(3, &word, 4, 0, 0);
        msgwait(irecvx_(&typesel, &word, &maximum, &any, &any, narrow));
        CHECK(narrow[0] == 3);
        CHECK(narrow[1] == 4);
    });
}

TEST_CASE("isendrecv has one id for both halves")
{
    run_nodes(1, Style::copying, [] {
        int sent = 5, reply = 0;
        const long id = isendrecv(4, &sent, 4, 0, 0, 4, &reply, 4);
        while (msgdone(id) == 0)
            continue;
        msgwait(id);
        CHECK(reply == 5);
        CHECK(infocount() == 4);
    });
}

TEST_CASE("crecvp brings a buffer where the program has none")
{
    const Style style = GENERATE(Style::copying, Style::shared_buffers, Style::handing_over);
    CHECK(run_nodes(1, style, [] {
        void* sent = nx_alloc(16);
        std::strcpy(static_cast<char*>(sent), "a block");
        csend(8, sent, 16, 0, 0);
        void* received = nullptr;
        crecvp(8, &received, 16);
        CHECK(std::strcmp(static_cast<char*>(received), "a block") == 0);
        CHECK(infocount() == 16);
        nx_free(received);
        if (nx_hands_over() == 0)
            nx_free(sent);
    }));
}

TEST_CASE("the Gray code's neighbours differ in one bit, and ginv takes it back")
{
    for (long i = 0; i < 1024; i++) {
        CHECK(__builtin_popcountl(gray(i) ^ gray(i + 1)) == 1);
        CHECK(ginv(gray(i)) == i);
    }
}
