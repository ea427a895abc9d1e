/* SPDX-License-Identifier: MIT */
/* The name under which programs for AMUDP include Active Messages II. */
#ifndef AMUDP
#define AMUDP 1
#endif
#include <amx.h>
