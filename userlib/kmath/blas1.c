/* SPDX-License-Identifier: MIT */
/* The calls of BLAS-1 for C, by value, over those for Fortran, which are libblas. */
#define NX_BLAS(t, type)                                                                             \
    void t##copy_(const int *, const type *, const int *, type *, const int *);                      \
    void t##swap_(const int *, type *, const int *, type *, const int *);                            \
    void t##scal_(const int *, const type *, type *, const int *);                                   \
    void t##axpy_(const int *, const type *, const type *, const int *, type *, const int *);        \
    void t##rot_(const int *, type *, const int *, type *, const int *, const type *, const type *); \
    void t##rotg_(type *, type *, type *, type *);                                                   \
    type t##dot_(const int *, const type *, const int *, const type *, const int *);                 \
    type t##nrm2_(const int *, const type *, const int *);                                           \
    type t##asum_(const int *, const type *, const int *);                                           \
    int i##t##amax_(const int *, const type *, const int *);                                         \
    void t##copy(int n, const type *x, int incx, type *y, int incy)                                  \
    {                                                                                                \
        t##copy_(&n, x, &incx, y, &incy);                                                            \
    }                                                                                                \
    void t##swap(int n, type *x, int incx, type *y, int incy)                                        \
    {                                                                                                \
        t##swap_(&n, x, &incx, y, &incy);                                                            \
    }                                                                                                \
    void t##scal(int n, type a, type *x, int incx)                                                   \
    {                                                                                                \
        t##scal_(&n, &a, x, &incx);                                                                  \
    }                                                                                                \
    void t##axpy(int n, type a, const type *x, int incx, type *y, int incy)                          \
    {                                                                                                \
        t##axpy_(&n, &a, x, &incx, y, &incy);                                                        \
    }                                                                                                \
    void t##rot(int n, type *x, int incx, type *y, int incy, type c, type s)                         \
    {                                                                                                \
        t##rot_(&n, x, &incx, y, &incy, &c, &s);                                                     \
    }                                                                                                \
    void t##rotg(type *a, type *b, type *c, type *s)                                                 \
    {                                                                                                \
        t##rotg_(a, b, c, s);                                                                        \
    }                                                                                                \
    type t##dot(int n, const type *x, int incx, const type *y, int incy)                             \
    {                                                                                                \
        return t##dot_(&n, x, &incx, y, &incy);                                                      \
    }                                                                                                \
    type t##nrm2(int n, const type *x, int incx)                                                     \
    {                                                                                                \
        return t##nrm2_(&n, x, &incx);                                                               \
    }                                                                                                \
    type t##asum(int n, const type *x, int incx)                                                     \
    {                                                                                                \
        return t##asum_(&n, x, &incx);                                                               \
    }                                                                                                \
    int i##t##amax(int n, const type *x, int incx)                                                   \
    {                                                                                                \
        return i##t##amax_(&n, x, &incx);                                                            \
    }

NX_BLAS(d, double)
NX_BLAS(s, float)
