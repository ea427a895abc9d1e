/* SPDX-License-Identifier: MIT */
/* What programs ask about errno, which may have a value of NX's (nx_errno.h) here: perror, strerror, and the
 * table of texts that old C declares for itself and that C libraries no longer have. libnx stands before the
 * C library on the linker's command line, so these functions are found first. */
#define _GNU_SOURCE
#include "userlib/nx/failure.h"

#include <nx_errno.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { error_texts = EQNOSET + 1 };

const char *sys_errlist[error_texts];
int sys_nerr = error_texts;

static const char *text_of(int number)
{
    const char *own = nx_error_text(number);
    return own ? own : strerrordesc_np(number);
}

__attribute__((constructor)) static void fill(void)
{
    for (int number = 0; number < error_texts; number++) {
        const char *text = text_of(number);
        sys_errlist[number] = text ? text : "Unknown error";
    }
}

char *strerror_r(int number, char *buffer, size_t bytes)
{
    const char *text = text_of(number);
    if (text)
        return (char *)text;
    snprintf(buffer, bytes, "Unknown error %d", number);
    return buffer;
}

char *strerror(int number)
{
    static char unknown[32];
    return strerror_r(number, unknown, sizeof unknown);
}

void perror(const char *text)
{
    int number = errno;
    int named = text && *text;
    fprintf(stderr, "%s%s%s\n", named ? text : "", named ? ": " : "", strerror(number));
    errno = number;
}
