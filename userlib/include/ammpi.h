/* SPDX-License-Identifier: MIT */
/* The name under which programs for AMMPI include Active Messages II. */
#ifndef AMMPI
#define AMMPI 1
#endif
#include <amx.h>
