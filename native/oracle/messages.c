/* SPDX-License-Identifier: MIT */
/* The message calls, over mail.h. A failure ends the job in one sentence; the twins that return are not
 * here. */
#include "native/oracle/mail.h"

#include <nx.h>
#include <stdlib.h>

enum { most_requests = 1024 };

long msginfo[8];

static void note(long info[8], const struct mail_envelope *found)
{
    info[0] = found->type;
    info[1] = found->length;
    info[2] = found->node;
    info[3] = found->pid;
}

static struct mail_selector selector(long typesel, long nodesel, long pidsel)
{
    return (struct mail_selector){(int)typesel, (int)nodesel, (int)pidsel};
}

static struct mail_receive receive(struct mail_selector wanted, void *buffer, long maximum)
{
    if ((int)maximum < 0)
        mail_fail("a receive cannot have room for %d bytes", (int)maximum);
    return (struct mail_receive){.wanted = wanted, .buffer = buffer, .maximum = (int)maximum};
}

static void check_pid(long pid)
{
    if ((int)pid != 0)
        mail_fail("there is no process %d: every node has one, 0", (int)pid);
}

void csend(long type, const void *buffer, long length, long node, long pid)
{
    check_pid(pid);
    mail_send((int)type, buffer, (int)length, (int)node);
}

void crecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8])
{
    struct mail_receive own = receive(selector(typesel, nodesel, pidsel), buffer, maximum);
    mail_progress();
    mail_post(&own);
    while (!own.done)
        if (!mail_progress())
            mail_idle();
    note(info, &own.found);
}

void crecv(long typesel, void *buffer, long maximum)
{
    crecvx(typesel, buffer, maximum, mail_any, mail_any, msginfo);
}

/* Blocks stay with their owners: bytes are copied. */
void crecvp(long typesel, void **buffer, long maximum)
{
    if (!*buffer && (int)maximum > 0 && !(*buffer = nx_alloc((int)maximum)))
        mail_fail("there is no memory for a block of %d bytes", (int)maximum);
    crecv(typesel, *buffer, maximum);
}

/* A request's number is its id. A send is over when it begins, since its bytes were copied. */
static struct request {
    enum { request_free, request_send, request_receive } kind;
    long *info;
    struct mail_receive receive;
} requests[most_requests];

static long taken(int kind)
{
    for (long id = 0; id < most_requests; id++)
        if (requests[id].kind == request_free) {
            requests[id].kind = kind;
            return id;
        }
    mail_fail("more than %d messages are under way; wait for some with msgwait", most_requests);
}

static struct request *request_of(long id)
{
    if ((int)id < 0 || (int)id >= most_requests || requests[(int)id].kind == request_free)
        mail_fail("%d is the id of no message", (int)id);
    return &requests[(int)id];
}

long isend(long type, const void *buffer, long length, long node, long pid)
{
    csend(type, buffer, length, node, pid);
    return taken(request_send);
}

long irecvx(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long info[8])
{
    const long id = taken(request_receive);
    struct request *request = &requests[id];
    request->info = info;
    request->receive = receive(selector(typesel, nodesel, pidsel), buffer, maximum);
    mail_progress();
    mail_post(&request->receive);
    return id;
}

long irecv(long typesel, void *buffer, long maximum)
{
    return irecvx(typesel, buffer, maximum, mail_any, mail_any, msginfo);
}

long msgdone(long id)
{
    struct request *request = request_of(id);
    mail_progress();
    if (request->kind == request_receive) {
        if (!request->receive.done)
            return 0;
        note(request->info, &request->receive.found);
    }
    request->kind = request_free;
    return 1;
}

void msgwait(long id)
{
    while (!msgdone(id))
        mail_idle();
}

long csendrecv(long type, const void *buffer, long length, long node, long pid, long typesel, void *reply,
               long maximum)
{
    csend(type, buffer, length, node, pid);
    crecv(typesel, reply, maximum);
    return infocount();
}

long iprobex(long typesel, long nodesel, long pidsel, long info[8])
{
    const struct mail_selector wanted = selector(typesel, nodesel, pidsel);
    struct mail_envelope found;
    mail_progress();
    if (!mail_look(&wanted, &found))
        return 0;
    note(info, &found);
    return 1;
}

void cprobex(long typesel, long nodesel, long pidsel, long info[8])
{
    while (!iprobex(typesel, nodesel, pidsel, info))
        mail_idle();
}

long iprobe(long typesel)
{
    return iprobex(typesel, mail_any, mail_any, msginfo);
}

void cprobe(long typesel)
{
    cprobex(typesel, mail_any, mail_any, msginfo);
}

long infotype(void)
{
    return msginfo[0];
}

long infocount(void)
{
    return msginfo[1];
}

long infonode(void)
{
    return msginfo[2];
}

long infopid(void)
{
    return msginfo[3];
}
