// SPDX-License-Identifier: MIT
// How two machines' nxruns meet, and what crosses between an nxrun and its helper: the second machine is a
// process of the test, and fake_adapter.c stands for MPI.
#include "native/interface/departure.h"
#include "native/nxrun/fake_semaphores_test.hpp"
#include "native/nxrun/network_connection.hpp"

#include "native/network/control.hpp"
#include "native/nxrun/installation.hpp"
#include "native/nxrun/options.hpp"
#include "testing/catch.hpp"

#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace parley;
using namespace parley::native;

namespace {

constexpr unsigned nodes = 2, helper = 2;

// Stands for the helper's life in the library: whatever nxrun sends comes back, until the job is over. The
// library would be given the stack as it is here.
[[gnu::force_align_arg_pointer]] void send_back()
{
    int socket = -1;
    for (int file = 3; file < 256; ++file) {
        int type = 0;
        socklen_t size = sizeof type;
        if (getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET)
            socket = file;
    }
    static char bytes[longest_control];
    for (;;) {
        const ssize_t got = recv(socket, bytes, sizeof bytes, 0);
        ControlHead head{};
        if (got < static_cast<ssize_t>(sizeof head))
            _exit(1);
        std::memcpy(&head, bytes, sizeof head);
        if (head.machine == ControlHead::over)
            _exit(0);
        (void)send(socket, bytes, static_cast<std::size_t>(got), 0);
    }
}

// What the test tells the fake adapter; the helper, which is forked later, has it too.
template <class T>
void tell_adapter(const char* name, T value)
{
    void* const object = dlopen(installed_file("lib/parley/network-fake.so").c_str(), RTLD_NOW);
    REQUIRE(object != nullptr);
    auto* const variable = static_cast<T*>(dlsym(object, name));
    REQUIRE(variable != nullptr);
    *variable = value;
}

// One machine's nxrun.
struct Machine {
    NxrunOptions options;
    unsigned here;
    std::string design = "native", objection;
    unsigned processes = nodes / 2; // that run on it

    explicit Machine(unsigned here) : here(here) { options.nodes = nodes; }

    // Calls `act` with the connection and what has come of joining. The result is the sentence by which the
    // machines could not be joined; "joined": they were.
    template <class Act>
    std::string join(int socket, Act act) const
    {
        Places places{{.nodes = nodes, .machines = 2, .here = here}, 1};
        parley_library library{};
        library.deliver = &send_back;
        RankSemaphores semaphores({"kernel", "kernel", {}}, nodes, fake_library(library));
        const ProcessorShare processors({0}, false, processes);
        const SharedJobMemory memory{
            options, {{}, design, "", true}, semaphores, places, processors, {1000, 0}, library};
        tell_adapter("fake_machine", here);
        tell_adapter("fake_socket", socket);
        try {
            NetworkConnection connection({2, here, "fake"}, options, design, objection);
            act(connection, *connection.join(helper, memory, processors, library));
        } catch (const BadRequest& problem) {
            return problem.sentence;
        }
        return "joined";
    }
    std::string join(int socket) const
    {
        return join(socket, [](NetworkConnection& connection, const Connection::Joined& joined) {
            connection.finish();
            waitpid(joined.network, nullptr, 0);
        });
    }
};

// Two machines that are to meet; the second one tells what has become of it.
struct Two {
    Machine first{0}, second{1};
    std::string told_second;

    Two()
    {
        tell_adapter("fake_machines", 2u);
        tell_adapter("fake_mpi_ends", 0);
    }
    template <class Act>
    std::string join(Act act)
    {
        int sockets[2], answer[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
        REQUIRE(pipe(answer) == 0);
        const pid_t test = getpid();
        const pid_t other = fork();
        REQUIRE(other >= 0);
        if (other == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL); // whatever becomes of the test
            if (getppid() != test)
                _exit(1);
            close(sockets[0]);
            const std::string told = second.join(sockets[1]);
            (void)!write(answer[1], told.data(), told.size());
            _exit(0);
        }
        close(sockets[1]);
        close(answer[1]);
        const std::string told = first.join(sockets[0], act);
        close(sockets[0]);
        char bytes[1024];
        const ssize_t got = read(answer[0], bytes, sizeof bytes);
        told_second.assign(bytes, got < 0 ? 0 : static_cast<std::size_t>(got));
        close(answer[0]);
        waitpid(other, nullptr, 0);
        return told;
    }
    std::string join()
    {
        return join([](NetworkConnection& connection, const Connection::Joined& joined) {
            connection.finish();
            int status = 0;
            CHECK(waitpid(joined.network, &status, 0) == joined.network);
            CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
        });
    }
};

bool names_both(const std::string& sentence)
{
    return sentence.find(" on machine 0 (") != std::string::npos &&
           sentence.find(" and machine 1 (") != std::string::npos;
}

} // namespace

