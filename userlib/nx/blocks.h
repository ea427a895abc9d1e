/* SPDX-License-Identifier: MIT */
/* Rooms for receives. */
#ifndef PARLEY_NX_BLOCKS_H
#define PARLEY_NX_BLOCKS_H

/* A block for a receive_block of so many bytes, where the receiver has to bring one: else, and for no bytes,
 * `room` stays as it is. 0, or minus an error. */
long nx_make_room(void **room, long bytes, long alignment);

#endif
