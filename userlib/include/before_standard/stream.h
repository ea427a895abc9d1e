/* SPDX-License-Identifier: MIT */
/* Streams, as C++ programs included it before its library had a namespace. */
#ifndef PARLEY_BEFORE_STANDARD_STREAM_H
#define PARLEY_BEFORE_STANDARD_STREAM_H

#include <iostream>
using namespace std;

#endif
