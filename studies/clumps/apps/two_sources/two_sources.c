/* SPDX-License-Identifier: MIT */
/* What it adds to a local round trip that each process polls a second, dearer source as well, in which
 * nothing comes (chapter 4 and section 7.2 of Lumetta's thesis). Node 0 sends node 1 a request of one word
 * and waits for its reply, one at a time. All polls take what Active Messages have brought; whether one looks
 * into the far source, too, is what the polling leaves decide, by turns: never, in each poll, in one of a
 * fixed number, or as the traffic of both says. A look that finds nothing takes `--price' nanoseconds: 434
 * cycles of the thesis's processor, where a poll of shared memory takes 51. Both nodes poll before they send.
 * And node 0 tells in which polls adaptive polling looks, of traffic that is given. */
#include "apps/support/am_job.h"
#include "apps/support/one_process.h"
#include "pace.h"
#include "studies/clumps/apps/support/figures.h"
#include "studies/clumps/apps/support/numbers.h"

enum {
    handler_ask = 1,
    handler_answer,
    handler_pace,
    handler_ready,
    most_samples = 1000,
    no_more = paces, /* in place of a pace */
};

static long samples = 10, trips = 200, price = 2604, warm;
static const struct number numbers[] = {
    {"--samples", &samples, 1, most_samples, "of each polling"},
    {"--trips", &trips, 1, 1000000, "in a sample"},
    {"--warm", &warm, 0, 1000000, "round trips before anything is measured"},
    {"--price", &price, 0, 1000000, "of a look into the far source, in ns"},
};

static struct {
    long asked, answered, ready, wrong;
    unsigned near; /* messages that this poll has taken */
    long looks;
    int pace; /* node 1: as node 0 has said */
} here;
static unsigned long price_cycles;

/* Nothing is there, and to find that out takes its time. */
static void look_far(void)
{
    const unsigned long since = nx_cycles();
    here.looks++;
    while (nx_cycles() - since < price_cycles) { }
}

static void poll(void)
{
    here.near = 0;
    am_must(AM_Poll(am_job.bundle));
    if (pace_looks_far())
        look_far();
    pace_note(here.near, 0);
}

/* A reply polls for replies first; there are none at node 1, but in the far source they might be. */
static void poll_to_reply(void)
{
    if (pace_looks_far())
        look_far();
    pace_note(0, 0);
}

static void take_question(void *token, int word)
{
    here.wrong += word != (int)here.asked++;
    here.near++;
    poll_to_reply();
    am_must(AM_Reply1(token, handler_answer, word));
}

static void take_answer(void *token, int word)
{
    (void)token;
    here.wrong += word != (int)here.answered++;
    here.near++;
}

static void take_pace(void *token, int pace)
{
    here.pace = pace;
    here.asked = 0;
    pace_begin(pace == no_more ? pace_never : (enum pace)pace);
    am_must(AM_Reply0(token, handler_ready));
}

static void take_ready(void *token)
{
    (void)token;
    here.ready++;
}

/* Both nodes begin with it anew. */
static void set_pace(int pace)
{
    const long so_far = here.ready;
    am_must(AM_Request1(am_job.endpoint, 1, handler_pace, pace));
    AM_JOB_UNTIL(here.ready > so_far);
    pace_begin(pace == no_more ? pace_never : (enum pace)pace);
    here.answered = here.looks = 0;
}

static double us_each(unsigned long since, long times)
{
    return (double)(nx_cycles() - since) * 1e6 / nx_cycles_per_second() / (double)times;
}

static double round_trip(enum pace pace, long times)
{
    set_pace((int)pace);
    const unsigned long since = nx_cycles();
    for (long i = 0; i < times; i++) {
        poll();
        am_must(AM_Request1(am_job.endpoint, 1, handler_ask, (int)i));
        while (here.answered < i + 1)
            poll();
    }
    return us_each(since, times);
}

static double of_a_look(void)
{
    const unsigned long since = nx_cycles();
    for (long i = 0; i < trips; i++)
        look_far();
    return us_each(since, trips);
}

