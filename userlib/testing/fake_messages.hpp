// SPDX-License-Identifier: MIT
// A message system small enough to be obviously right, behind the proxy call of libnx's host tests. A
// node is a thread; copying and handing over can be chosen. Requests are done at once or when waited for;
// nothing is refused but lengths.
#pragma once

#include <functional>

namespace parley::userlib {

enum class Style { copying, shared_buffers, handing_over };

// Runs the program on that many nodes and returns when all are done; true when no message and no block is
// left over.
bool run_nodes(int nodes, Style style, const std::function<void()>& program);

// How many messages all nodes of the last run have sent; what is for all nodes counts once for each.
int messages_sent();

} // namespace parley::userlib
