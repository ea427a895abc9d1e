/* SPDX-License-Identifier: MIT */
/* gfortran's SLEEP, by the sleep of libnx, during which handlers run. */
#include <stdint.h>
#include <unistd.h>

void _gfortran_sleep_i4_sub(const int32_t *seconds);
void _gfortran_sleep_i8_sub(const int64_t *seconds);

void _gfortran_sleep_i4_sub(const int32_t *seconds)
{
    sleep(*seconds < 0 ? 0 : (unsigned)*seconds);
}

void _gfortran_sleep_i8_sub(const int64_t *seconds)
{
    sleep(*seconds < 0 ? 0 : (unsigned)*seconds);
}
