/* SPDX-License-Identifier: MIT */
/* Manipulators, as C++ programs included it before its library had a namespace. */
#ifndef PARLEY_BEFORE_STANDARD_IOMANIP_H
#define PARLEY_BEFORE_STANDARD_IOMANIP_H

#include <iomanip>
using namespace std;

#endif
