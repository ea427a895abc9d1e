/* SPDX-License-Identifier: MIT */
/* Streams in memory, as C++ programs included it before its library had a namespace. */
#ifndef PARLEY_BEFORE_STANDARD_STRSTREAM_H
#define PARLEY_BEFORE_STANDARD_STRSTREAM_H

#include <strstream>
using namespace std;

#endif
