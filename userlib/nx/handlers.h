/* SPDX-License-Identifier: MIT */
/* Message handlers: receives and sends at whose end a function of the program runs, whatever the program
 * is doing then. The message system interrupts the process (interface/upcall.h) once each time the
 * watch is armed; nx_attend() then looks which requests have ended. Handlers run one at a time, with the
 * watch off. */
#ifndef PARLEY_NX_HANDLERS_H
#define PARLEY_NX_HANDLERS_H

/* How a handler takes what it is told about the message: type, length, node, pid. */
enum nx_handler_style {
    nx_by_value,     /* four longs */
    nx_with_value,   /* four longs and the program's own */
    nx_by_reference, /* Fortran: four INTEGERs */
    nx_with_reference
};

struct nx_handler {
    const char *call; /* that posts it */
    void (*function)();
    long value; /* the program's own; for Fortran the address of its INTEGER */
    enum nx_handler_style style;
};

/* As hrecv, hsend and hsendrecv; 0 or minus an error. */
long nx_receive_for(struct nx_handler handler, long typesel, void *buffer, long maximum, long nodesel,
                    long pidsel);
long nx_send_for(struct nx_handler handler, long type, const void *buffer, long length, long node, long pid);
long nx_exchange_for(struct nx_handler handler, long type, const void *buffer, long length, long node,
                     long pid, long typesel, void *reply, long maximum);
/* hrecv without a handler: forget those posted with this selector. */
long nx_forget_receives(long typesel);

/* Runs the handlers whose requests have ended, or notes that this is to be done when they may run again.
 * In a call that waits also those which a statement holds: the program may be waiting for what they do. */
void nx_attend(void);
void nx_attend_in_call(void);
void nx_attend_if_due(void); /* by a call that waits without the message system */
/* How often an interruption has been attended to by these, or what has become due noted: who remembers it
 * knows whether one is still to be attended to. */
unsigned long nx_attentions(void);

/* Handlers wait while the program computes inside something that they might use too: counted. These two and
 * nx_attend_if_due() do nothing in another thread than the program's first, which alone runs handlers. */
void nx_hold_handlers(void);
void nx_release_handlers(void);

/* The program ends: no handler runs any more. */
void nx_end_handlers(void);

#endif
