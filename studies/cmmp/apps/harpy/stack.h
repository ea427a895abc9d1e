/* SPDX-License-Identifier: MIT */
/* What processes share work by. Items are numbers from 0. All of it lies in memory that all processes see,
 * and is argued for one phase, the time between two barriers: what was written before a barrier is seen
 * after it.
 *
 * A pool is filled in one phase and emptied in a later one. Its word holds how many items have been
 * taken and how many of their takers are still at work with one ("active"), so that both change in one
 * step.
 *
 * A stack is pushed to and popped from in the same phase. An item is pushed at most once in a phase, so
 * a top that has not changed says that nothing below has, and its link is not written while others read
 * it. */
#ifndef PARLEY_HARPY_STACK_H
#define PARLEY_HARPY_STACK_H

struct pool {
    unsigned long word __attribute__((aligned(64))); /* low 32 bits: taken; high 32 bits: active */
    unsigned count __attribute__((aligned(64)));
    int *items;
};

static const unsigned long pool_one_active = 1ul << 32;

/* In a phase in which nobody takes, or by the one process that runs. */
static inline void pool_clear(struct pool *pool)
{
    __atomic_store_n(&pool->word, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&pool->count, 0, __ATOMIC_RELAXED);
}

static inline void pool_push(struct pool *pool, int item)
{
    pool->items[__atomic_fetch_add(&pool->count, 1, __ATOMIC_RELAXED)] = item;
}

static inline unsigned pool_count(const struct pool *pool)
{
    return __atomic_load_n(&pool->count, __ATOMIC_RELAXED);
}

/* An item, or -1. `active`: pool_one_active, so that its taker is active until pool_lower(); or 0. */
static inline int pool_pop(struct pool *pool, unsigned long active)
{
    const unsigned count = pool_count(pool);
    unsigned long word = __atomic_load_n(&pool->word, __ATOMIC_RELAXED);
    while ((unsigned)word < count)
        if (__atomic_compare_exchange_n(&pool->word, &word, word + 1 + active, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
            return pool->items[(unsigned)word];
    return -1;
}

/* Whether all items are taken and nobody is active; then nobody will be in this phase. What the takers have
 * pushed elsewhere before they were lowered is seen then. */
static inline int pool_is_over(const struct pool *pool)
{
    return __atomic_load_n(&pool->word, __ATOMIC_SEQ_CST) == pool_count(pool);
}

static inline int pool_has_some(const struct pool *pool)
{
    return (unsigned)__atomic_load_n(&pool->word, __ATOMIC_SEQ_CST) < pool_count(pool);
}

/* Its taker is no longer active. Whether the pool is over by that. */
static inline int pool_lower(struct pool *pool)
{
    return __atomic_sub_fetch(&pool->word, pool_one_active, __ATOMIC_SEQ_CST) == pool_count(pool);
}

struct stack {
    unsigned top __attribute__((aligned(64))); /* item + 1, 0: empty */
};

/* `below` has a place for every item, and is shared by all stacks that an item may be in. */
static inline void stack_push(struct stack *stack, unsigned *below, int item)
{
    unsigned top = __atomic_load_n(&stack->top, __ATOMIC_RELAXED);
    do
        below[item] = top;
    while (!__atomic_compare_exchange_n(&stack->top, &top, (unsigned)item + 1, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED));
}

/* An item, or -1. Acquire: pairs with the push of the top, and of all below, since only read-modify-write
 * steps have changed the top since. */
static inline int stack_pop(struct stack *stack, const unsigned *below)
{
    unsigned top = __atomic_load_n(&stack->top, __ATOMIC_ACQUIRE);
    while (top) {
        const unsigned next = below[top - 1];
        if (__atomic_compare_exchange_n(&stack->top, &top, next, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            break;
    }
    return (int)top - 1;
}

static inline int stack_has_some(const struct stack *stack)
{
    return __atomic_load_n(&stack->top, __ATOMIC_SEQ_CST) != 0;
}

#endif
