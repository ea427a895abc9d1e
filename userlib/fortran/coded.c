/* SPDX-License-Identifier: MIT */
/* What the wrapper for old Fortran makes of ENCODE and DECODE (userlib/wrappers/old_fortran.py): a statement
 * whose condition, always true, sets where the characters lie. */

int nxcode_(long *place, const long *address);

int nxcode_(long *place, const long *address)
{
    *place = *address;
    return 1;
}
