/* SPDX-License-Identifier: MIT */
/* This has a source of its own, for it comes into every program in Fortran, and takes nothing else along. */
#include "userlib/fortran/units.h"

void (*nx_forget_unit)(int unit);
