/* SPDX-License-Identifier: MIT */
/* The calls that take arrays of long or addresses of longs, for those of int: on the machines of the time
 * these were the same, and programs passed either. Included by nx.h. A call with pointers to int works on
 * elements of 32 bits. Where a call has several arrays, all are of one type; the compiler refuses others. In
 * C++ waitone, nx_load, nx_loadve and nx_app_rect take long alone. A program's own declaration without
 * arguments, extern void gisum(), passes unchanged. */
#ifndef PARLEY_NX_NARROW_H
#define PARLEY_NX_NARROW_H

#include <nx_narrow_calls.h>

#ifdef __cplusplus
extern "C++" {
#define NX_OVERLOAD(name)                                   \
    static inline void name(int x[], long n, int work[])    \
    {                                                       \
        nx_narrow_##name(x, n, work);                       \
    }                                                       \
    static inline long _##name(int x[], long n, int work[]) \
    {                                                       \
        return nx_narrow__##name(x, n, work);               \
    }
NX_REDUCTIONS(NX_OVERLOAD)
#define NX_FORWARD(kind, name, parameters, arguments) \
    static inline kind name parameters                \
    {                                                 \
        return nx_narrow_##name arguments;            \
    }                                                 \
    static inline long _##name parameters             \
    {                                                 \
        return nx_narrow__##name arguments;           \
    }
NX_FORWARD(void, gsendx, (long type, const void *buffer, long length, int nodes[], long count),
           (type, buffer, length, nodes, count))
NX_FORWARD(void, gcol, (void *x, long bytes, void *y, long y_bytes, int *count),
           (x, bytes, y, y_bytes, count))
NX_FORWARD(void, gcolx, (void *x, int lengths[], void *y), (x, lengths, y))
NX_FORWARD(void, crecvx, (long typesel, void *buffer, long maximum, long nodesel, long pidsel, int info[8]),
           (typesel, buffer, maximum, nodesel, pidsel, info))
NX_FORWARD(long, irecvx, (long typesel, void *buffer, long maximum, long nodesel, long pidsel, int info[8]),
           (typesel, buffer, maximum, nodesel, pidsel, info))
NX_FORWARD(long, iprobex, (long typesel, long nodesel, long pidsel, int info[8]),
           (typesel, nodesel, pidsel, info))
NX_FORWARD(void, cprobex, (long typesel, long nodesel, long pidsel, int info[8]),
           (typesel, nodesel, pidsel, info))
}

#else

typedef long nx_wide; /* -long32 leaves these alone */
typedef unsigned long nx_unsigned_wide;
long nx_of_both_widths() __attribute__((error("arrays of int and of long in one call")));
long nx_not_wide() __attribute__((error("this call wants variables of long, not of int")));

/* name() where it stands without arguments, else the call that the type of the array wants. */
#define NX_BARE(name) name()
#define NX_OF_INT(chosen) \
    int * : chosen, unsigned int * : chosen, const int * : chosen, const unsigned int * : chosen
#define NX_CHOOSE(name, array) _Generic((array), NX_OF_INT(nx_narrow_##name), default: name)
#define NX_BARE_REDUCE(name, x, n, work) NX_CHOOSE(name, x)((void *)(x), n, (void *)(work))
#define NX_BARE_SENDX(name, type, buffer, length, nodes, count) \
    NX_CHOOSE(name, nodes)(type, buffer, length, (void *)(nodes), count)
#define NX_BARE_COL(name, x, bytes, y, y_bytes, count) \
    NX_CHOOSE(name, count)(x, bytes, y, y_bytes, (void *)(count))
#define NX_BARE_COLX(name, x, lengths, y) NX_CHOOSE(name, lengths)(x, (void *)(lengths), y)
#define NX_BARE_RECVX(name, typesel, buffer, maximum, nodesel, pidsel, info) \
    NX_CHOOSE(name, info)(typesel, buffer, maximum, nodesel, pidsel, (void *)(info))
#define NX_BARE_PROBEX(name, typesel, nodesel, pidsel, info) \
    NX_CHOOSE(name, info)(typesel, nodesel, pidsel, (void *)(info))

/* For calls with several arrays. 1: of int, 2: of long, 0: of neither, as a null pointer. */
#define NX_WIDTH(array)              \
    _Generic((array),                \
        NX_OF_INT(1),                \
        nx_wide *: 2,                \
        nx_unsigned_wide *: 2,       \
        const nx_wide *: 2,          \
        const nx_unsigned_wide *: 2, \
        default: 0)
#define NX_CHOOSE_OF(name, widths)        \
    _Generic((char(*)[1 + (widths)])0,    \
        char(*)[1]: name,                 \
        char(*)[1 + 1]: nx_narrow_##name, \
        char(*)[1 + 2]: name,             \
        char(*)[1 + 3]: nx_of_both_widths)
#define NX_BARE_WAIT(name, node, pid, ended_node, ended_pid, status)                  \
    NX_CHOOSE_OF(name, NX_WIDTH(ended_node) | NX_WIDTH(ended_pid) | NX_WIDTH(status)) \
    (node, pid, (void *)(ended_node), (void *)(ended_pid), (void *)(status))
