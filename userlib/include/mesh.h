/* SPDX-License-Identifier: MIT */
/* The name under which older NX programs include nx.h. */
#include <nx.h>
