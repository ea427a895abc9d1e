/* SPDX-License-Identifier: MIT */
/* Addresses in ints, as on machines where both had 32 bits: static, heap, large and stack memory, and
 * functions that nobody declared. */
#include <stdio.h>

extern int errno;
static int words[4];

fits(address) char *address;
{
    int kept = (int)address;
    return (char *)kept == address;
}

main()
{
    int local = 7, small = (int)malloc(100), large = (int)malloc(40000000);
    int clock[4], text;
    clock[0] = clock[1] = 0;
    text = (int)ctime(clock);
    *(int *)small = 5;
    ((int *)large)[9999999] = 6;
    printf("fits %d%d%d%d\n", fits(words), fits(&local), fits(main), fits((char *)large));
    open("nowhere", 0);
    printf("%.3s %d %d %d\n", (char *)text, *(int *)small, ((int *)large)[9999999], errno);
    exit(0);
}
