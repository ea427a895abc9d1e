/* SPDX-License-Identifier: MIT */
/* The name under which programs for AMMPI include the calls for a job. */
#include <ammpi.h>
