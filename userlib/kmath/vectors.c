/* SPDX-License-Identifier: MIT */
/* The vector calls of libkmath, for Fortran (name_, by reference) and C (name, by value). All vectors of a
 * call have its length, and each an increment; where that is negative it begins at its end, as in BLAS.
 *
 * A name is the type (d, s, i), then its operation read like a postfix formula, v for a vector and s for a
 * scalar: dsvtvp is scalar times vector, plus vector. Results may take the place of operands. */
#include <math.h>
#include <stdlib.h>

static long first(int count, int step)
{
    return step < 0 ? (long)(1 - count) * step : 0;
}

#define NX_EACH(count) for (int i = 0; i < (count); i++)
#define NX_AT(x) x[first(n, step_##x) + (long)i * step_##x]

/* What the caller passes, by value and by reference. */
#define NX_VECTOR(type, x) const type *x, int step_##x
#define NX_RESULT(type, x) type *x, int step_##x
#define NX_VECTOR_(type, x) const type *x, const int *step_##x
#define NX_RESULT_(type, x) type *x, const int *step_##x

#define NX_IN_PLACE(name, type, formula)            \
    void name(int n, NX_RESULT(type, z))            \
    {                                               \
        NX_EACH(n) NX_AT(z) = formula;              \
    }                                               \
    void name##_(const int *n, NX_RESULT_(type, z)) \
    {                                               \
        name(*n, z, *step_z);                       \
    }

#define NX_FILL(name, type)                                        \
    void name(int n, type a, NX_RESULT(type, z))                   \
    {                                                              \
        NX_EACH(n) NX_AT(z) = a;                                   \
    }                                                              \
    void name##_(const int *n, const type *a, NX_RESULT_(type, z)) \
    {                                                              \
        name(*n, *a, z, *step_z);                                  \
    }

#define NX_UNARY(name, from, to, formula)                              \
    void name(int n, NX_VECTOR(from, x), NX_RESULT(to, z))             \
    {                                                                  \
        NX_EACH(n) NX_AT(z) = (to)(formula);                           \
    }                                                                  \
    void name##_(const int *n, NX_VECTOR_(from, x), NX_RESULT_(to, z)) \
    {                                                                  \
        name(*n, x, *step_x, z, *step_z);                              \
    }

#define NX_SCALAR(name, type, formula)                                                  \
    void name(int n, type a, NX_VECTOR(type, x), NX_RESULT(type, z))                    \
    {                                                                                   \
        NX_EACH(n) NX_AT(z) = formula;                                                  \
    }                                                                                   \
    void name##_(const int *n, const type *a, NX_VECTOR_(type, x), NX_RESULT_(type, z)) \
    {                                                                                   \
        name(*n, *a, x, *step_x, z, *step_z);                                           \
    }

#define NX_SCALARS(name, type, formula)                                                                \
    void name(int n, type a, type b, NX_VECTOR(type, x), NX_RESULT(type, z))                           \
    {                                                                                                  \
        NX_EACH(n) NX_AT(z) = formula;                                                                 \
    }                                                                                                  \
    void name##_(const int *n, const type *a, const type *b, NX_VECTOR_(type, x), NX_RESULT_(type, z)) \
    {                                                                                                  \
        name(*n, *a, *b, x, *step_x, z, *step_z);                                                      \
    }

#define NX_BINARY(name, type, formula)                                                        \
    void name(int n, NX_VECTOR(type, x), NX_VECTOR(type, y), NX_RESULT(type, z))              \
    {                                                                                         \
        NX_EACH(n) NX_AT(z) = formula;                                                        \
    }                                                                                         \
    void name##_(const int *n, NX_VECTOR_(type, x), NX_VECTOR_(type, y), NX_RESULT_(type, z)) \
    {                                                                                         \
        name(*n, x, *step_x, y, *step_y, z, *step_z);                                         \
    }

#define NX_TRIAD(name, type, formula)                                                                        \
    void name(int n, type a, NX_VECTOR(type, x), NX_VECTOR(type, y), NX_RESULT(type, z))                     \
    {                                                                                                        \
        NX_EACH(n) NX_AT(z) = formula;                                                                       \
    }                                                                                                        \
    void name##_(const int *n, const type *a, NX_VECTOR_(type, x), NX_VECTOR_(type, y), NX_RESULT_(type, z)) \
    {                                                                                                        \
        name(*n, *a, x, *step_x, y, *step_y, z, *step_z);                                                    \
    }

#define NX_VECTOR_TRIAD(name, type, formula)                                                         \
    void name(int n, NX_VECTOR(type, w), NX_VECTOR(type, x), NX_VECTOR(type, y), NX_RESULT(type, z)) \
    {                                                                                                \
        NX_EACH(n) NX_AT(z) = formula;                                                               \
    }                                                                                                \
    void name##_(const int *n, NX_VECTOR_(type, w), NX_VECTOR_(type, x), NX_VECTOR_(type, y),        \
                 NX_RESULT_(type, z))                                                                \
    {                                                                                                \
        name(*n, w, *step_w, x, *step_x, y, *step_y, z, *step_z);                                    \
    }

#define NX_REDUCTION(name, from, to, start, step) \
    to name(int n, NX_VECTOR(from, x))            \
    {                                             \
        to result = start;                        \
        NX_EACH(n) step;                          \
        return result;                            \
    }                                             \
    to name##_(const int *n, NX_VECTOR_(from, x)) \
    {                                             \
        return name(*n, x, *step_x);              \
    }

