/* SPDX-License-Identifier: MIT */
/* NX/2 for C and C++: messages among the processes of a job. Every integer is a long of which only the low 32
 * bits are read, so old code that passes int works; but lengths and counts are read whole, and one that is
 * negative or above 2147483647 is refused (EQLEN). A plain call that fails prints one sentence and ends the
 * program with status 1; its underscore twin returns -1 and sets errno (nx_errno.h). */
#ifndef PARLEY_NX_H
#define PARLEY_NX_H

#include "interface/capabilities.h"
#include "interface/gang_times.h"
#include <errno.h>
#include <nx_errno.h>
#include <nx_files.h>
#include <nx_paragon.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Messages. Types: 0 to 999999999, force types from 0x40000000. A type selector is a type, -1 (any) or, with
 * the sign bit set, a mask of the types 0 to 29 (bit 30: all greater ones). Node -1 sends to every node but
 * this one. */
void csend(long type, const void *buffer, long length, long node, long pid);
void crecv(long typesel, void *buffer, long maximum);
long csendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
               long maximum);
long isend(long type, const void *buffer, long length, long node, long pid);
long irecv(long typesel, void *buffer, long maximum);
long isendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
               long maximum);
void gsendx(long type, const void *buffer, long length, long nodes[], long count);
long msgdone(long id);
void msgwait(long id);
void msgcancel(long id);
long msgmerge(long first, long second); /* one id for both; -1 stands for none */
void msgignore(long id);                /* its id is given free when it has ended */
long iprobe(long typesel);
void cprobe(long typesel);

/* Receives and probes with a choice of sender; info: type, length, node, pid, four reserved. */
void crecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8]);
long irecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8]);
long iprobex(long typesel, long nodesel, long pidsel, long info[8]);
void cprobex(long typesel, long nodesel, long pidsel, long info[8]);

/* These calls have a handler, which runs when the message has come (or gone, hsend), whatever the program is
 * doing, and is told its type, length, node and pid; the x forms add a value of the program's. It may make
 * any call; to run again it is posted again. A null handler takes back the hrecv calls with that selector.
 * Handlers run one at a time, never inside the message system, malloc or stdio, and not while masktrap(1)
 * holds; masktrap returns what held before. Programs with handlers are linked by the wrappers. */
#ifdef __cplusplus
typedef void (*nx_handler_function)(long type, long length, long node, long pid);
typedef void (*nx_xhandler_function)(long type, long length, long node, long pid, long value);
#else
typedef void (*nx_handler_function)(); /* old programs declare theirs in many ways */
typedef void (*nx_xhandler_function)();
#endif
void hrecv(long typesel, void *buffer, long maximum, nx_handler_function handler);
void hsend(long type, const void *buffer, long length, long node, long pid, nx_handler_function handler);
void hsendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
               long maximum, nx_handler_function handler);
void hrecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, nx_xhandler_function handler,
            long value);
void hsendx(long type, const void *buffer, long length, long node, long pid, nx_xhandler_function handler,
            long value);
long masktrap(long mask);

/* About the message received or probed last. */
extern long msginfo[8];
long infocount(void);
long infonode(void);
long infotype(void);
long infopid(void);
long infoptype(void);

/* This process and its job. */
long mynode(void);
long myphysnode(void);
long numnodes(void);
long mypid(void);
long myptype(void);
long myhost(void);
long nodedim(void);
void flick(void);
void led(long on);
long gray(long number);
long ginv(long code);
unsigned long mclock(void); /* milliseconds */
double dclock(void);        /* seconds */

/* Host programs, and several processes a node. A job whose program is a host program (it calls load) starts
 * with that program alone, as node myhost(); load starts the node programs, by name, on one node or (-1) on
 * all, waitall awaits their ends, killcube ends them. The job is the cube. -1 stands for all nodes, or all
 * pids. */
void getcube(const char *name, const char *type, const char *manager, long keep);
void attachcube(const char *name);
void relcube(const char *name);
void setpid(long pid);
void setptype(long pid);
void load(const char *file, long node, long pid);
void waitall(long node, long pid);
void waitone(long node, long pid, long *ended_node, long *ended_pid, long *status);
void killcube(long node, long pid);
void killproc(long node, long pid);
void flushmsg(long typesel, long node, long pid); /* this process's own waiting messages */

/* Collective calls: every node makes the same one; the result is left in x on every node. */
void gsync(void);
void gdsum(double x[], long n, double work[]);
void gdprod(double x[], long n, double work[]);
void gdhigh(double x[], long n, double work[]);
void gdlow(double x[], long n, double work[]);
void gssum(float x[], long n, float work[]);
void gsprod(float x[], long n, float work[]);
void gshigh(float x[], long n, float work[]);
void gslow(float x[], long n, float work[]);
void gisum(long x[], long n, long work[]);
void giprod(long x[], long n, long work[]);
void gihigh(long x[], long n, long work[]);
void gilow(long x[], long n, long work[]);
void giand(long x[], long n, long work[]);
void gior(long x[], long n, long work[]);
void gixor(long x[], long n, long work[]);
void gland(long x[], long n, long work[]);
void glor(long x[], long n, long work[]);
void glxor(long x[], long n, long work[]);
void gcol(void *x, long bytes, void *y, long y_bytes, long *count);
void gcolx(void *x, long lengths[], void *y);
void gopf(void *x, long bytes, void *work, long (*combine)(char *x, char *work));

/* Blocks in the memory that all nodes share. A program that sends from nx_alloc blocks and receives with
 * crecvp runs under every design. Where blocks change owner (pointer transfer) csend gives the block away and
 * crecvp stores the address of the sender's block in *buffer; elsewhere crecvp fills the block at *buffer (a
 * null pointer there: it allocates one of `maximum` bytes first). nx_free of a block that was given away does
 * nothing. */
