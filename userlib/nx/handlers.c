/* SPDX-License-Identifier: MIT */
#include "userlib/nx/handlers.h"

#include "userlib/nx/arrival.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/handler_code.h"
#include "userlib/nx/handler_watch.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/thread_watch.h"

#include <nx.h>
#include <string.h>

enum { most_handlers = 1024 };

struct posted_handler {
    struct nx_handler handler;
    long id;      /* the request whose arrival the handler is told about */
    long send_id; /* has to end as well; 0: none */
    int receives; /* an hrecv with this selector */
    int typesel;
    long maximum;
    long told[8]; /* of a send: what the handler is told, in the layout of msginfo */
};

/* In the order of posting. Only the process itself touches any of this: interruptions come between
 * instructions of the program, never inside libnx. */
static struct posted_handler posted[most_handlers];
static int count;
static struct {
    int masked;  /* masktrap(1) */
    int held;    /* depth of nx_hold_handlers() */
    int running; /* inside a handler, or looking for the next */
    int due;     /* to be looked at when nothing forbids it any more */
} state;
static volatile unsigned long attentions;

/* False: all places are taken. */
static int post(const struct posted_handler *handler)
{
    if (count == most_handlers)
        return 0;
    posted[count++] = *handler;
    NX_CALL(watch, handler->id);
    if (handler->send_id)
        NX_CALL(watch, handler->send_id);
    return 1;
}

static void remove_handler(int index)
{
    count--;
    memmove(posted + index, posted + index + 1, (size_t)(count - index) * sizeof posted[0]);
}

static void call_handler(const struct nx_handler *handler, const long told[8])
{
    int type = (int)told[0], length = (int)told[1], node = (int)told[2], pid = (int)told[3];
    switch (handler->style) {
    case nx_by_value: handler->function(told[0], told[1], told[2], told[3]); return;
    case nx_with_value: handler->function(told[0], told[1], told[2], told[3], handler->value); return;
    case nx_by_reference: handler->function(&type, &length, &node, &pid); return;
    case nx_with_reference: handler->function(&type, &length, &node, &pid, handler->value); return;
    }
}

/* Whether both halves have ended; `told` is then what the handler is told. */
static int has_ended(struct posted_handler *one, long told[8])
{
    if (one->send_id) {
        long sent = nx_yes_or_no(NX_CALL(done, one->send_id));
        if (sent < 0)
            nx_fail(one->handler.call, -sent);
        if (sent == 0)
            return 0;
        one->send_id = 0;
    }
    const struct parley_receive_status found = NX_CALL(done, one->id);
    const long done = nx_yes_or_no(found);
    if (done < 0)
        nx_fail_receive(one->handler.call, one->typesel, one->maximum, nx_any, nx_any, -done);
    if (done == 0)
        return 0;
    memcpy(told, one->told, sizeof one->told);
    if (parley_receive_status_type(found) != -1)
        nx_note_found(told, found);
    return 1;
}

static int take_ended(struct nx_handler *handler, long told[8])
{
    for (int i = 0; i < count; i++) {
        if (!has_ended(&posted[i], told))
            continue;
        *handler = posted[i].handler;
        remove_handler(i);
        return 1;
    }
    return 0;
}

/* The watch is armed before the look, so what ends after the look interrupts. */
static void run_ended(void)
{
    struct nx_handler handler;
    struct nx_handler_frame frame;
    long told[8] = {0};
    for (;;) {
        state.due = 0;
        NX_CALL(watch, count > 0 ? parley_watch_armed : parley_watch_off);
        if (!take_ended(&handler, told))
            return;
        NX_CALL(watch, parley_watch_off);
        memcpy(msginfo, told, sizeof told);
        nx_begin_handler_watch(&frame, handler.call);
        call_handler(&handler, told);
        nx_end_handler_watch();
    }
}

/* Not now: of what is held by masktrap whoever reports a deadlock hears; what is held by a statement ends
 * the next wait. */