TEST_CASE("machines that were asked for the same job meet, and know who is on the same computer")
{
    Two two;
    two.first.processes = 3;
    two.second.processes = 4;
    const std::string told = two.join([](NetworkConnection& connection, const Connection::Joined& joined) {
        CHECK(joined.network > 0);
        CHECK(joined.crowd.processes == 3 + 4);
        CHECK(joined.crowd.before == 0);
        connection.finish();
        waitpid(joined.network, nullptr, 0);
    });
    CHECK(told == "joined");
    CHECK(two.told_second == "joined");
}

TEST_CASE("machines that were asked for different jobs do not begin, and the first one says why")
{
    Two two;
    std::string wanted;
    SECTION("nodes")
    {
        two.second.options.nodes = nodes + 1;
        wanted = "nxrun was asked for different numbers of nodes";
    }
    SECTION("a design")
    {
        two.second.design = "exp6";
        wanted = "nxrun was asked for different jobs";
    }
    SECTION("memory for messages")
    {
        two.second.options.budget = 1 << 20;
        wanted = "nxrun was asked for different jobs";
    }
    const std::string told = two.join();
    CHECK(told.starts_with(wanted));
    CHECK(names_both(told));
    CHECK(two.told_second == "");
}

TEST_CASE("what keeps one machine from beginning keeps all, and the first one says it")
{
    Two two;
    Machine& one = GENERATE(false, true) ? two.first : two.second;
    one.objection = "This machine has no such program.";
    CHECK(two.join() == "This machine has no such program.");
    CHECK(two.told_second == "");
}

TEST_CASE("an mpirun of another MPI, which numbers the machines by itself, is refused")
{
    Two two;
    tell_adapter("fake_machines", 1u);
    CHECK(two.join().starts_with("mpirun and its MPI number the machines differently"));
}

TEST_CASE("where MPI has ended the machines are not joined")
{
    Two two;
    tell_adapter("fake_mpi_ends", 1);
    CHECK(two.join().starts_with("The machines of this job cannot be joined: MPI has ended"));
}

TEST_CASE("an MPI without an adapter is refused, and the sentence says what to install")
{
    try {
        NetworkConnection({2, 0, "no-such-mpi"}, Machine(0).options, "native", "");
        FAIL("it is not refused");
    } catch (const BadRequest& problem) {
        CHECK(problem.sentence.find("network-no-such-mpi.so: install its compiler") != std::string::npos);
    }
}

TEST_CASE("a packet crosses whole, but for a text that is longer than any may be")
{
    Two two;
    const std::size_t length = GENERATE(std::size_t{0}, std::size_t{5}, longest_text, longest_text + 1);
    two.join([&](NetworkConnection& connection, const Connection::Joined& joined) {
        unsigned machine = 7;
        CHECK_FALSE(connection.receive(machine));
        const Packet sent{Packet::Kind::failed, 3, {1, -2, 3, -4}, std::string(length, 'x')};
        connection.send(1, sent, ControlHead::none);
        pollfd told{connection.descriptor(), POLLIN, 0};
        REQUIRE(poll(&told, 1, -1) == 1);
        const auto came = connection.receive(machine);
        REQUIRE(came);
        CHECK(machine == 1);
        CHECK((came->kind == sent.kind && came->endpoint == sent.endpoint && came->words == sent.words));
        CHECK(came->text == sent.text.substr(0, longest_text));
        connection.finish();
        waitpid(joined.network, nullptr, 0);
    });
}
