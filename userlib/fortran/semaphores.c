/* SPDX-License-Identifier: MIT */
/* P and V for Fortran: ID = NXSEMAPHORE(NUMBER, COUNT), CALL P(ID), CALL V(ID), CALL NXVALL(IDS, COUNT). A
 * file of their own, so that only programs that call them have them. */
#include <nx_semaphores.h>

int nxsemaphore_(const int *number, const int *count);
void p_(const int *semaphore);
void v_(const int *semaphore);
void nxvall_(const int *semaphores, const int *count);

int nxsemaphore_(const int *number, const int *count)
{
    return (int)nx_semaphore(*number, *count);
}

void p_(const int *semaphore)
{
    P(*semaphore);
}

void v_(const int *semaphore)
{
    V(*semaphore);
}

void nxvall_(const int *semaphores, const int *count)
{
    const int number = *count < 0 ? 0 : *count;
    long ids[number + 1];
    for (int i = 0; i < number; i++)
        ids[i] = semaphores[i];
    nx_v_all(ids, *count);
}
