/* SPDX-License-Identifier: MIT */
/* What an Active Message takes, as parameters of the LogGP model, by the procedures of Lumetta's thesis
 * (section 5.3.1). Node 0 measures, and node 1 serves it; others wait for the end.
 *
 *   RTT   a request of one word, and its reply, at a time
 *   o_s   requests one after the other, while node 1 takes none
 *   o_r   a request, a delay that is longer than RTT, and the poll that takes the reply, after those that
 *         look for it nowhere: what of them is neither the delay nor o_s
 *   L     RTT / 2 - o_s - o_r, which is below zero where they overlap
 *   g     requests one after the other, until all have their replies
 *   G     blocks of 8 kB, each put at node 1 and replied to, until all are: for each byte
 *
 * Each number is the mean of samples, of so many messages each, with half of its interval of confidence; the
 * reading of the clock is taken out. Under "transfer" stands how long so many
 * bytes took, until their last reply. */
#include "apps/support/am_job.h"
#include "apps/support/one_process.h"
#include "studies/clumps/apps/support/figures.h"
#include "studies/clumps/apps/support/numbers.h"

#include <string.h>

enum {
    handler_ask = 1,
    handler_answer,
    handler_hold,
    handler_block,
    handler_end,
    most_samples = 1000,
    /* At most as many as may be without their replies. */
    most_burst = 256,
    block_bytes = 8192,
    most_blocks = 64,
    places = 16, /* of blocks, at node 1 */
    most_between_looks = 64,
};

static long samples = 20, trips = 100, burst = 128, blocks = most_blocks, warm = 0;
static const struct number numbers[] = {
    {"--samples", &samples, 1, most_samples, "of each number"},
    {"--trips", &trips, 1, 1000000, "messages in a sample"},
    {"--burst", &burst, 1, most_burst, "messages in a sample of o_s"},
    {"--blocks", &blocks, 1, most_blocks, "of 8 kB, in a sample of G"},
    {"--warm", &warm, 0, 1000000, "round trips before anything is measured"},
};

static struct {
    long asked, answered, wrong;
    long hold; /* node 1: delay for so many steps */
    int over;
} seen;
static unsigned char block[block_bytes], segment[places * block_bytes];

static void take_question(void *token, int word)
{
    seen.wrong += word != (int)seen.asked;
    seen.asked++;
    am_must(AM_Reply1(token, handler_answer, word));
}

static void take_block(void *token, void *bytes, size_t count, int length, int mark)
{
    const unsigned char *at = bytes;
    seen.wrong +=
        count != (size_t)length || at[0] != (unsigned char)mark || at[count - 1] != (unsigned char)mark;
    am_must(AM_Reply1(token, handler_answer, mark));
}

static void take_hold(void *token, int steps)
{
    seen.hold = steps;
    seen.asked = 0;
    am_must(AM_Reply1(token, handler_answer, steps));
}

static void take_answer(void *token, int word)
{
    (void)token;
    (void)word;
    seen.answered++;
}

static void take_end(void *token)
{
    (void)token;
    seen.over = 1;
}

static double nanoseconds(unsigned long cycles)
{
    return (double)cycles * 1e9 / nx_cycles_per_second();
}

/* So many turns of a loop, which take the same time each. */
static __attribute__((noinline)) void delay(long steps)
{
    for (long i = 0; i < steps; i++)
        __asm__ volatile("");
}

static double of_delay(long steps, long times)
{
    unsigned long took = 0;
    for (long i = 0; i < times; i++) {
        const unsigned long since = nx_cycles();
        delay(steps);
        took += nx_cycles() - since;
    }
    return nanoseconds(took) / (double)times;
}

/* At most for a tenth of a second, whatever a busy host makes of a trip. */
static long steps_for(double wanted)
{
    static double step;
    enum { probe = 20000 };
    static const double most = 1e8;
    if (step == 0)
        step = of_delay(probe, 5) / probe;
    return (long)((wanted < most ? wanted : most) / step) + 1;
}

/* What reading the clock takes. */
static double reading;

static double since_then(unsigned long since)
{
    return nanoseconds(nx_cycles() - since) - reading;
}

static void poll(void)
{
    am_must(AM_Poll(am_job.bundle));
}

static void until_answered(long count)
{
    while (seen.answered < count)
        poll();
}

static void ask(long word)
{
    am_must(AM_Request1(am_job.endpoint, 1, handler_ask, (int)word));
}

/* Node 1 counts from 0 again, and takes nothing for so long; and whatever was to come here has come. */
static void hold(double time)
{
    seen.answered = 0;
    am_must(AM_Request1(am_job.endpoint, 1, handler_hold, (int)steps_for(time)));
    until_answered(1);
    seen.answered = 0;
}

static double round_trips(long count)
{
    hold(0);
    const unsigned long since = nx_cycles();
    for (long i = 0; i < count; i++) {
        ask(i);
        until_answered(i + 1);
    }
    return since_then(since);
}

static double round_trip(void)
{
    return round_trips(trips) / (double)trips;
}

static double send_overhead(double trip)
{
    hold((double)(burst + 10) * 2 * trip);
    delay(steps_for(trip)); /* its poll, in which it was told to, is over */
    const unsigned long since = nx_cycles();
    for (long i = 0; i < burst; i++)
        ask(i);
    const double took = since_then(since);
    until_answered(burst);
    return took / (double)burst;
}

/* S - D: a trip whose reply was not there after the delay is no measurement. But polls may look for it more
 * seldom than each time (docs/multiprocessors.md): as many as pass between two looks are part of it. */
