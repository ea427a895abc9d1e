/* SPDX-License-Identifier: MIT */
#include "userlib/files/failures.h"

#include "userlib/nx/failure.h"

#include <errno.h>
#include <nx_errno.h>
#include <string.h>

static const char *reason(void)
{
    switch (errno) {
    case EQPARAM: return "there is no such mode";
    case EQLEN: return nx_sentence(nx_error_bad_length);
    case EQMEM: return nx_sentence(nx_error_no_memory);
    case EQMID: return "this id was not handed out by iread or iwrite";
    default: return strerror(errno);
    }
}

long nx_must_transfer(const char *call, long file, long bytes, long value)
{
    if (value < 0)
        nx_end_call(call, reason(), "file %d, %ld bytes", (int)file, bytes);
    return value;
}

long nx_must_work(const char *call, long file, long value)
{
    if (value < 0)
        nx_end_call(call, reason(), "file %d", (int)file);
    return value;
}

long nx_must_know_id(const char *call, long id, long value)
{
    if (value < 0)
        nx_end_call(call, reason(), "id %d", (int)id);
    return value;
}

void nx_must_find(const char *call, const char *path, long value)
{
    if (value < 0)
        nx_end_call(call, reason(), "\"%s\"", path);
}
