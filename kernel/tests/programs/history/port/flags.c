/* SPDX-License-Identifier: MIT */
/* No header at all: the calls are known to the linker, and the compiler knew these names. */
int iflags_()
{
    char cube[NAMELEN];
    int found = FALSE;
    if (mynode() < numnodes())
        found = TRUE;
    return found ? sizeof cube : 0;
}