void *nx_alloc(long bytes);
void *nx_alloc_aligned(long bytes, long alignment);
void nx_free(void *block);
void crecvp(long typesel, void **buffer, long maximum);

/* What a run reports, and what it runs on. nx_report hands median and quartiles of the samples to the run's
 * record. */
void nx_report(const char *name, long bytes, const char *access, const char *unit, const double *samples,
               long count);
long nx_processors(void); /* of the machine */
/* Runs a gang of kernel processes under `load` computing processes a processor, and says what it took, in
 * nanoseconds. The load computes for whole time slices, or with NX_LOAD_AT_RANDOM added to `load' gives way
 * after times that are uniform in a slice, the same ones in every run. 0, or -1 and errno: more members than
 * processors (EQPARAM), no memory (EQMEM). */
long nx_measure_gang(long members, long load, struct nx_gang_times *times);
const char *nx_design(void); /* all its classes: "kernel,heavy,asynchronous,..." */
/* What this design asks of programs and promises them, as bits of enum nx_capability: ask for it, for names
 * of classes come and go. */
long nx_capabilities(void);    /* all that hold, added */
long nx_hands_over(void);      /* 1: NX_BLOCKS_CHANGE_OWNER */
long nx_needs_shared(void);    /* 1: NX_BUFFERS_MUST_BE_SHARED */
void nx_pause(void);           /* one polite spin, as this boot decided */
void nx_null_call(void);       /* a proxy call that does nothing */
unsigned long nx_cycles(void); /* time-stamp counter */
double nx_cycles_per_second(void);
/* How often this process looks into the network interface of its multiprocessor (MULTIPROCESSORS=), from now
 * on: "fixed", "fractional:16", "adaptive:4:64" and so on, as in the design's polling=; a null pointer
 * changes nothing. Answers how often it has looked, in calls of NX/2 and of Active Messages. Where looks take
 * no time and the design's polling is fixed, there are none: 0, and any polling ends the program. */
long nx_polling(const char *polling);
/* An event of the program's own for the trace of a run (TRACE=, nxrun --trace), by its number, with any
 * value; in any other run nothing. */
void nx_event(long number, long value);

/* The twins that return: -1 and errno after an error, else what the plain call returns, else 0. _crecvp
 * returns the message's length, for that of the others ask infocount(). */
long _csend(long type, const void *buffer, long length, long node, long pid);
long _crecv(long typesel, void *buffer, long maximum);
long _csendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
                long maximum);
long _isend(long type, const void *buffer, long length, long node, long pid);
long _irecv(long typesel, void *buffer, long maximum);
long _isendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
                long maximum);
long _gsendx(long type, const void *buffer, long length, long nodes[], long count);
long _msgdone(long id);
long _msgwait(long id);
long _msgcancel(long id);
long _iprobe(long typesel);
long _cprobe(long typesel);
long _crecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8]);
long _irecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8]);
long _iprobex(long typesel, long nodesel, long pidsel, long info[8]);
long _cprobex(long typesel, long nodesel, long pidsel, long info[8]);
long _crecvp(long typesel, void **buffer, long maximum);
long _hrecv(long typesel, void *buffer, long maximum, nx_handler_function handler);
long _hsend(long type, const void *buffer, long length, long node, long pid, nx_handler_function handler);
long _hsendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
                long maximum, nx_handler_function handler);
long _hrecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel,
             nx_xhandler_function handler, long value);
long _hsendx(long type, const void *buffer, long length, long node, long pid, nx_xhandler_function handler,
             long value);
long _masktrap(long mask);
long _msgmerge(long first, long second);
long _msgignore(long id);
long _getcube(const char *name, const char *type, const char *manager, long keep);
long _attachcube(const char *name);
long _relcube(const char *name);
long _setpid(long pid);
long _setptype(long pid);
long _load(const char *file, long node, long pid);
long _waitall(long node, long pid);
long _waitone(long node, long pid, long *ended_node, long *ended_pid, long *status);
long _killcube(long node, long pid);
long _killproc(long node, long pid);
long _flushmsg(long typesel, long node, long pid);
long _gsync(void);
long _gdsum(double x[], long n, double work[]);
long _gdprod(double x[], long n, double work[]);
long _gdhigh(double x[], long n, double work[]);
long _gdlow(double x[], long n, double work[]);
long _gssum(float x[], long n, float work[]);
long _gsprod(float x[], long n, float work[]);
long _gshigh(float x[], long n, float work[]);
long _gslow(float x[], long n, float work[]);
long _gisum(long x[], long n, long work[]);
long _giprod(long x[], long n, long work[]);
long _gihigh(long x[], long n, long work[]);
long _gilow(long x[], long n, long work[]);
long _giand(long x[], long n, long work[]);
long _gior(long x[], long n, long work[]);
long _gixor(long x[], long n, long work[]);
long _gland(long x[], long n, long work[]);
long _glor(long x[], long n, long work[]);
long _glxor(long x[], long n, long work[]);
long _gcol(void *x, long bytes, void *y, long y_bytes, long *count);
long _gcolx(void *x, long lengths[], void *y);
long _gopf(void *x, long bytes, void *work, long (*combine)(char *x, char *work));
long _infocount(void);
long _infonode(void);
long _infotype(void);
long _infopid(void);
long _infoptype(void);
long _mynode(void);
long _myphysnode(void);
long _numnodes(void);
long _mypid(void);
long _myptype(void);
long _myhost(void);
long _nodedim(void);
long _gray(long number);
long _ginv(long code);
long _flick(void);
long _led(long on);
unsigned long _mclock(void);
double _dclock(void);

#ifdef __cplusplus
}
#endif

#include <nx_narrow.h>

#endif
