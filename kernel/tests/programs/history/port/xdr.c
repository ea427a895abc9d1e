/* SPDX-License-Identifier: MIT */
/* Bytes as every machine writes them. */
#include <rpc/rpc.h>

int ixdr_()
{
    char room[8];
    double number = 2.5;
    XDR stream;
    xdrmem_create(&stream, room, sizeof room, XDR_ENCODE);
    return xdr_double(&stream, &number) == TRUE ? room[0] : 0;
}
