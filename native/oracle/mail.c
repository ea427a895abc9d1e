/* SPDX-License-Identifier: MIT */
#include "native/oracle/mail.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { message_tag = 1 };

int mail_rank, mail_ranks;

struct header {
    int type, pid;
};

/* A message on its way out: MPI reads its bytes until the request is complete. */
struct outgoing {
    struct outgoing *next;
    MPI_Request request;
    struct header header;
    char bytes[];
};

/* A message that has come and that nobody has wanted yet. */
struct arrived {
    struct arrived *next;
    struct mail_envelope envelope;
    struct header header; /* as it came; the bytes follow */
    char bytes[];
};

static struct outgoing *leaving;
static struct arrived *waiting, **last_waiting = &waiting;
static struct mail_receive *posted, **last_posted = &posted;

_Noreturn void mail_fail(const char *format, ...)
{
    va_list list;
    char sentence[300];
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    fflush(0);
    fprintf(stderr, "oracle: node %d: %s\n", mail_rank, sentence);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void *memory(size_t bytes)
{
    void *found = malloc(bytes);
    if (!found)
        mail_fail("there is no memory for a message of %zu bytes", bytes);
    return found;
}

static int takes_type(int typesel, int type)
{
    if (typesel == type)
        return 1;
    if (typesel >= 0 || type >= 0x40000000)
        return 0; /* a force type wants to be named */
    return typesel == mail_any || ((unsigned)typesel >> (type < 30 ? type : 30) & 1);
}

static int takes(const struct mail_selector *wanted, const struct mail_envelope *envelope)
{
    return takes_type(wanted->typesel, envelope->type) &&
           (wanted->nodesel == mail_any || wanted->nodesel == envelope->node) &&
           (wanted->pidsel == mail_any || wanted->pidsel == envelope->pid);
}

static void check_type(int type)
{
    if (type < 0 || (type > 999999999 && type < 0x40000000) || type > 1999999999)
        mail_fail("%d is no message type", type);
}

static void send_to(int node, int type, const void *bytes, int length)
{
    struct outgoing *message = memory(sizeof *message + (size_t)length);
    message->header = (struct header){type, 0};
    if (length)
        memcpy(message->bytes, bytes, (size_t)length);
    MPI_Isend(&message->header, (int)sizeof message->header + length, MPI_BYTE, node, message_tag,
              MPI_COMM_WORLD, &message->request);
    message->next = leaving;
    leaving = message;
}

void mail_send(int type, const void *bytes, int length, int node)
{
    check_type(type);
    if (length < 0 || length > INT_MAX - (int)sizeof(struct header))
        mail_fail("a message cannot have %d bytes", length);
    if (node < mail_all_others || node >= mail_ranks)
        mail_fail("there is no node %d among %d", node, mail_ranks);
    if (node != mail_all_others)
        send_to(node, type, bytes, length);
    for (int other = 0; node == mail_all_others && other < mail_ranks; other++)
        if (other != mail_rank)
            send_to(other, type, bytes, length);
    mail_progress();
}

static void forget_what_has_left(void)
{
    for (struct outgoing **place = &leaving; *place;) {
        struct outgoing *message = *place;
        int gone;
        MPI_Test(&message->request, &gone, MPI_STATUS_IGNORE);
        if (gone) {
            *place = message->next;
            free(message);
        } else {
            place = &message->next;
        }
    }
}

static void hand_over(struct arrived *message, struct mail_receive *receive)
{
    if (message->envelope.length > receive->maximum)
        mail_fail("a message of type %d has %d bytes, and its receive has room for %d",
                  message->envelope.type, message->envelope.length, receive->maximum);
    if (message->envelope.length)
        memcpy(receive->buffer, message->bytes, (size_t)message->envelope.length);
    receive->found = message->envelope;
    receive->done = 1;
    free(message);
}

/* The oldest receive that wants it, or the list of those that wait. */
static void deliver(struct arrived *message)
{
    for (struct mail_receive **place = &posted; *place; place = &(*place)->next) {
        struct mail_receive *receive = *place;
        if (!takes(&receive->wanted, &message->envelope))
            continue;
        *place = receive->next;
        if (!*place)
            last_posted = place;
        hand_over(message, receive);
        return;
    }
    message->next = 0;
    *last_waiting = message;
    last_waiting = &message->next;
}

static struct arrived *received(MPI_Message *handle, const MPI_Status *status)
{
    int bytes;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    struct arrived *message = memory(sizeof *message + (size_t)bytes);
    MPI_Mrecv(&message->header, bytes, MPI_BYTE, handle, MPI_STATUS_IGNORE);
    message->envelope = (struct mail_envelope){message->header.type, bytes - (int)sizeof message->header,
                                               status->MPI_SOURCE, message->header.pid};
    return message;
}

int mail_progress(void)
{
    int any = 0;
    forget_what_has_left();
    for (;;) {
        MPI_Message handle;
        MPI_Status status;
        int found;
        MPI_Improbe(MPI_ANY_SOURCE, message_tag, MPI_COMM_WORLD, &found, &handle, &status);
        if (!found)
            return any;
        deliver(received(&handle, &status));
        any = 1;
    }
}

void mail_idle(void)
{
    sched_yield();
}

static struct arrived **place_of(const struct mail_selector *wanted)
{
    struct arrived **place = &waiting;
    while (*place && !takes(wanted, &(*place)->envelope))
        place = &(*place)->next;
    return place;
}

void mail_post(struct mail_receive *receive)
{
    struct arrived **place = place_of(&receive->wanted), *message = *place;
    receive->done = 0;
    if (message) {
        *place = message->next;
        if (!*place)
            last_waiting = place;
        hand_over(message, receive);
        return;
    }
    receive->next = 0;
    *last_posted = receive;
    last_posted = &receive->next;
}

int mail_look(const struct mail_selector *wanted, struct mail_envelope *found)
{
    const struct arrived *message = *place_of(wanted);
    if (message)
        *found = message->envelope;
    return message != 0;
}

void mail_finish(void)
{
    int all_are = 0;
    MPI_Request barrier = MPI_REQUEST_NULL;
    while (!all_are) {
        mail_progress();
        if (!leaving && barrier == MPI_REQUEST_NULL)
            MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        if (barrier != MPI_REQUEST_NULL)
            MPI_Test(&barrier, &all_are, MPI_STATUS_IGNORE);
        mail_idle();
    }
}
