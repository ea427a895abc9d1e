/* SPDX-License-Identifier: MIT */
/* The header by which programs asked NXLIB for malloc and its kind; here these are the C library's. */
#include <stdlib.h>
