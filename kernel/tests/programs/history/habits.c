/* SPDX-License-Identifier: MIT */
/* Habits of C before ANSI: no types, no declarations, any number of arguments, a static function before its
 * definition, one variable in every file, and names of the system's for functions of the program's own. */
#include <cube.h>
#include <stdio.h>
#include <stdlib.h>
#include <varargs.h>

int shared;
int shared;

extern int mynode(), numnodes();
extern int errno, printf();
extern char *malloc(), *sprintf(), *sys_errlist[];

int load(amount)
int amount;
{
    return 2 * amount;
}

say(va_alist) va_dcl
{
    va_list list;
    char *format;
    va_start(list);
    format = va_arg(list, char *);
    vprintf(format, list);
    va_end(list);
}

main(argc, argv) char **argv;
{
    shared = hidden(3);
    say("%s %d %.1f %d %d %d %d %d\n", "own", load(4), 2.5, shared, mynode(), argc, 6, 7);
    if (open("nowhere", 0) < 0)
        say("error %s\n", sys_errlist[errno]);
    narrow();
    exit(0);
}

/* Arrays of int where nx.h says long; what lies behind them stays as it was. */
narrow()
{
    int values[3], work[3], everybody[16], lengths[16], node, count;
    values[0] = mynode();
    values[1] = -1;
    values[2] = everybody[0] = work[2] = 99;
    gisum(values, 2, work);
    gihigh(&values[1], 1, work);
    for (node = 0; node < numnodes(); node++)
        lengths[node] = sizeof(int);
    gcolx(values, lengths, everybody);
    gcol(values, 4, everybody, 64, &count);
    informed();
    if (mynode() == 0)
        say("narrow %d %d %d %d %d %d\n", values[0], values[1], values[2], work[2], everybody[2], count);
}

informed()
{
    char text[4];
    int info[8], id, twice;
    info[0] = info[4] = 77;
    for (twice = 0; twice < 2; twice++)
        csend(31 + twice, "four", 4, mynode(), 0);
    if (!iprobex(31, mynode(), -1, info) || info[0] != 31 || info[1] != 4)
        say("iprobex %d %d\n", info[0], info[1]);
    crecvx(31, text, 4, -1, -1, info);
    id = irecvx(32, text, 4, -1, -1, &info[0]);
    msgwait(id);
    if (mynode() == 2)
        say("info %d %d %d %d %d, last %d\n", info[0], info[1], info[2], info[3], info[4], infotype());
    _gihigh(&info[2], 1, &info[1]);
    if (info[2] != 2 || info[3] != 0)
        say("_gihigh %d %d\n", info[2], info[3]);
}

static hidden(number) int number;
{
    return number + 1;
}