static double both_overheads(double trip)
{
    const long steps = steps_for(3 * trip);
    double took = 0;
    long counted = 0;
    hold(0);
    for (long i = 0; i < trips; i++) {
        const unsigned long since = nx_cycles();
        ask(i);
        delay(steps);
        for (int polls = 0; polls < most_between_looks && seen.answered < i + 1; polls++)
            poll();
        const double took_now = since_then(since);
        if (seen.answered == i + 1) {
            took += took_now;
            counted++;
        }
        until_answered(i + 1);
    }
    return took / (double)(counted ? counted : 1) - (of_delay(steps, trips) - reading);
}

static double gap(void)
{
    hold(0);
    const unsigned long since = nx_cycles();
    for (long i = 0; i < trips; i++)
        ask(i);
    until_answered(trips);
    return since_then(since) / (double)trips;
}

/* How long it takes to send so many bytes in blocks, from the first send to the last reply. */
static double transfer(long bytes)
{
    hold(0);
    long sent = 0;
    const unsigned long since = nx_cycles();
    for (long at = 0; at < bytes; at += block_bytes) {
        const long length = bytes - at < block_bytes ? bytes - at : block_bytes;
        block[0] = block[length - 1] = (unsigned char)sent;
        am_must(AM_RequestXfer2(am_job.endpoint, 1, (uintptr_t)(sent % places * block_bytes), handler_block,
                                block, (size_t)length, (int)length, (int)(unsigned char)sent));
        sent++;
    }
    until_answered(sent);
    return since_then(since);
}

static void fill(double *to, double (*measure)(void))
{
    (void)measure(); /* finds everything cold */
    for (long i = 0; i < samples; i++)
        to[i] = measure();
}

static struct figure tell(const char *name, double *values)
{
    for (long i = 0; i < samples; i++)
        values[i] /= 1e3;
    return figure_tell("loggp", name, 0, "us", values, samples);
}

static void measure_short(void)
{
    static double trip[most_samples], sends[most_samples], both[most_samples], gaps[most_samples];
    reading = of_delay(0, 1000);
    (void)round_trips(warm); /* each place of the queues has been used, and lies where messages leave it */
    fill(trip, round_trip);
    const double rough = figure_of(trip, samples).mean;
    (void)send_overhead(rough);
    (void)both_overheads(rough);
    for (long i = 0; i < samples; i++) {
        sends[i] = send_overhead(rough);
        both[i] = both_overheads(rough);
    }
    fill(gaps, gap);
    const struct figure rtt = tell("RTT", trip), s = tell("o_s", sends), all = tell("o_s + o_r", both);
    tell("g", gaps);
    const struct figure receive = {all.mean - s.mean, figure_in_quadrature(all.half, s.half),
                                   figure_in_quadrature(all.sigma, s.sigma)};
    const struct figure latency = {rtt.mean / 2 - all.mean, figure_in_quadrature(rtt.half / 2, all.half),
                                   figure_in_quadrature(rtt.sigma / 2, all.sigma)};
    figure_print("loggp", "o_r", "us", receive);
    figure_print("loggp", "L", "us", latency);
}

static void measure_bulk(void)
{
    static double each[most_samples];
    const long all = blocks * block_bytes;
    (void)transfer(all); /* all memory that so many blocks need is there */
    for (long bytes = 256; bytes <= all; bytes *= 2) {
        (void)transfer(bytes);
        for (long i = 0; i < samples; i++)
            each[i] = transfer(bytes) / 1e3;
        char name[40];
        snprintf(name, sizeof name, "transfer, %ld", bytes);
        figure_tell("loggp", name, bytes, "us", each, samples);
    }
    (void)transfer(all);
    for (long i = 0; i < samples; i++)
        each[i] = transfer(all) / (double)all;
    figure_tell("loggp", "G", all, "ns/B", each, samples);
}

static void serve(void)
{
    while (!seen.over) {
        poll();
        delay(seen.hold);
        seen.hold = 0;
    }
}

int main(int argc, char **argv)
{
    read_numbers("loggp", numbers, sizeof numbers / sizeof *numbers, argc, argv);
    if (numnodes() < 2) {
        fprintf(stderr, "loggp: one node measures and another serves it, so 2 nodes at least are wanted.\n");
        return 2;
    }
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, handler_ask, take_question));
    am_must(AM_SetHandler(am_job.endpoint, handler_answer, take_answer));
    am_must(AM_SetHandler(am_job.endpoint, handler_hold, take_hold));
    am_must(AM_SetHandler(am_job.endpoint, handler_block, take_block));
    am_must(AM_SetHandler(am_job.endpoint, handler_end, take_end));
    am_must(AM_SetSeg(am_job.endpoint, segment, sizeof segment));
    am_must(AM_SetExpectedResources(am_job.endpoint, (int)numnodes(), most_burst));
    am_job_meet();
    if (mynode() == 0) {
        measure_short();
        measure_bulk();
        am_must(AM_Request0(am_job.endpoint, 1, handler_end));
    } else if (mynode() == 1) {
        serve();
    }
    am_job_meet();
    if (seen.wrong)
        fprintf(stderr, "loggp: node %ld: %ld messages were wrong\n", mynode(), seen.wrong);
    long wrong = seen.wrong, work;
    gisum(&wrong, 1, &work);
    if (mynode() == 0 && !wrong)
        printf("loggp: %s, all messages right\n", nx_design());
    return wrong != 0;
}
