/* SPDX-License-Identifier: MIT */
/* What gfortran calls: lower case, one trailing underscore, arguments by reference, INTEGER = int. */
#ifndef PARLEY_FORTRAN_BINDING_H
#define PARLEY_FORTRAN_BINDING_H

#include <nx_narrow_calls.h>
#include <stddef.h>
#include <stdint.h>

void csend_(const int *type, const void *buffer, const int *length, const int *node, const int *pid);
void crecv_(const int *typesel, void *buffer, const int *maximum);
int csendrecv_(const int *type, const void *buffer, const int *length, const int *node, const int *pid,
               const int *typesel, void *reply, const int *maximum);
int isend_(const int *type, const void *buffer, const int *length, const int *node, const int *pid);
int irecv_(const int *typesel, void *buffer, const int *maximum);
int isendrecv_(const int *type, const void *buffer, const int *length, const int *node, const int *pid,
               const int *typesel, void *reply, const int *maximum);
void gsendx_(const int *type, const void *buffer, const int *length, const int nodes[], const int *count);
int msgdone_(const int *id);
void msgwait_(const int *id);
void msgcancel_(const int *id);
int iprobe_(const int *typesel);
void cprobe_(const int *typesel);

void crecvx_(const int *typesel, void *buffer, const int *maximum, const int *nodesel, const int *pidsel,
             int info[8]);
int iprobex_(const int *typesel, const int *nodesel, const int *pidsel, int info[8]);
void cprobex_(const int *typesel, const int *nodesel, const int *pidsel, int info[8]);
int irecvx_(const int *typesel, void *buffer, const int *maximum, const int *nodesel, const int *pidsel,
            int info[8]);

void hrecv_(const int *typesel, void *buffer, const int *maximum, void (*handler)());
void hrecvx_(const int *typesel, void *buffer, const int *maximum, const int *nodesel, const int *pidsel,
             void (*handler)(), const int *value_for_handler);
void hsend_(const int *type, const void *buffer, const int *length, const int *node, const int *pid,
            void (*handler)());
void hsendx_(const int *type, const void *buffer, const int *length, const int *node, const int *pid,
             void (*handler)(), const int *value_for_handler);
void hsendrecv_(const int *type, const void *buffer, const int *length, const int *node, const int *pid,
                const int *typesel, void *reply, const int *maximum, void (*handler)());
int masktrap_(const int *mask);
int msgmerge_(const int *first, const int *second);
void msgignore_(const int *id);

void getcube_(const char *name, const char *type, const char *manager, const int *keep, size_t name_length,
              size_t type_length, size_t manager_length);
void attachcube_(const char *name, size_t length);
void relcube_(const char *name, size_t length);
void setpid_(const int *pid);
void setptype_(const int *pid);
void load_(const char *file, const int *node, const int *pid, size_t length);
void waitall_(const int *node, const int *pid);
void waitone_(const int *node, const int *pid, int *ended_node, int *ended_pid, int *status);
void killcube_(const int *node, const int *pid);
void killproc_(const int *node, const int *pid);
void flushmsg_(const int *typesel, const int *node, const int *pid);

int64_t nxalloc_(const int *bytes);
void nxfree_(const int64_t *block);
void crecvp_(const int *typesel, int64_t *block, const int *maximum);
void csendp_(const int *type, const int64_t *block, const int *length, const int *node, const int *pid);
int nxhandsover_(void);

double dclock_(void);
int gray_(const int *number);
int ginv_(const int *code);
void flick_(void);
void led_(const int *on);

int _gfortran_mclock(void);
int64_t _gfortran_mclock8(void);

void hwclock_(int time[2]);
void handler_(const int *type, void (*function)());
int nx_initve_(void);
int nx_nfork_(const int nodes[], const int *count, const int *pid, int pids[]);
int nx_load_(const int nodes[], const int *count, const int *pid, int pids[], const char *file,
             size_t length);
int nx_waitall_(void);
int nx_app_nodes_(const int *group, int nodes[], int *count);
int nx_app_rect_(int *rows, int *columns);
void nx_perror_(const char *text, size_t length);

void gsync_(void);
void gcol_(void *x, const int *bytes, void *y, const int *y_bytes, int *count);
void gcolx_(void *x, const int lengths[], void *y);
void gopf_(void *x, const int *bytes, void *work, long (*combine)(char *x, char *work));

#define NX_DECLARE_PLAIN(name) int name##_(void);
NX_DECLARE_PLAIN(mynode)
NX_DECLARE_PLAIN(myphysnode)
NX_DECLARE_PLAIN(numnodes)
NX_DECLARE_PLAIN(mypid)
NX_DECLARE_PLAIN(myptype)
NX_DECLARE_PLAIN(myhost)
NX_DECLARE_PLAIN(nodedim)
NX_DECLARE_PLAIN(infocount)
NX_DECLARE_PLAIN(infonode)
NX_DECLARE_PLAIN(infotype)
NX_DECLARE_PLAIN(infopid)
NX_DECLARE_PLAIN(infoptype)
NX_DECLARE_PLAIN(mclock)
#undef NX_DECLARE_PLAIN

#endif
