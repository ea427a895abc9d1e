/* SPDX-License-Identifier: MIT */
/* Habits of C before ANSI: no types, no declarations, any number of arguments, a static function before its
 * definition, one variable in every file, and names of the system's for functions of the program's own. */
#include <cube.h>
#include <varargs.h>

int shared;
int shared;

extern int mynode(), numnodes();

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
    exit(0);
}

static hidden(number) int number;
{
    return number + 1;
}
