/* SPDX-License-Identifier: MIT */
/* Words and bytes arrive whole, each message once, and each request has its reply. */
#include "am_selftest.h"

#include <string.h>

enum { request = 1, answer = 2, most = 8192, many = 100, behind = 2 * most + 3 };

static int next(void)
{
    return (int)((mynode() + 1) % numnodes());
}

/* ---- words ---- */

static void take_words(void *token, int a, int b, int c, int d, int e, int f, int g, int h)
{
    const int words[] = {a, b, c, d, e, f, g, h};
    const int count = (int)seen.count++;
    for (int i = 0; i < 8; i++)
        CHECK(words[i] == (i < count ? 100 * count + i : 0));
    CHECK(AM_Reply8(token, answer, h, g, f, e, d, c, b, a) == AM_OK);
}

static void take_answer(void *token, int h, int g, int f, int e, int d, int c, int b, int a)
{
    const int words[] = {a, b, c, d, e, f, g, h};
    const int count = (int)seen.sum++;
    (void)token;
    for (int i = 0; i < 8; i++)
        CHECK(words[i] == (i < count ? 100 * count + i : 0));
}

static void words_arrive(void)
{
    ep_t ep = am_job.endpoint;
    const int to = next();
    AM_SetHandler(ep, request, take_words);
    AM_SetHandler(ep, answer, take_answer);
    am_job_meet();
    CHECK(AM_Request0(ep, to, request) == AM_OK);
    AM_JOB_UNTIL(seen.sum == 1);
    CHECK(AM_Request1(ep, to, request, 100) == AM_OK);
    AM_JOB_UNTIL(seen.sum == 2);
    CHECK(AM_Request2(ep, to, request, 200, 201) == AM_OK);
    AM_JOB_UNTIL(seen.sum == 3);
    CHECK(AM_Request3(ep, to, request, 300, 301, 302) == AM_OK);
    AM_JOB_UNTIL(seen.sum == 4);
    CHECK(AM_Request4(ep, to, request, 400, 401, 402, 403) == AM_OK);
    AM_JOB_UNTIL(seen.sum == 5);
    CHECK(AM_Request5(ep, to, request, 500, 501, 502, 503, 504) == AM_OK);
    AM_JOB_UNTIL(seen.sum == 6);
    CHECK(AM_Request6(ep, to, request, 600, 601, 602, 603, 604, 605) == AM_OK);
    AM_JOB_UNTIL(seen.sum == 7);
    CHECK(AM_Request7(ep, to, request, 700, 701, 702, 703, 704, 705, 706) == AM_OK);
    AM_JOB_UNTIL(seen.sum == 8);
    CHECK(AM_Request8(ep, to, request, 800, 801, 802, 803, 804, 805, 806, 807) == AM_OK);
    AM_JOB_UNTIL(seen.sum == 9);
    AM_JOB_UNTIL(seen.count == 9);
}

/* ---- bytes ---- */

static unsigned char out[most], segment[2 * most + 8];

static unsigned char byte_of(int seed, size_t i)
{
    return (unsigned char)(seed * 31 + (int)(i % 251));
}

static void write_bytes(int seed, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = byte_of(seed, i);
}

static int are_bytes(const unsigned char *buffer, int seed, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (buffer[i] != byte_of(seed, i))
            return 0;
    return 1;
}

static void take_medium(void *token, void *buffer, size_t bytes, int seed, int length)
{
    CHECK(bytes == (size_t)length && are_bytes(buffer, seed, bytes));
    CHECK(AM_ReplyI1(token, answer, buffer, bytes, seed) == AM_OK);
    seen.count++;
}

static void take_medium_answer(void *token, void *buffer, size_t bytes, int seed)
{
    (void)token;
    CHECK(are_bytes(buffer, seed, bytes));
    seen.sum += (long)bytes;
    seen.returned++; /* counts answers */
}

static void medium_bytes_arrive(void)
{
    static const int lengths[] = {0, 1, 7, 8, 64, 100, 101, 4096, 8191, 8192};
    enum { count = sizeof lengths / sizeof lengths[0] };
    AM_SetHandler(am_job.endpoint, request, take_medium);
    AM_SetHandler(am_job.endpoint, answer, take_medium_answer);
    am_job_meet();
    long sum = 0;
    for (int i = 0; i < count; i++) {
        write_bytes(i, (size_t)lengths[i]);
        CHECK(AM_RequestI2(am_job.endpoint, next(), request, out, (size_t)lengths[i], i, lengths[i]) ==
              AM_OK);
        memset(out, 0xee, sizeof out); /* the source is the program's again */
        sum += lengths[i];
    }
    AM_JOB_UNTIL(seen.returned == count && seen.count == count);
    CHECK(seen.sum == sum);
}

