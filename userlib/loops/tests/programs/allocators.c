/* SPDX-License-Identifier: MIT
 * Memory by OpenMP's allocators: how it is aligned, pools, and what happens when one is empty; prints what is
 * the same with any runtime and any number of threads. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { POOL = 4096 };

static int is_aligned(const void *memory, uintptr_t bytes)
{
    return memory != NULL && (uintptr_t)memory % bytes == 0;
}

static void plain(void)
{
    int *one = omp_alloc(3 * sizeof *one, omp_default_mem_alloc);
    one[2] = 7;
    one = omp_realloc(one, 300 * sizeof *one, omp_null_allocator, omp_null_allocator);
    const int kept = one[2];
    /* What was written before is in memory that is used again. */
    void *const used = omp_alloc(120, omp_large_cap_mem_alloc);
    memset(used, 1, 120);
    omp_free(used, omp_large_cap_mem_alloc);
    unsigned char *const clear = omp_calloc(40, 3, omp_large_cap_mem_alloc);
    int set = 0;
    for (int at = 0; at < 120; at++)
        set += clear[at];
    void *const aligned = omp_aligned_alloc(256, 10, omp_null_allocator);
    void *const both = omp_aligned_calloc(512, 10, 2, omp_thread_mem_alloc);
    printf("plain %d %d %d %d, nothing %d\n", kept, set, is_aligned(aligned, 256), is_aligned(both, 512),
           omp_alloc(0, omp_null_allocator) == NULL);
    omp_free(one, omp_default_mem_alloc);
    omp_free(clear, omp_null_allocator);
    omp_free(aligned, omp_null_allocator);
    omp_free(both, omp_null_allocator);
}

static void pools(void)
{
    const omp_alloctrait_t small[] = {
        {omp_atk_alignment, 128}, {omp_atk_fallback, omp_atv_null_fb}, {omp_atk_pool_size, POOL}};
    const omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 3, small);
    int *const first = omp_alloc(sizeof *first, pool);
    first[0] = 5;
    int *const grown = omp_realloc(first, POOL - 1024, pool, pool);
    void *const refused = omp_alloc(1024, pool);
    printf("pool %d %d %d", is_aligned(grown, 128), grown[0], refused == NULL);
    omp_free(grown, pool);
    void *const again = omp_alloc(POOL - 1024, pool);
    printf(" %d\n", is_aligned(again, 128));
    omp_free(again, pool);

    const omp_alloctrait_t tight[] = {{omp_atk_fallback, omp_atv_null_fb}, {omp_atk_pool_size, POOL}};
    const omp_allocator_handle_t one = omp_init_allocator(omp_default_mem_space, 2, tight);
    char *held = omp_alloc(POOL - 1025, one);
    held[POOL - 1026] = 9;
    held = omp_realloc(held, POOL - 1024, one, one);
    printf("in its place %d %d\n", held[POOL - 1026], omp_realloc(held, POOL, one, one) == NULL);
    omp_free(held, one);
    omp_destroy_allocator(one);

    const omp_alloctrait_t other[] = {{omp_atk_fallback, omp_atv_allocator_fb},
                                      {omp_atk_fb_data, (omp_uintptr_t)pool},
                                      {omp_atk_pool_size, 16}};
    const omp_allocator_handle_t chain = omp_init_allocator(omp_default_mem_space, 3, other);
    void *const from_pool = omp_alloc(1024, chain), *const too_much = omp_alloc(2 * POOL, chain);
    const omp_alloctrait_t falls[] = {{omp_atk_pool_size, 16}};
    const omp_allocator_handle_t falling = omp_init_allocator(omp_default_mem_space, 1, falls);
    void *const from_default = omp_alloc(1024, falling);
    const omp_alloctrait_t odd[] = {{omp_atk_alignment, 3}};
    printf("falls %d %d %d, none %d\n", is_aligned(from_pool, 128), too_much == NULL, from_default != NULL,
           omp_init_allocator(omp_default_mem_space, 1, odd) == omp_null_allocator);
    omp_free(from_pool, chain);
    omp_free(from_default, falling);
    omp_destroy_allocator(falling);
    omp_destroy_allocator(chain);
    omp_destroy_allocator(pool);
}

static void constructs(void)
{
    const omp_alloctrait_t lines[] = {{omp_atk_alignment, 64}};
    const omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 1, lines);
    int values[5] = {1, 2, 3, 4, 5}, aligned = 0, size = 0, sum = 0, wrong = 0;
#pragma omp parallel firstprivate(values) allocate(allocator : values) reduction(+ : aligned, sum, size)
    {
        size = 1;
        aligned = is_aligned(values, 64);
        values[4] += omp_get_thread_num();
        sum = values[4] - omp_get_thread_num();
    }
    printf("construct %d %d %d\n", aligned == size, sum == 5 * size, values[4]);
#pragma omp parallel reduction(+ : wrong)
    {
        omp_set_default_allocator(allocator);
        char *const own = omp_alloc(10, omp_null_allocator);
        wrong += !is_aligned(own, 64) || omp_get_default_allocator() != allocator;
        omp_free(own, omp_null_allocator);
    }
    printf("default %d %d\n", wrong, omp_get_default_allocator() == omp_default_mem_alloc);
    omp_destroy_allocator(allocator);
}

int main(void)
{
    plain();
    pools();
    constructs();
    return 0;
}
