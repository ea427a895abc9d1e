/* SPDX-License-Identifier: MIT */
/* The calls of am.h as gfortran makes them: binding.h's rules, and what fam.h says. */
#ifndef PARLEY_FORTRAN_ACTIVE_H
#define PARLEY_FORTRAN_ACTIVE_H

#include <stdint.h>

int am_init_(void);
int am_terminate_(void);
int am_allocatebundle_(const int *kind, int64_t *bundle);
int am_freebundle_(const int64_t *bundle);
int am_allocateendpoint_(const int64_t *bundle, int64_t *endpoint, int name[3]);
int am_freeendpoint_(const int64_t *endpoint);
int am_moveendpoint_(const int64_t *endpoint, const int64_t *from, const int64_t *to);
int am_settag_(const int64_t *endpoint, const int64_t *tag);
int am_gettag_(const int64_t *endpoint, int64_t *tag);
int am_setseg_(const int64_t *endpoint, void *first, const int64_t *bytes);
int am_getseg_(const int64_t *endpoint, int64_t *address, int64_t *bytes);
int am_maxseglength_(int64_t *bytes);
int am_map_(const int64_t *endpoint, const int *entry, const int name[3], const int64_t *tag);
int am_mapany_(const int64_t *endpoint, int *entry, const int name[3], const int64_t *tag);
int am_unmap_(const int64_t *endpoint, const int *entry);
int am_gettranslationinuse_(const int64_t *endpoint, const int *entry);
int am_gettranslationname_(const int64_t *endpoint, const int *entry, int name[3]);
int am_gettranslationtag_(const int64_t *endpoint, const int *entry, int64_t *tag);
int am_getnumtranslations_(const int64_t *endpoint, int *entries);
int am_setnumtranslations_(const int64_t *endpoint, const int *entries);
int am_maxnumtranslations_(int *entries);
int am_setexpectedresources_(const int64_t *endpoint, const int *endpoints, const int *requests);
int am_sethandler_(const int64_t *endpoint, const int *handler, void (*function)());
int am_sethandlerany_(const int64_t *endpoint, int *handler, void (*function)());
int am_getnumhandlers_(const int64_t *endpoint, int *count);
int am_setnumhandlers_(const int64_t *endpoint, const int *count);
int am_getsourceendpoint_(const int64_t *token, int name[3]);
int am_getdestendpoint_(const int64_t *token, int64_t *endpoint);
int am_getmsgtag_(const int64_t *token, int64_t *tag);
int am_poll_(const int64_t *bundle);
int am_geteventmask_(const int64_t *bundle, int *mask);
int am_seteventmask_(const int64_t *bundle, const int *mask);
int am_waitsema_(const int64_t *bundle);

#define NX_AM_REFERENCES_0
#define NX_AM_REFERENCES_1 , const int *a0
#define NX_AM_REFERENCES_2 NX_AM_REFERENCES_1, const int *a1
#define NX_AM_REFERENCES_3 NX_AM_REFERENCES_2, const int *a2
#define NX_AM_REFERENCES_4 NX_AM_REFERENCES_3, const int *a3
#define NX_AM_REFERENCES_5 NX_AM_REFERENCES_4, const int *a4
#define NX_AM_REFERENCES_6 NX_AM_REFERENCES_5, const int *a5
#define NX_AM_REFERENCES_7 NX_AM_REFERENCES_6, const int *a6
#define NX_AM_REFERENCES_8 NX_AM_REFERENCES_7, const int *a7
#define NX_AM_DECLARE(n)                                                                                     \
    int am_request##n##_(const int64_t *endpoint, const int *entry,                                          \
                         const int *handler NX_AM_REFERENCES_##n);                                           \
    int am_requesti##n##_(const int64_t *endpoint, const int *entry, const int *handler, const void *source, \
                          const int *bytes NX_AM_REFERENCES_##n);                                            \
    int am_requestxfer##n##_(const int64_t *endpoint, const int *entry, const int64_t *offset,               \
                             const int *handler, const void *source, const int *bytes NX_AM_REFERENCES_##n); \
    int am_reply##n##_(const int64_t *token, const int *handler NX_AM_REFERENCES_##n);                       \
    int am_replyi##n##_(const int64_t *token, const int *handler, const void *source,                        \
                        const int *bytes NX_AM_REFERENCES_##n);                                              \
    int am_replyxfer##n##_(const int64_t *token, const int64_t *offset, const int *handler,                  \
                           const void *source, const int *bytes NX_AM_REFERENCES_##n);
NX_AM_DECLARE(0)
NX_AM_DECLARE(1)
NX_AM_DECLARE(2)
NX_AM_DECLARE(3)
NX_AM_DECLARE(4)
NX_AM_DECLARE(5)
NX_AM_DECLARE(6)
NX_AM_DECLARE(7)
NX_AM_DECLARE(8)
#undef NX_AM_DECLARE

#endif
