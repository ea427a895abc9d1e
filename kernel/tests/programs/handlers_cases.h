/* SPDX-License-Identifier: MIT */
/* Further promises of hrecv and its kin, with the parts of handlers.c that stand before its #include. */
static void to_oneself(void)
{
    if (mynode() != 0)
        return;
    hrecv(type_plain, buffer, bytes, note);
    letter[0] = 55;
    csend(type_plain, letter, bytes, 0, 0);
    wait_for_runs(1);
    CHECK(last_value == 55 && node_told == 0);
}

static void already_there(void)
{
    if (mynode() == 1) {
        letter[0] = 3;
        msgwait(isend(type_plain, letter, bytes, 0, 0));
    }
    if (mynode() != 0)
        return;
    cprobe(type_plain);
    hrecv(type_plain, buffer, bytes, note);
    CHECK(runs == 1 && last_value == 3);
}

/* Posts itself while it runs, for a message that is there already. */
static void note_posting_inside(long type, long count, long node, long pid)
{
    inside++;
    if (runs == 0)
        hrecv(type_plain, buffer, bytes, note_posting_inside);
    inside--;
    note(type, count, node, pid);
}

static void one_at_a_time(void)
{
    int* second = nx_alloc(bytes);
    long ids[2];
    if (mynode() == 1) {
        ids[0] = isend(type_plain, letter, bytes, 0, 0);
        ids[1] = isend(type_plain, second, bytes, 0, 0);
    }
    gsync();
    if (mynode() == 0) {
        hrecv(type_plain, buffer, bytes, note_posting_inside);
        wait_for_runs(2);
        CHECK(nested == 0);
    }
    for (int i = 0; i < 2 && mynode() == 1; i++)
        msgwait(ids[i]);
    nx_free(second);
}

static void masked(void)
{
    if (mynode() == 1)
        send_on_demand(1);
    if (mynode() != 0)
        return;
    hrecv(type_plain, buffer, bytes, note);
    CHECK(masktrap(1) == 0);
    long before = masktrap(1);
    CHECK(before == 1);
    demand();
    for (double until = dclock() + 0.05; dclock() < until;)
        ;
    CHECK(runs == 0);
    masktrap(before);
    CHECK(runs == 0);
    if (!nx_needs_shared()) /* where a sender's buffer is only lent, nothing comes until we take it */
        while (iprobe(-1))
            ;
    CHECK(masktrap(0) == 1);
    wait_for_runs(1);
    CHECK(runs == 1 && masktrap(0) == 0);
}

/* A handler may wait for another node's message. */
static void ask(long type, long count, long node, long pid)
{
    long info[8];
    note(type, count, node, pid);
    errno = 0;
    csend(type_go, extra, 4, 2, 0);
    crecvx(type_answer, extra, bytes, 2, -1, info);
    CHECK(info[0] == type_answer && info[1] == bytes && info[2] == 2 && extra[0] == 77);
}

static void blocking_inside(void)
{
    if (mynode() == 1) {
        letter[0] = 1;
        csend(type_plain, letter, bytes, 0, 0);
    }
    if (mynode() == 2) {
        crecv(type_go, letter, bytes);
        letter[0] = 77;
        csend(type_answer, letter, bytes, 0, 0);
    }
    if (mynode() != 0)
        return;
    errno = 4711;
    msginfo[1] = 12345;
    hrecv(type_plain, buffer, bytes, ask);
    while (!runs || inside)
        __asm__ volatile("" ::: "memory");
    CHECK(errno == 4711 && infocount() == 12345);
}

static void sending(void)
{
    if (mynode() == 1) {
        crecv(type_plain, letter, bytes);
        crecv(type_go, letter, bytes);
        CHECK(infonode() == 0);
        csend(type_answer, letter, bytes, 0, 0);
    }
    if (mynode() != 0)
        return;
    hsend(type_plain, letter, 8, 1, 0, note);
    wait_for_runs(1);
    CHECK(count_told == 8 && node_told == 1 && type_told == type_plain);
    hsendrecv(type_go, letter, 4, 1, 0, type_answer, buffer, bytes, note);
    wait_for_runs(2);
    CHECK(type_told == type_answer && count_told == bytes && node_told == 1);
}

/* The answer comes before what it answers has been received. */
static void both_halves(void)
{
    if (mynode() == 1) {
        csend(type_answer, letter, bytes, 0, 0);
        csend(type_plain, letter, bytes, 0, 0);
        crecv(type_plain, letter, bytes);
        crecv(type_go, letter, bytes);
    }
    if (mynode() != 0)
        return;
    hsendrecv(type_go, letter, 4, 1, 0, type_answer, buffer, bytes, note);
    crecv(type_plain, extra, bytes);
    CHECK(runs == 0 || !nx_needs_shared()); /* a lent buffer has not been read yet */
    csend(type_plain, letter, 4, 1, 0);
    wait_for_runs(1);
    CHECK(type_told == type_answer);
}

static long value_told;

static void with_value(long type, long count, long node, long pid, long value)
{
    value_told = value;
    note(type, count, node, pid);
}

static void selected(void)
{
    if (mynode() == 1 || mynode() == 2) {
        letter[0] = (int)mynode();
        csend(type_plain, letter, bytes, 0, 0);
    }
    if (mynode() == 1)
        crecv(type_go, letter, bytes);
    if (mynode() != 0)
        return;
    hrecvx(-1, buffer, bytes, 2, -1, with_value, 31);
    wait_for_runs(1);
    CHECK(node_told == 2 && last_value == 2 && value_told == 31);
    crecv(type_plain, buffer, bytes);
    CHECK(infonode() == 1 && buffer[0] == 1);
    hsendx(type_go, letter, 4, 1, 0, with_value, 32);
    wait_for_runs(2);
    CHECK(value_told == 32);
}

static void allocate(long type, long count, long node, long pid)
{
    void* block = malloc(24 + (size_t)runs % 500);
    memset(block, 0x5a, 24);
    note_and_post(type, count, node, pid);
    double x = runs;
    x = x * 3.25 - 1;
    long double y = (long double)x / 3;
    CHECK(y < x);
    free(block);
}

__attribute__((noinline)) static double leaf(const double* numbers, int count)
{
    double here[8]; /* below the stack pointer */
    for (int i = 0; i < 8; i++)
        here[i] = 0;
    for (int i = 0; i < count; i++)
        here[i & 7] += numbers[i] * 1.5;
    return here[0] + here[1] + here[2] + here[3] + here[4] + here[5] + here[6] + here[7];
}

/* Interruptions everywhere: the computation, its stack, the heap and the output are as without. */
static void storm(void)
{
    enum { messages = 300 };
    if (mynode() == 1)
        for (int i = 0; i < messages; i++)
            csend(type_plain, letter, bytes, 0, 0);
    if (mynode() != 0)
        return;
    double numbers[64], expected = 0;
    for (int i = 0; i < 64; i++)
        expected += (numbers[i] = i) * 1.5;
    hrecv(type_plain, buffer, bytes, allocate);
    long double product = 1;
    for (int round = 0; runs < messages; round++) {
        char *text = malloc(32 + (size_t)round % 700), line[40];
        snprintf(line, sizeof line, "%d %g", round, expected);
        strcpy(text, line);
        CHECK(leaf(numbers, 64) == expected);
        product = product * 1.0000001L;
        CHECK(strcmp(text, line) == 0);
        free(text);
    }
    CHECK(nested == 0 && product >= 1);
    hrecv(type_plain, 0, 0, 0);
}