/* The place, from 1, of the first element that no other is better than; 0: there is none. */
#define NX_BEST(name, type, better)                                                                   \
    int name(int n, NX_VECTOR(type, x))                                                               \
    {                                                                                                 \
        int best = n > 0 ? 1 : 0;                                                                     \
        NX_EACH(n) if (NX_AT(x) better x[first(n, step_x) + (long)(best - 1) * step_x]) best = i + 1; \
        return best;                                                                                  \
    }                                                                                                 \
    int name##_(const int *n, NX_VECTOR_(type, x))                                                    \
    {                                                                                                 \
        return name(*n, x, *step_x);                                                                  \
    }

#define NX_ARITHMETIC(t, type, largest)                                                                      \
    NX_FILL(t##fill, type)                                                                                   \
    NX_IN_PLACE(t##zero, type, 0)                                                                            \
    NX_IN_PLACE(t##neg, type, -NX_AT(z))                                                                     \
    NX_UNARY(t##vneg, type, type, -NX_AT(x))                                                                 \
    NX_UNARY(t##vabs, type, type, NX_AT(x) < 0 ? -NX_AT(x) : NX_AT(x))                                       \
    NX_UNARY(t##vsgn, type, type, (NX_AT(x) > 0) - (NX_AT(x) < 0))                                           \
    NX_SCALAR(t##sadd, type, a + NX_AT(x))                                                                   \
    NX_SCALAR(t##ssub, type, a - NX_AT(x))                                                                   \
    NX_SCALAR(t##smul, type, a *NX_AT(x))                                                                    \
    NX_BINARY(t##vadd, type, NX_AT(x) + NX_AT(y))                                                            \
    NX_BINARY(t##vsub, type, NX_AT(x) - NX_AT(y))                                                            \
    NX_BINARY(t##vmul, type, NX_AT(x) * NX_AT(y))                                                            \
    NX_BINARY(t##vdiv, type, NX_AT(x) / NX_AT(y))                                                            \
    NX_BINARY(t##vmax, type, NX_AT(x) > NX_AT(y) ? NX_AT(x) : NX_AT(y))                                      \
    NX_BINARY(t##vmin, type, NX_AT(x) < NX_AT(y) ? NX_AT(x) : NX_AT(y))                                      \
    NX_BINARY(t##vamax, type, largest(NX_AT(x)) > largest(NX_AT(y)) ? largest(NX_AT(x)) : largest(NX_AT(y))) \
    NX_REDUCTION(t##sum, type, type, 0, result += NX_AT(x))                                                  \
    NX_BEST(i##t##max, type, >)                                                                              \
    NX_BEST(i##t##min, type, <)

#define NX_REAL(t, type, suffix)                                      \
    NX_SCALAR(t##sdiv, type, a / NX_AT(x))                            \
    NX_UNARY(t##vrecp, type, type, 1 / NX_AT(x))                      \
    NX_UNARY(t##vsqrt, type, type, sqrt##suffix(NX_AT(x)))            \
    NX_UNARY(t##vexp, type, type, exp##suffix(NX_AT(x)))              \
    NX_UNARY(t##vlog, type, type, log##suffix(NX_AT(x)))              \
    NX_UNARY(t##vlg10, type, type, log10##suffix(NX_AT(x)))           \
    NX_UNARY(t##vsin, type, type, sin##suffix(NX_AT(x)))              \
    NX_UNARY(t##vcos, type, type, cos##suffix(NX_AT(x)))              \
    NX_UNARY(t##vatan, type, type, atan##suffix(NX_AT(x)))            \
    NX_BINARY(t##vatn2, type, atan2##suffix(NX_AT(x), NX_AT(y)))      \
    NX_BINARY(t##vpow, type, pow##suffix(NX_AT(x), NX_AT(y)))         \
    NX_SCALARS(t##svtsp, type, a *NX_AT(x) + b)                       \
    NX_TRIAD(t##svtvp, type, a *NX_AT(x) + NX_AT(y))                  \
    NX_TRIAD(t##svtvm, type, a *NX_AT(x) - NX_AT(y))                  \
    NX_TRIAD(t##svpvt, type, (a + NX_AT(x)) * NX_AT(y))               \
    NX_TRIAD(t##svmvt, type, (a - NX_AT(x)) * NX_AT(y))               \
    NX_TRIAD(t##svvpt, type, a *(NX_AT(x) + NX_AT(y)))                \
    NX_TRIAD(t##svvmt, type, a *(NX_AT(x) - NX_AT(y)))                \
    NX_TRIAD(t##svvtp, type, a + NX_AT(x) * NX_AT(y))                 \
    NX_TRIAD(t##svvtm, type, a - NX_AT(x) * NX_AT(y))                 \
    NX_TRIAD(t##svvtt, type, a *NX_AT(x) * NX_AT(y))                  \
    NX_VECTOR_TRIAD(t##vvtvp, type, NX_AT(w) * NX_AT(x) + NX_AT(y))   \
    NX_VECTOR_TRIAD(t##vvtvm, type, NX_AT(w) * NX_AT(x) - NX_AT(y))   \
    NX_VECTOR_TRIAD(t##vvpvt, type, (NX_AT(w) + NX_AT(x)) * NX_AT(y)) \
    NX_VECTOR_TRIAD(t##vvmvt, type, (NX_AT(w) - NX_AT(x)) * NX_AT(y)) \
    NX_VECTOR_TRIAD(t##vvvtm, type, NX_AT(w) - NX_AT(x) * NX_AT(y))

NX_ARITHMETIC(d, double, fabs)
NX_ARITHMETIC(s, float, fabsf)
NX_ARITHMETIC(i, int, abs)
NX_REAL(d, double, )
NX_REAL(s, float, f)

NX_UNARY(icopy, int, int, NX_AT(x))
NX_UNARY(vdble, float, double, NX_AT(x))
NX_UNARY(vsngl, double, float, NX_AT(x))
NX_UNARY(dvfloa, int, double, NX_AT(x))
NX_UNARY(svfloa, int, float, NX_AT(x))
