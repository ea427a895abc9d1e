/* SPDX-License-Identifier: MIT */
/* What pids_host loads: answers orders until one is negative. */
#include <cube.h>

int main(void)
{
    int order;
    for (;;) {
        crecv(1, &order, sizeof order);
        if (order < 0)
            return 0;
        long sum = mynode(), work;
        gisum(&sum, 1, &work);
        int answer[3] = {(int)mynode(), (int)mypid(), (int)sum};
        csend(2, answer, sizeof answer, myhost(), 100);
    }
}
