/* SPDX-License-Identifier: MIT */
/* The calls that take arrays of long, for arrays of int: on the machines of the time these were the same, and
 * programs passed either. Included by nx.h. A call with pointers to int works on elements of 32 bits. A
 * program's own declaration without arguments, extern void gisum(), passes unchanged. */
#ifndef PARLEY_NX_NARROW_H
#define PARLEY_NX_NARROW_H

#ifdef __cplusplus
extern "C" {
#endif

void nx_narrow_gsendx(long type, const void *buffer, long length, const int nodes[], long count);
void nx_narrow_gcol(void *x, long bytes, void *y, long y_bytes, int *count);
void nx_narrow_gcolx(void *x, const int lengths[], void *y);
#define NX_NARROW(name) void nx_narrow_##name(int x[], long n, int work[]);
#define NX_REDUCTIONS(X) \
    X(gisum) X(giprod) X(gihigh) X(gilow) X(giand) X(gior) X(gixor) X(gland) X(glor) X(glxor)
NX_REDUCTIONS(NX_NARROW)

#ifdef __cplusplus
}

extern "C++" {
#define NX_OVERLOAD(name)                                \
    static inline void name(int x[], long n, int work[]) \
    {                                                    \
        nx_narrow_##name(x, n, work);                    \
    }
NX_REDUCTIONS(NX_OVERLOAD)
static inline void gsendx(long type, const void *buffer, long length, int nodes[], long count)
{
    nx_narrow_gsendx(type, buffer, length, nodes, count);
}
static inline void gcol(void *x, long bytes, void *y, long y_bytes, int *count)
{
    nx_narrow_gcol(x, bytes, y, y_bytes, count);
}
static inline void gcolx(void *x, int lengths[], void *y)
{
    nx_narrow_gcolx(x, lengths, y);
}
}

#else

/* name() where it stands without arguments, else the call that the type of the array wants. */
#define NX_BARE(name) name()
#define NX_CHOOSE(name, array) \
    _Generic((array), int *: nx_narrow_##name, unsigned int *: nx_narrow_##name, default: name)
#define NX_BARE_REDUCE(name, x, n, work) NX_CHOOSE(name, x)((void *)(x), n, (void *)(work))
#define NX_BARE_SENDX(name, type, buffer, length, nodes, count) \
    NX_CHOOSE(name, nodes)(type, buffer, length, (void *)(nodes), count)
#define NX_BARE_COL(name, x, bytes, y, y_bytes, count) \
    NX_CHOOSE(name, count)(x, bytes, y, y_bytes, (void *)(count))
#define NX_BARE_COLX(name, x, lengths, y) NX_CHOOSE(name, lengths)(x, (void *)(lengths), y)

#define gisum(...) NX_BARE##__VA_OPT__(_REDUCE)(gisum __VA_OPT__(, ) __VA_ARGS__)
#define giprod(...) NX_BARE##__VA_OPT__(_REDUCE)(giprod __VA_OPT__(, ) __VA_ARGS__)
#define gihigh(...) NX_BARE##__VA_OPT__(_REDUCE)(gihigh __VA_OPT__(, ) __VA_ARGS__)
#define gilow(...) NX_BARE##__VA_OPT__(_REDUCE)(gilow __VA_OPT__(, ) __VA_ARGS__)
#define giand(...) NX_BARE##__VA_OPT__(_REDUCE)(giand __VA_OPT__(, ) __VA_ARGS__)
#define gior(...) NX_BARE##__VA_OPT__(_REDUCE)(gior __VA_OPT__(, ) __VA_ARGS__)
#define gixor(...) NX_BARE##__VA_OPT__(_REDUCE)(gixor __VA_OPT__(, ) __VA_ARGS__)
#define gland(...) NX_BARE##__VA_OPT__(_REDUCE)(gland __VA_OPT__(, ) __VA_ARGS__)
#define glor(...) NX_BARE##__VA_OPT__(_REDUCE)(glor __VA_OPT__(, ) __VA_ARGS__)
#define glxor(...) NX_BARE##__VA_OPT__(_REDUCE)(glxor __VA_OPT__(, ) __VA_ARGS__)
#define gsendx(...) NX_BARE##__VA_OPT__(_SENDX)(gsendx __VA_OPT__(, ) __VA_ARGS__)
#define gcol(...) NX_BARE##__VA_OPT__(_COL)(gcol __VA_OPT__(, ) __VA_ARGS__)
#define gcolx(...) NX_BARE##__VA_OPT__(_COLX)(gcolx __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
