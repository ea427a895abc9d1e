/* SPDX-License-Identifier: MIT
 * Cedar's loops, as calls and as macros; prints what is the same with any number of clusters and threads.
 * With a word as argument it does what ends in a sentence, or loops where fewer threads are allowed. */
#include <cedar.h>
#include <stdio.h>
#include <string.h>

enum { rows = 20, columns = 30 };

static int had[rows][columns];

static void element(long column, void *row)
{
    ((int *)row)[column]++;
}

static void row(long number, void *table)
{
    int(*rows_of)[columns] = table;
    cedar_cdoall(0, columns - 1, element, rows_of[number]);
}

static void cell(long number, void *table)
{
    ((int *)table)[number]++;
}

struct order {
    long next, wrong;
};

static void in_order(long number, void *given)
{
    struct order *order = given;
    cedar_await();
    order->wrong += order->next != number;
    order->next = number + 1;
    cedar_advance();
}

static int all_are(int wanted)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (had[i][j] != wanted)
                return 0;
    return 1;
}

static void nothing(long number, void *data)
{
    (void)number, (void)data;
}
static void loop_in_region(long number, void *data)
{
    (void)number, (void)data;
    cedar_await();
    cedar_xdoall(1, 2, nothing, 0);
    cedar_advance();
}
static void no_end(long number, void *data)
{
    (void)number, (void)data;
    cedar_await();
}
static void twice(long number, void *data)
{
    in_order(number, data);
    cedar_await();
}
static void again(long number, void *data)
{
    in_order(number, data);
    in_order(number, data);
}

/* Loops of a region that may have one thread, and of one that may have three. */
static void in_limits(void)
{
    struct order order[2] = {{1, 0}, {1, 0}};
#pragma omp target thread_limit(1)
    {
        printf("%d of each\n", cedar_processors());
        cedar_xdoall(0, rows * columns - 1, cell, had);
        cedar_sdoall(0, rows - 1, row, had);
        cedar_doacross(1, 300, in_order, &order[0]);
    }
#pragma omp teams num_teams(1) thread_limit(3)
    {
        printf("%d of each\n", cedar_processors());
        cedar_xdoall(0, rows * columns - 1, cell, had);
        cedar_sdoall(0, rows - 1, row, had);
        cedar_doacross(1, 300, in_order, &order[1]);
    }
    cedar_xdoall(0, rows * columns - 1, cell, had);
    printf("xdoall and sdoall %d\n", all_are(5));
    printf("doacross %ld %ld\n", order[0].next + order[1].next, order[0].wrong + order[1].wrong);
}

int main(int argc, char **argv)
{
    struct order order = {1, 0};
    if (argc > 1) {
        if (strcmp(argv[1], "limits") == 0)
            in_limits();
        if (strcmp(argv[1], "loop") == 0)
            cedar_doacross(1, 4, loop_in_region, 0);
        if (strcmp(argv[1], "no-end") == 0)
            cedar_doacross(1, 4, no_end, 0);
        if (strcmp(argv[1], "twice") == 0)
            cedar_doacross(1, 4, twice, &order);
        if (strcmp(argv[1], "again") == 0)
            cedar_doacross(1, 4, again, &order);
        if (strcmp(argv[1], "outside") == 0)
            cedar_await();
        if (strcmp(argv[1], "advance") == 0)
            cedar_advance();
        return 0;
    }
    cedar_sdoall(0, rows - 1, row, had);
    printf("sdoall %d\n", all_are(1));
    cedar_xdoall(0, rows * columns - 1, cell, had);
    printf("xdoall %d\n", all_are(2));
    cedar_cdoall(0, rows * columns - 1, cell, had);
    printf("cdoall %d\n", all_are(3));
    cedar_xdoall(5, 4, cell, had);
    cedar_doacross(1, 300, in_order, &order);
    printf("doacross %ld %ld\n", order.next, order.wrong);

    SDOALL(i, 0, rows - 1)
    {
        CDOALL(j, 0, columns - 1)
        {
            had[i][j]++;
        }
    }
    printf("SDOALL %d\n", all_are(4));
    XDOALL(i, 0, rows * columns - 1)
    {
        (&had[0][0])[i]++;
    }
    printf("XDOALL %d\n", all_are(5));
    order = (struct order){1, 0};
    DOACROSS(i, 1, 100)
    {
        ORDERED
        {
            order.wrong += order.next != i;
            order.next = i + 1;
        }
    }
    printf("DOACROSS %ld %ld\n", order.next, order.wrong);
    return 0;
}
