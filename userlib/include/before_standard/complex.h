/* SPDX-License-Identifier: MIT */
/* Complex numbers, as C++ programs included it before its library had a namespace. */
#ifndef PARLEY_BEFORE_STANDARD_COMPLEX_H
#define PARLEY_BEFORE_STANDARD_COMPLEX_H

#include <complex>
#include <iostream>
using namespace std;
typedef std::complex<double> double_complex;

#endif