#define NX_BARE_LOAD(name, nodes, count, pid, pids, ...)                                              \
    NX_CHOOSE_OF(name, NX_WIDTH(nodes) | NX_WIDTH(pids))((void *)(nodes), count, pid, (void *)(pids), \
                                                         __VA_ARGS__)
#define NX_BARE_RECT(name, rows, columns)                  \
    NX_CHOOSE_OF(name, NX_WIDTH(rows) | NX_WIDTH(columns)) \
    ((void *)(rows), (void *)(columns))
#define NX_BARE_NODES(name, group, nodes, count)                                                     \
    _Generic((nodes),                                                                                \
        int **: nx_not_wide,                                                                         \
        unsigned int **: nx_not_wide,                                                                \
        default: _Generic((count), int *: nx_not_wide, unsigned int *: nx_not_wide, default: name))( \
        group, (void *)(nodes), (void *)(count))

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
#define crecvx(...) NX_BARE##__VA_OPT__(_RECVX)(crecvx __VA_OPT__(, ) __VA_ARGS__)
#define irecvx(...) NX_BARE##__VA_OPT__(_RECVX)(irecvx __VA_OPT__(, ) __VA_ARGS__)
#define iprobex(...) NX_BARE##__VA_OPT__(_PROBEX)(iprobex __VA_OPT__(, ) __VA_ARGS__)
#define cprobex(...) NX_BARE##__VA_OPT__(_PROBEX)(cprobex __VA_OPT__(, ) __VA_ARGS__)
#define waitone(...) NX_BARE##__VA_OPT__(_WAIT)(waitone __VA_OPT__(, ) __VA_ARGS__)
#define _gisum(...) NX_BARE##__VA_OPT__(_REDUCE)(_gisum __VA_OPT__(, ) __VA_ARGS__)
#define _giprod(...) NX_BARE##__VA_OPT__(_REDUCE)(_giprod __VA_OPT__(, ) __VA_ARGS__)
#define _gihigh(...) NX_BARE##__VA_OPT__(_REDUCE)(_gihigh __VA_OPT__(, ) __VA_ARGS__)
#define _gilow(...) NX_BARE##__VA_OPT__(_REDUCE)(_gilow __VA_OPT__(, ) __VA_ARGS__)
#define _giand(...) NX_BARE##__VA_OPT__(_REDUCE)(_giand __VA_OPT__(, ) __VA_ARGS__)
#define _gior(...) NX_BARE##__VA_OPT__(_REDUCE)(_gior __VA_OPT__(, ) __VA_ARGS__)
#define _gixor(...) NX_BARE##__VA_OPT__(_REDUCE)(_gixor __VA_OPT__(, ) __VA_ARGS__)
#define _gland(...) NX_BARE##__VA_OPT__(_REDUCE)(_gland __VA_OPT__(, ) __VA_ARGS__)
#define _glor(...) NX_BARE##__VA_OPT__(_REDUCE)(_glor __VA_OPT__(, ) __VA_ARGS__)
#define _glxor(...) NX_BARE##__VA_OPT__(_REDUCE)(_glxor __VA_OPT__(, ) __VA_ARGS__)
#define _gsendx(...) NX_BARE##__VA_OPT__(_SENDX)(_gsendx __VA_OPT__(, ) __VA_ARGS__)
#define _gcol(...) NX_BARE##__VA_OPT__(_COL)(_gcol __VA_OPT__(, ) __VA_ARGS__)
#define _gcolx(...) NX_BARE##__VA_OPT__(_COLX)(_gcolx __VA_OPT__(, ) __VA_ARGS__)
#define _crecvx(...) NX_BARE##__VA_OPT__(_RECVX)(_crecvx __VA_OPT__(, ) __VA_ARGS__)
#define _irecvx(...) NX_BARE##__VA_OPT__(_RECVX)(_irecvx __VA_OPT__(, ) __VA_ARGS__)
#define _iprobex(...) NX_BARE##__VA_OPT__(_PROBEX)(_iprobex __VA_OPT__(, ) __VA_ARGS__)
#define _cprobex(...) NX_BARE##__VA_OPT__(_PROBEX)(_cprobex __VA_OPT__(, ) __VA_ARGS__)
#define _waitone(...) NX_BARE##__VA_OPT__(_WAIT)(_waitone __VA_OPT__(, ) __VA_ARGS__)
#define nx_load(...) NX_BARE##__VA_OPT__(_LOAD)(nx_load __VA_OPT__(, ) __VA_ARGS__)
#define nx_loadve(...) NX_BARE##__VA_OPT__(_LOAD)(nx_loadve __VA_OPT__(, ) __VA_ARGS__)
#define nx_app_rect(...) NX_BARE##__VA_OPT__(_RECT)(nx_app_rect __VA_OPT__(, ) __VA_ARGS__)
#define nx_app_nodes(...) NX_BARE##__VA_OPT__(_NODES)(nx_app_nodes __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
