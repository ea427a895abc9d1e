/* SPDX-License-Identifier: MIT */
/* Handlers of programs that wait inside csend, with the parts of handlers.c before its #include. */
enum { type_last = 10, type_large = 11, large_bytes = 5 << 20 }; /* of the run's 12 MiB, only one fits */

static char large[large_bytes];

/* Where csend waits for its receivers, node 1 takes node 0's message only when the handler has answered. */
static void in_csend(void)
{
    if (mynode() == 1) {
        cprobe(type_last);
        letter[0] = 9;
        csend(type_plain, letter, bytes, 0, 0);
        crecv(type_answer, extra, bytes);
        crecv(type_last, extra, bytes);
    }
    if (mynode() == 2)
        crecv(type_last, extra, bytes);
    if (mynode() != 0)
        return;
    hrecv(type_plain, buffer, bytes, reply);
    csend(type_last, letter, 4, -1, 0);
    wait_for_runs(1);
    CHECK(last_value == 9 && node_told == 1);
}

/* Words that all nodes see: how many large messages are out, and whether the handler has run. */
static volatile int* seen_by_all;

static void tell_all(long type, long count, long node, long pid)
{
    note(type, count, node, pid);
    seen_by_all[1] = 1;
}

static void share_words(void)
{
    int* volatile* address = nx_alloc(sizeof *address);
    if (mynode() == 0) {
        *address = nx_alloc(2 * sizeof(int));
        seen_by_all = *address;
        seen_by_all[0] = seen_by_all[1] = 0;
        csend(type_answer, (const void*)address, sizeof *address, 1, 0);
    } else {
        crecv(type_answer, (void*)address, sizeof *address);
        seen_by_all = *address;
    }
}

/* Node 0's second message finds the budget used up. Node 1 makes room only when the handler has run. */
static void out_of_budget(void)
{
    const long not_here =
        NX_SENDS_AWAIT_DELIVERY | NX_SEVERAL_MACHINES; /* whose nodes see no words in common */
    if (mynode() > 1 || nx_needs_shared() || (nx_capabilities() & not_here))
        return;
    share_words();
    if (mynode() == 0) {
        hrecv(type_plain, buffer, bytes, tell_all);
        csend(type_large, large, large_bytes, 1, 0);
        seen_by_all[0] = 1;
        csend(type_large, large, large_bytes, 1, 0);
        CHECK(runs == 1 && count_told == 0);
        return;
    }
    while (!seen_by_all[0])
        flick();
    csend(type_plain, letter, 0, 0, 0);
    while (!seen_by_all[1])
        flick();
    for (int i = 0; i < 2; i++) {
        crecv(type_large, large, large_bytes);
        CHECK(infocount() == large_bytes);
    }
}