static void take_long(void *token, void *buffer, size_t bytes, int seed, int offset)
{
    CHECK(buffer == segment + offset && are_bytes(buffer, seed, bytes));
    CHECK(AM_ReplyXfer1(token, behind, answer, buffer, 5, seed) == AM_OK);
    seen.count++;
}

static void take_long_answer(void *token, void *buffer, size_t bytes, int seed)
{
    (void)token;
    CHECK(buffer == segment + behind && bytes == 5 && are_bytes(buffer, seed, 5));
    seen.sum++;
}

static void long_bytes_arrive_in_the_segment(void)
{
    AM_SetHandler(am_job.endpoint, request, take_long);
    AM_SetHandler(am_job.endpoint, answer, take_long_answer);
    AM_SetSeg(am_job.endpoint, segment, sizeof segment);
    am_job_meet();
    for (int i = 0; i < 3; i++) {
        const int offset = most * i / 2; /* replies lie behind */
        write_bytes(i, most);
        CHECK(AM_RequestXfer2(am_job.endpoint, next(), (uintptr_t)offset, request, out, most, i, offset) ==
              AM_OK);
        AM_JOB_UNTIL(seen.sum == i + 1);
    }
    AM_JOB_UNTIL(seen.count == 3);
}

/* ---- many ---- */

static void add_and_answer(void *token, int word)
{
    count_short(token, word);
    CHECK(AM_Reply1(token, answer, word) == AM_OK);
}

static long answers;

static void take_one_answer(void *token, int word)
{
    (void)token, (void)word;
    answers++;
}

static void everyone_floods_everyone(void)
{
    static const int depths[] = {1, 2, 4, 16};
    for (int round = 0; round < 4; round++) {
        forget();
        answers = 0;
        AM_SetHandler(am_job.endpoint, request, add_and_answer);
        AM_SetHandler(am_job.endpoint, answer, take_one_answer);
        CHECK(AM_SetExpectedResources(am_job.endpoint, (int)numnodes(), depths[round]) == AM_OK);
        am_job_meet();
        for (int i = 0; i < many; i++)
            CHECK(AM_Request1(am_job.endpoint, i % (int)numnodes(), request, i) == AM_OK);
        AM_JOB_UNTIL(answers == many);
        am_job_meet(); /* now all others' requests have been here */
        long expected = 0, sum = 0;
        for (int i = 0; i < many; i++)
            if (i % numnodes() == mynode()) {
                expected += numnodes();
                sum += i * numnodes();
            }
        CHECK(seen.count == expected && seen.sum == sum && answers == many);
    }
}

static void everyone_floods_node_0_with_bulk(void)
{
    AM_SetHandler(am_job.endpoint, request, take_medium);
    AM_SetHandler(am_job.endpoint, answer, take_medium_answer);
    am_job_meet();
    write_bytes(5, most);
    for (int i = 0; i < 40; i++)
        CHECK(AM_RequestI2(am_job.endpoint, 0, request, out, most, 5, most) == AM_OK);
    AM_JOB_UNTIL(seen.returned == 40);
    am_job_meet();
    CHECK(seen.count == (mynode() == 0 ? 40 * numnodes() : 0));
    CHECK(seen.sum == 40l * most);
}

static void nodes_send_to_themselves(void)
{
    AM_SetHandler(am_job.endpoint, request, add_and_answer);
    AM_SetHandler(am_job.endpoint, answer, take_one_answer);
    answers = 0;
    for (int i = 0; i < 20; i++)
        CHECK(AM_Request1(am_job.endpoint, (int)mynode(), request, i) == AM_OK);
    AM_JOB_UNTIL(answers == 20);
    CHECK(seen.count == 20 && seen.sum == 190);
}

static const struct test tests[] = {
    {"0 to 8 words arrive, and as many come back", words_arrive},
    {"0 to 8192 bytes arrive in a buffer, and come back", medium_bytes_arrive},
    {"bytes are in the segment before their handler runs", long_bytes_arrive_in_the_segment},
    {"nodes that flood each other finish, and each handler runs once", everyone_floods_everyone},
    {"all nodes may flood one with bulk", everyone_floods_node_0_with_bulk},
    {"a node may send to itself", nodes_send_to_themselves},
};

const struct test_list message_tests = {tests, sizeof tests / sizeof tests[0]};
