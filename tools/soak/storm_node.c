/* SPDX-License-Identifier: MIT */
/* Talks to everybody in every way until it is killed. */
#include <nx.h>
#include <stdlib.h>

static unsigned long state = 88172645463325252;
static unsigned long below(unsigned long end)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % end;
}

int main(void)
{
    static char buffer[20000], other[20000];
    const long nodes = numnodes(), sizes[] = {0, 4, 100, 1000, 20000};
    unsigned long seed = 0;
    crecv(1, &seed, sizeof seed);
    state += seed * 2 + (unsigned long)mynode();
    csend(2, buffer, 64, myhost(), 0);
    for (unsigned long turn = 1;; ++turn) {
        const long to = (long)below((unsigned long)nodes), bytes = sizes[below(5)];
        const long sent = to == mynode() ? -1 : _isend(10, buffer, bytes, to, 0);
        if (turn % 50 == 0)
            csend(2, buffer, 64, myhost(), 0);
        for (int i = 0; i < 4 && _iprobe(10) == 1; ++i)
            crecv(10, other, sizeof other);
        if (below(8) == 0) {
            const long wanted = _irecv(10, other, sizeof other);
            if (wanted != -1 && (below(2) == 0 || msgdone(wanted) == 0))
                _msgcancel(wanted);
        }
        if (sent != -1)
            msgignore(sent);
        if (below(30) == 0)
            flick();
    }
}
