/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>

static struct point *need_points(long count)
{
    struct point *points = malloc((size_t)count * sizeof *points);
    if (!points) {
        fprintf(stderr, "fft: no memory to check %ld points\n", count);
        exit(1);
    }
    return points;
}

static struct point sum(struct point left, struct point right)
{
    return (struct point){left.real + right.real, left.imaginary + right.imaginary};
}

long reference_frequency(long node, long nodes, long i, long count)
{
    return fft_reverse(node * (count / nodes) + i, fft_log2(count));
}

/* All count roots of unity: exp(-2 pi i k / count). */
static struct point *need_roots(long count)
{
    struct point *roots = need_points(count);
    for (long k = 0; k < count; k++)
        roots[k] = fft_turn((double)(2 * k) / (double)count);
    return roots;
}

void reference_direct(struct point *spectrum, enum signal_kind kind, long node, long nodes, long count)
{
    struct point *roots = need_roots(count), *signal = need_points(count);
    for (long t = 0; t < count; t++)
        signal[t] = signal_at(kind, t, count);
    for (long i = 0; i < count / nodes; i++) {
        long frequency = reference_frequency(node, nodes, i, count);
        struct point total = {0, 0};
        for (long t = 0; t < count; t++)
            total = sum(total, fft_product(signal[t], roots[frequency * t & (count - 1)]));
        spectrum[i] = total;
    }
    free(signal);
    free(roots);
}

/* out[q] = sum of in[s * stride] * roots[q * s * root_stride], count values of each. */
static void transform(struct point *out, const struct point *in, long stride, const struct point *roots,
                      long root_stride, long count)
{
    if (count == 1) {
        out[0] = in[0];
        return;
    }
    long half = count / 2;
    transform(out, in, 2 * stride, roots, 2 * root_stride, half);
    transform(out + half, in + stride, 2 * stride, roots, 2 * root_stride, half);
    for (long q = 0; q < half; q++) {
        struct point even = out[q], odd = fft_product(out[q + half], roots[q * root_stride]);
        out[q] = sum(even, odd);
        out[q + half] = (struct point){even.real - odd.real, even.imaginary - odd.imaginary};
    }
}

/* A node's frequencies are residue + nodes * q: the sum over t of signal[s + part * t] is made for each s,
 * turned, and transformed over the `part` values of s. */
void reference_recursive(struct point *spectrum, enum signal_kind kind, long node, long nodes, long count)
{
    long part = count / nodes, residue = fft_reverse(node, fft_log2(nodes));
    struct point *sums = need_points(part), *out = need_points(part), *roots = need_roots(part);
    for (long s = 0; s < part; s++) {
        struct point total = {0, 0};
        for (long t = 0; t < nodes; t++) {
            struct point turn = fft_turn((double)(2 * (t * residue % nodes)) / (double)nodes);
            total = sum(total, fft_product(signal_at(kind, s + part * t, count), turn));
        }
        sums[s] = fft_product(total, fft_turn((double)(2 * s * residue) / (double)count));
    }
    transform(out, sums, 1, roots, 1, part);
    for (long i = 0; i < part; i++)
        spectrum[i] = out[fft_reverse(i, fft_log2(part))];
    free(roots);
    free(out);
    free(sums);
}
