/* SPDX-License-Identifier: MIT */
/* The user-level message library as a file: linked at PARLEY_LIBRARY_BASE, without anything to write, so that
 * all processes of a job map it alike, and tables of virtual functions in the arena are good for all. */
#ifndef PARLEY_NATIVE_LIBRARY_IMAGE_H
#define PARLEY_NATIVE_LIBRARY_IMAGE_H

struct parley_library;

#ifdef __cplusplus
extern "C" {
#endif

/* Maps the library at its place. Null: it cannot be mapped; errno says why, or is 0: the file is damaged. */
__attribute__((visibility("hidden"))) const struct parley_library* parley_map_library(int file);

#ifdef __cplusplus
}
#endif

#endif
