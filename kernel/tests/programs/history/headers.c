/* SPDX-License-Identifier: MIT */
/* A file whose header knows less of it than a compiler of today asks for: the header comes first. */
#include "headers.h"
#include <cube.h>
#include <nxmalloc.h>
#include <stdio.h>

struct pair {
    int a, b;
};

static char table[] = "table";
static double half = 0.5;

main()
{
    char cube[NAMELEN], *room = malloc(8);
    struct pair pair;
    struct list list;
    list.twice = 0;
    pair.a = 1;
    pair.b = 2;
    PASTED(pri, ntf)("%s %d %d %.2f %d %d %s ", table, hidden(4), twice(4), scale(3.0), swap(&pair)->a,
                     sizeof cube, TEXT(a name));
    errno = 0;
    if (open("nowhere", 0) < 0 && errno == 2 && room != NULL && TRUE && !FALSE)
        printf("node %d of %d\n", mynode(), numnodes());
    return 0;
}

static hidden(number) int number;
{
    return number + 1;
}

static int twice(number)
int number;
{
    return 2 * number;
}

static double scale(number)
double number;
{
    return half * number;
}

static struct pair *swap(pair)
struct pair *pair;
{
    int a = pair->a;
    pair->a = pair->b;
    pair->b = a;
    return pair;
}
