/* SPDX-License-Identifier: MIT */
/* A task force: identical processes that meet at barriers, the last of whom does what one alone must do and
 * then wakes the others one by one. They wait at semaphores only, each at its own; a process waits in one
 * place at a time, and every V is meant for one P, so a semaphore that counts to 1 is enough. */
#ifndef PARLEY_HARPY_FORCE_H
#define PARLEY_HARPY_FORCE_H

enum { most_processes = 12 };

/* What a process has to wait with, and to look at. */
struct surroundings {
    void (*p)(long semaphore);
    void (*v)(long semaphore);
    unsigned long (*cycles)(void);
    long semaphores[most_processes]; /* of each process, 0 at first */
};

/* In memory that all processes see; begins as zeros with `processes` set. */
struct force {
    long processes;
    unsigned arrived __attribute__((aligned(64)));
    unsigned long idle __attribute__((aligned(64))); /* a bit for each process that waits for work */
};

/* Whether this process is the last to arrive, and so to call force_go_on(); the others come back when it has,
 * and see all that was done before. */
int force_arrive(struct force *force, const struct surroundings *around, long process);
void force_go_on(struct force *force, const struct surroundings *around, long process);

/* Waits until force_wake() chooses this process, unless `sight(what)` tells that there is work, or no more
 * of it, once the process has said that it waits. Whoever makes work does so by a sequentially consistent
 * step and calls force_wake() then: of the two, each first writes and then reads what the other writes, so
 * one at least sees the other, and no wake-up is lost. */
void force_wait(struct force *force, const struct surroundings *around, long process,
                int (*sight)(const void *what), const void *what);

/* Wakes as many of those that wait for work, at most. */
void force_wake(struct force *force, const struct surroundings *around, long count);

#endif
