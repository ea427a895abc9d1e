/* SPDX-License-Identifier: MIT */
/* What pids_host loads: carries out orders until one is negative. */
#include "pids.h"

#include <cube.h>

static void greet(void)
{
    long sum = mynode(), work;
    gisum(&sum, 1, &work);
    int answer[3] = {(int)mynode(), (int)mypid(), (int)sum};
    csend(type_answer, answer, sizeof answer, myhost(), host_pid);
}

/* Whether a message is here that nobody has received. */
static void look(void)
{
    int there = (int)iprobe(type_left), value = 0;
    if (there)
        crecv(type_left, &value, sizeof value);
    csend(type_answer, &value, sizeof value, myhost(), host_pid);
}

static void flood(void)
{
    static char bytes[flood_bytes];
    for (int i = 0; i < flood_messages; i++)
        csend(type_flood, bytes, flood_bytes, myhost(), host_pid);
    csend(type_answer, bytes, 0, myhost(), host_pid);
}

int main(void)
{
    for (;;) {
        int order;
        crecv(type_order, &order, sizeof order);
        if (order == order_greet)
            greet();
        if (order == order_look)
            look();
        if (order == order_flood)
            flood();
        if (order == order_ask) { /* ends when the host, which waits for that, has answered */
            csend(type_ask, &order, sizeof order, myhost(), host_pid);
            crecv(type_reply, &order, sizeof order);
        }
        if (order == order_rename) {
            setpid(mypid() == 0 ? other_pid : 0);
            csend(type_answer, &order, sizeof order, myhost(), host_pid);
        }
        if (order != order_greet && order != order_look && order != order_rename)
            return 0;
    }
}
