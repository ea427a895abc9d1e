/* SPDX-License-Identifier: MIT */
/* What a program pays for a message that it hands over, and what it saves: a block of 128 bytes, the size of
 * simplex's pivot selection, is taken and given back; and as many bytes are copied. */
#include <nx.h>
#include <string.h>

enum { samples = 16, warm = 4, bytes = 128, alignment = 64 };

static double blocks[samples], copies[samples];

static double nanoseconds(unsigned long cycles)
{
    return 1e9 * (double)cycles / nx_cycles_per_second();
}

int main(void)
{
    char *from = nx_alloc_aligned(bytes, alignment), *to = nx_alloc_aligned(bytes, alignment);
    memset(from, 1, bytes);
    for (int i = -warm; i < samples; i++) {
        unsigned long start = nx_cycles();
        nx_free(nx_alloc_aligned(bytes, alignment));
        unsigned long middle = nx_cycles();
        memcpy(to, from, bytes);
        unsigned long end = nx_cycles();
        if (i < 0)
            continue;
        blocks[i] = nanoseconds(middle - start);
        copies[i] = nanoseconds(end - middle);
    }
    if (to[bytes - 1] != 1)
        return 1;
    nx_report("block", bytes, "", "ns", blocks, samples);
    nx_report("copy", bytes, "", "ns", copies, samples);
    return 0;
}
