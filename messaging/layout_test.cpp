// SPDX-License-Identifier: MIT
#include "messaging/layout.hpp"

#include "testing/catch.hpp"

using parley::messaging::Layout;

TEST_CASE("every node is in the part whose run of nodes it lies in, and runs are as long but for one")
{
    for (unsigned nodes = 1; nodes <= 40; ++nodes)
        for (unsigned parts = 1; parts <= nodes; ++parts) {
            INFO(nodes << " nodes, " << parts << " parts");
            const Layout layout{.nodes = nodes};
            CHECK((layout.first_node(0, parts) == 0 && layout.first_node(parts, parts) == nodes));
            for (unsigned part = 0; part < parts; ++part) {
                const unsigned first = layout.first_node(part, parts),
                               end = layout.first_node(part + 1, parts);
                CHECK((end - first == nodes / parts || end - first == nodes / parts + 1));
                for (unsigned node = first; node < end; ++node)
                    CHECK(layout.part_of(node, parts) == part);
            }
        }
}
