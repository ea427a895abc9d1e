/* SPDX-License-Identifier: MIT */
/* The header of headers.c: declares what that file defines static, calls of NX/2, and the library's functions
 * in the old manner. */
extern long errno;
int numnodes(), mynode();
extern int hidden();
extern double scale(), half;
extern struct pair* swap();
int twice();
struct list {
    int (*twice)(); /* a member is not the function of that name */
};
extern char table[];
extern char* malloc();
extern int qsort(), printf();
/* clang-format off */
#define PASTED(first, second) first/**/second
/* clang-format on */
#define TEXT(name) "name"
