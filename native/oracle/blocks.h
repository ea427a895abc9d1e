/* SPDX-License-Identifier: MIT */
/* Memory that all ranks see at one address; nx.h has its calls. */
#ifndef PARLEY_ORACLE_BLOCKS_H
#define PARLEY_ORACLE_BLOCKS_H

/* Makes the memory of nx_alloc. All ranks call it at once, before the program begins. */
void blocks_begin(void);

#endif
