// SPDX-License-Identifier: MIT
#include "messaging/directory.hpp"

#include "testing/catch.hpp"

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr unsigned nodes = 3;
constexpr unsigned pids = 2;
constexpr unsigned host = nodes * pids;
constexpr unsigned nobody = 0; // as the sender of what is for one process

SendArguments to(long node, long pid)
{
    return {.type = 1, .buffer = 0, .length = 0, .node = node, .address = parley_address(pid, 0)};
}

Destinations found(const Directory& directory, long node, long pid, unsigned sender = nobody)
{
    const Result<Destinations> result = directory.find(to(node, pid), sender);
    REQUIRE(result);
    return *result;
}

// The one endpoint of a (node, pid).
unsigned endpoint(const Directory& directory, long node, long pid)
{
    const Destinations result = found(directory, node, pid);
    CHECK(result.count == 1);
    CHECK(result.last == result.first + 1);
    CHECK((result.skipped < result.first || result.skipped >= result.last));
    return result.first;
}

Error refusal(const Directory& directory, long node, long pid)
{
    const Result<Destinations> result = directory.find(to(node, pid), nobody);
    REQUIRE_FALSE(result);
    return result.error();
}

} // namespace

TEST_CASE("every process of the nodes is found under the name that it has at first, and no two are the same")
{
    const Directory directory(nodes, pids, false);
    CHECK(directory.processes() == nodes * pids);
    for (unsigned each = 0; each < directory.processes(); ++each) {
        const ProcessName name = directory.name_of(each);
        CHECK(endpoint(directory, name.node, name.pid) == each);
    }
    CHECK(endpoint(directory, 2, 1) == 5);
}

TEST_CASE("the host has the number after the last node, and any pid")
{
    const Directory directory(nodes, pids, true);
    CHECK(directory.processes() == nodes * pids + 1);
    CHECK(directory.name_of(host).node == static_cast<int>(nodes));
    CHECK(endpoint(directory, nodes, 0) == host);
    CHECK(endpoint(directory, nodes, 100) == host);
    CHECK(refusal(directory, nodes + 1, 0) == Error::bad_node);
    CHECK(refusal(Directory(nodes, pids, false), nodes, 0) == Error::bad_node);
}

TEST_CASE("a send to all nodes leaves out the sender's own, whatever its pid, and none for the host")
{
    const Directory directory(nodes, pids, true);
    const Destinations from_node_1 = found(directory, -1, 0, 1);
    CHECK(from_node_1.first == 0);
    CHECK(from_node_1.last == 3);
    CHECK(from_node_1.skipped == 1);
    CHECK(from_node_1.count == 2);

    const Destinations from_pid_1 = found(directory, -1, 0, 5); // (2, 1)
    CHECK(from_pid_1.skipped == 2);
    CHECK(from_pid_1.count == 2);

    const Destinations to_pid_1 = found(directory, -1, 1, 0);
    CHECK(to_pid_1.first == 3);
    CHECK(to_pid_1.last == 6);
    CHECK(to_pid_1.skipped == 3);

    const Destinations from_host = found(directory, -1, 1, host);
    CHECK(from_host.count == 3);
    CHECK((from_host.skipped < from_host.first || from_host.skipped >= from_host.last));
}

TEST_CASE("a send to all nodes of a job of one node is for nobody")
{
    CHECK(found(Directory(1, 1, false), -1, 0, 0).count == 0);
}

TEST_CASE("nodes and pids that the job does not have are refused")
{
    const Directory directory(nodes, pids, true);
    CHECK(refusal(directory, -2, 0) == Error::bad_node);
    CHECK(refusal(directory, 1'000'000'000'000, 0) == Error::bad_node);
    CHECK(refusal(directory, 0, pids) == Error::bad_process);
    CHECK(refusal(directory, 0, -1) == Error::bad_process);
    CHECK(refusal(directory, 0, 0x7fffffff) == Error::bad_process);
    CHECK(refusal(directory, -1, pids) == Error::bad_process);
}