/* One message in so many polls of a source, none: 0. The far source's wait until a poll looks. */
struct traffic {
    long polls, near, far;
};

/* In which polls of the last part adaptive polling looks, the first of them; parts follow each other. */
static void tell_looks(const char *name, const struct traffic *part, int parts)
{
    enum { most_told = 12 };
    long told = 0;
    unsigned waiting = 0;
    pace_begin(pace_adaptive);
    printf("two_sources: %s: looks at", name);
    for (int i = 0; i < parts; i++)
        for (long poll = 1; poll <= part[i].polls; poll++) {
            waiting += part[i].far && poll % part[i].far == 0;
            const int looks = pace_looks_far();
            pace_note(part[i].near && poll % part[i].near == 0, looks ? waiting : 0);
            waiting = looks ? 0 : waiting;
            if (looks && i == parts - 1 && told++ < most_told)
                printf(" %ld", poll);
        }
    printf("\n");
}

/* What follows from the equations of the thesis's section 4.2 alone. */
static void tell_all_looks(void)
{
    tell_looks("no message", (struct traffic[]){{16, 0, 0}}, 1);
    tell_looks("near messages", (struct traffic[]){{257, 1, 0}}, 1);
    tell_looks("far messages", (struct traffic[]){{16, 0, 1}}, 1);
    tell_looks("near, then far messages", (struct traffic[]){{2000, 1, 0}, {400, 0, 1}}, 2);
    tell_looks("as many of both", (struct traffic[]){{10000, 2, 2}, {40, 2, 2}}, 2);
    tell_looks("ten near messages to a far one", (struct traffic[]){{20000, 2, 20}, {400, 2, 20}}, 2);
}

/* By turns, so that a busy host is as busy for each. */
static void measure(void)
{
    static double times[paces][most_samples], look[most_samples];
    long looks[paces] = {0};
    if (warm) /* each place of the queues has been used, and lies where messages leave it */
        (void)round_trip(pace_never, warm);
    for (long i = -1; i < samples; i++) /* the first finds everything cold */
        for (int pace = 0; pace < paces; pace++) {
            times[pace][i < 0 ? 0 : i] = round_trip((enum pace)pace, trips);
            looks[pace] = here.looks;
        }
    for (long i = 0; i < samples; i++)
        look[i] = of_a_look();
    figure_tell("two_sources", "a look", 0, "us", look, samples);
    for (int pace = 0; pace < paces; pace++) {
        const char *name = pace_name((enum pace)pace);
        figure_tell("two_sources", name, 0, "us", times[pace], samples);
        table_printf("two_sources: %s: node 0 looks %.2f times in a round trip\n", name,
                     (double)looks[pace] / (double)trips);
    }
    set_pace(no_more);
}

static void serve(void)
{
    while (here.pace != no_more)
        poll();
}

int main(int argc, char **argv)
{
    read_numbers("two_sources", numbers, sizeof numbers / sizeof *numbers, argc, argv);
    if (numnodes() != 2) {
        if (mynode() == 0)
            fprintf(stderr, "two_sources: one node asks and another answers, so 2 nodes are wanted.\n");
        return 2;
    }
    price_cycles = (unsigned long)((double)price * 1e-9 * nx_cycles_per_second());
    pace_begin(pace_never);
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, handler_ask, take_question));
    am_must(AM_SetHandler(am_job.endpoint, handler_answer, take_answer));
    am_must(AM_SetHandler(am_job.endpoint, handler_pace, take_pace));
    am_must(AM_SetHandler(am_job.endpoint, handler_ready, take_ready));
    am_job_meet();
    if (mynode() == 0) {
        tell_all_looks();
        measure();
    } else {
        serve();
    }
    am_job_meet();
    long wrong = here.wrong, work;
    gisum(&wrong, 1, &work);
    if (mynode() == 0 && wrong)
        fprintf(stderr, "two_sources: %ld messages were wrong\n", wrong);
    if (mynode() == 0 && !wrong)
        printf("two_sources: %s, all messages right\n", nx_design());
    return wrong != 0;
}