static void put_off(void)
{
    state.due = 1;
    if (!state.running)
        NX_CALL(watch, state.masked ? parley_watch_held : parley_watch_due);
}

static void attend(void)
{
    int error = errno;
    long info[8];
    memcpy(info, msginfo, sizeof info);
    state.running = 1;
    run_ended();
    state.running = 0;
    memcpy(msginfo, info, sizeof info);
    errno = error;
}

unsigned long nx_attentions(void)
{
    return attentions;
}

void nx_attend(void)
{
    attentions++;
    if (state.running || state.masked || state.held)
        put_off();
    else
        attend();
}

void nx_attend_in_call(void)
{
    attentions++;
    if (state.running || state.masked)
        put_off();
    else
        attend();
}

void nx_attend_if_due(void)
{
    if (state.due && nx_is_first_thread())
        nx_attend_in_call();
}

static void attend_when_allowed(void)
{
    if (state.due && !state.running && !state.masked)
        nx_attend();
}

static long begin(struct posted_handler handler)
{
    long value = nx_prepare_interruptions();
    if (value < 0)
        return value;
    if (!post(&handler)) {
        NX_CALL(cancel, handler.id);
        if (handler.send_id)
            NX_CALL(cancel, handler.send_id);
        return -nx_error_no_ids;
    }
    nx_attend(); /* its message may be here already */
    return 0;
}

long nx_receive_for(struct nx_handler handler, long typesel, void *buffer, long maximum, long nodesel,
                    long pidsel)
{
    long id = nx_start_receive((int)typesel, buffer, maximum, (int)nodesel, nx_address(pidsel, nx_program));
    return id < 0 ? id
                  : begin((struct posted_handler){.handler = handler,
                                                  .id = id,
                                                  .receives = 1,
                                                  .typesel = (int)typesel,
                                                  .maximum = maximum});
}

long nx_send_for(struct nx_handler handler, long type, const void *buffer, long length, long node, long pid)
{
    long id = nx_begin_send(type, buffer, length, node, pid);
    return id < 0 ? id
                  : begin((struct posted_handler){
                        .handler = handler, .id = id, .told = {(int)type, length, (int)node, (int)pid}});
}

long nx_exchange_for(struct nx_handler handler, long type, const void *buffer, long length, long node,
                     long pid, long typesel, void *reply, long maximum)
{
    long sent = nx_begin_send(type, buffer, length, node, pid);
    if (sent < 0)
        return sent;
    long id = nx_start_receive((int)typesel, reply, maximum, nx_any, nx_address(nx_any, nx_program));
    if (id >= 0)
        return begin((struct posted_handler){
            .handler = handler, .id = id, .send_id = sent, .typesel = (int)typesel, .maximum = maximum});
    NX_CALL(cancel, sent);
    return id;
}

long nx_forget_receives(long typesel)
{
    for (int i = count - 1; i >= 0; i--) {
        if (!posted[i].receives || posted[i].typesel != (int)typesel)
            continue;
        NX_CALL(cancel, posted[i].id);
        remove_handler(i);
    }
    return 0;
}

long masktrap(long mask)
{
    nx_refuse_other_threads();
    long before = state.masked;
    state.masked = (int)mask != 0;
    attend_when_allowed();
    return before;
}

long _masktrap(long mask)
{
    return masktrap(mask);
}

/* Another thread goes on while the first waits in a handler for what it uses. */
void nx_hold_handlers(void)
{
    if (nx_is_first_thread())
        state.held++;
}

void nx_release_handlers(void)
{
    if (!nx_is_first_thread())
        return;
    state.held--;
    attend_when_allowed();
}

void nx_end_handlers(void)
{
    nx_end_handler_watch(); /* the program may have jumped out of one, and ends */
    state.running = 1;
    if (count > 0)
        NX_CALL(watch, parley_watch_off);
}
