/* SPDX-License-Identifier: MIT */
/* File streams, as C++ programs included it before its library had a namespace. */
#ifndef PARLEY_BEFORE_STANDARD_FSTREAM_H
#define PARLEY_BEFORE_STANDARD_FSTREAM_H

#include <fstream>
using namespace std;

#endif