TEST_CASE("a row that has chosen a pid is found by that and by its number")
{
    Directory directory(nodes, pids, true);
    REQUIRE(directory.rename(4, 77)); // (1, 1)
    CHECK(endpoint(directory, 1, 77) == 4);
    CHECK(endpoint(directory, 0, 77) == 3); // the row's other processes, too
    CHECK(endpoint(directory, 1, 1) == 4);
    CHECK(found(directory, -1, 77, 0).first == 3);
    CHECK(directory.rename(5, 77)); // another of the row chooses the same
    CHECK(refusal(directory, 0, 78) == Error::bad_process);
}

TEST_CASE("a row that has chosen again is found by its last pid")
{
    Directory directory(nodes, pids, false);
    REQUIRE(directory.rename(0, 50));
    REQUIRE(directory.rename(0, 60));
    CHECK(endpoint(directory, 2, 60) == 2);
    CHECK(refusal(directory, 2, 50) == Error::bad_process);
    CHECK(directory.rename(3, 50)); // and another row may have the pid that is free again
    CHECK(endpoint(directory, 2, 50) == 5);
}

TEST_CASE("a row gets the pid of its process that chooses last, though that had it before another chose")
{
    Directory directory(nodes, pids, false);
    REQUIRE(directory.rename(0, 50));
    REQUIRE(directory.rename(1, 60));
    REQUIRE(directory.rename(0, 50));
    CHECK(endpoint(directory, 0, 50) == 0);
    CHECK(refusal(directory, 1, 60) == Error::bad_process);
}

TEST_CASE("a pid that another row has, by its choice or its number, is in use")
{
    Directory directory(nodes, pids, false);
    REQUIRE(directory.rename(0, 50));
    for (const std::int32_t pid : {50, 0}) {
        const Result<void> refused = directory.rename(3, pid);
        REQUIRE_FALSE(refused);
        CHECK(refused.error() == Error::pid_in_use);
    }
    CHECK(endpoint(directory, 0, 50) == 0);
    CHECK(endpoint(directory, 0, 1) == 3);
}

TEST_CASE("a process keeps its pid, a negative one is refused, and the host's name stays its own")
{
    Directory directory(nodes, pids, true);
    CHECK(directory.rename(3, 1));
    CHECK(directory.rename(0, -1).error() == Error::bad_process);
    CHECK(directory.rename(host, 900));
    CHECK(refusal(directory, 0, 900) == Error::bad_process); // no row of nodes has it
    CHECK(directory.rename(0, 900));
}

TEST_CASE("a job as large as can be has a name for every process, and its host beside them")
{
    constexpr unsigned most = PARLEY_MAX_NODES, deep = PARLEY_MAX_PROCESSES / PARLEY_MAX_NODES;
    const Directory full(most, deep, false);
    CHECK(full.processes() == PARLEY_MAX_PROCESSES);
    for (const unsigned each : {0u, most - 1, most, PARLEY_MAX_PROCESSES - 1u}) {
        const ProcessName name = full.name_of(each);
        CHECK(endpoint(full, name.node, name.pid) == each);
    }
    CHECK(endpoint(full, most - 1, deep - 1) == PARLEY_MAX_PROCESSES - 1);
    CHECK(refusal(full, most, 0) == Error::bad_node);
    CHECK(found(full, -1, deep - 1).count == most - 1);

    const Directory hosted(most, 1, true);
    CHECK(hosted.name_of(most).node == static_cast<int>(most));
    CHECK(endpoint(hosted, most, 0) == most);
    CHECK(found(hosted, -1, 0, most).count == most);
    CHECK(refusal(hosted, most + 1, 0) == Error::bad_node);

    const Directory narrow(PARLEY_MAX_PROCESSES / PARLEY_MAX_PIDS, PARLEY_MAX_PIDS, false);
    CHECK(endpoint(narrow, narrow.nodes() - 1, PARLEY_MAX_PIDS - 1) == PARLEY_MAX_PROCESSES - 1);
    CHECK(refusal(narrow, 0, PARLEY_MAX_PIDS) == Error::bad_process);
}
