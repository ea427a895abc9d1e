/* SPDX-License-Identifier: MIT */
/* What nx_narrow.h makes of calls with arrays of int. */
#ifndef PARLEY_NX_NARROW_CALLS_H
#define PARLEY_NX_NARROW_CALLS_H

#ifdef __cplusplus
extern "C" {
#endif

void nx_narrow_gsendx(long type, const void *buffer, long length, const int nodes[], long count);
void nx_narrow_gcol(void *x, long bytes, void *y, long y_bytes, int *count);
void nx_narrow_gcolx(void *x, const int lengths[], void *y);
long nx_narrow__gsendx(long type, const void *buffer, long length, const int nodes[], long count);
long nx_narrow__gcol(void *x, long bytes, void *y, long y_bytes, int *count);
long nx_narrow__gcolx(void *x, const int lengths[], void *y);
void nx_narrow_crecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, int info[8]);
long nx_narrow_irecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, int info[8]);
long nx_narrow_iprobex(long typesel, long nodesel, long pidsel, int info[8]);
void nx_narrow_cprobex(long typesel, long nodesel, long pidsel, int info[8]);
long nx_narrow__crecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, int info[8]);
long nx_narrow__irecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, int info[8]);
long nx_narrow__iprobex(long typesel, long nodesel, long pidsel, int info[8]);
long nx_narrow__cprobex(long typesel, long nodesel, long pidsel, int info[8]);
void nx_narrow_waitone(long node, long pid, int *ended_node, int *ended_pid, int *status);
long nx_narrow__waitone(long node, long pid, int *ended_node, int *ended_pid, int *status);
long nx_narrow_nx_load(const int nodes[], long count, long pid, int pids[], const char *file);
long nx_narrow_nx_loadve(const int nodes[], long count, long pid, int pids[], const char *file, char *argv[],
                         char *envp[]);
long nx_narrow_nx_app_rect(int *rows, int *columns);
#define NX_NARROW(name)                                 \
    void nx_narrow_##name(int x[], long n, int work[]); \
    long nx_narrow__##name(int x[], long n, int work[]);
#define NX_REDUCTIONS(X) \
    X(gisum) X(giprod) X(gihigh) X(gilow) X(giand) X(gior) X(gixor) X(gland) X(glor) X(glxor)
NX_REDUCTIONS(NX_NARROW)

#ifdef __cplusplus
}
#endif

#endif
