/* SPDX-License-Identifier: MIT */
/* How long an Active Message may be that goes straight into its destination's queue (calls.def:
 * send_active). */
#ifndef PARLEY_KERNEL_INTERFACE_ACTIVE_MESSAGES_H
#define PARLEY_KERNEL_INTERFACE_ACTIVE_MESSAGES_H

#define PARLEY_ACTIVE_BYTES 64

#endif
