/* SPDX-License-Identifier: MIT */
/* Streams, as C++ programs included it before its library had a namespace. */
#ifndef PARLEY_BEFORE_STANDARD_IOSTREAM_H
#define PARLEY_BEFORE_STANDARD_IOSTREAM_H

#include <iostream>
using namespace std;

#endif
