/* SPDX-License-Identifier: MIT */
/* What the programs of a storm have in common. */
#ifndef PARLEY_SOAK_STORM_H
#define PARLEY_SOAK_STORM_H

enum { seed_type = 1, note_type = 2, ping_type = 3, pong_type = 4, talk_type = 10 };
enum { messages_a_note = 40 };

static unsigned long state = 88172645463325252;
static unsigned long below(unsigned long end)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % end;
}

#endif
