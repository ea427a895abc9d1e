/* SPDX-License-Identifier: MIT */
/* The name under which programs for AMUDP include the calls for a job. */
#include <amudp.h>
