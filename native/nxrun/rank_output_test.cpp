// SPDX-License-Identifier: MIT
#include "native/nxrun/rank_output.hpp"

#include "testing/catch.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace parley::native;

namespace {

// Two ranks of nodes 3 and 4, and a reader.
struct Scene {
    Scene() : ends_{made()}, output(true, ends_.write)
    {
        for (unsigned i = 0; i < 2; ++i) {
            ranks[i].node = 3 + static_cast<int>(i);
            inputs[i] = *output.open(ranks[i]);
        }
    }
    ~Scene()
    {
        for (Place& rank : ranks)
            output.end(rank);
        for (const int file : {inputs[0], inputs[1], ends_.read, ends_.write})
            close(file);
    }
    void print(unsigned rank, const std::string& text)
    {
        REQUIRE(write(inputs[rank], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
        output.attend();
    }
    // What the reader finds.
    std::string read() const
    {
        char bytes[65536];
        const ssize_t got = ::read(ends_.read, bytes, sizeof bytes);
        return {bytes, got > 0 ? static_cast<std::size_t>(got) : 0};
    }

    struct Ends {
        int read, write;
    };
    static Ends made()
    {
        int ends[2];
        REQUIRE(pipe2(ends, O_NONBLOCK) == 0);
        return {ends[0], ends[1]};
    }

    const Ends ends_;
    RankOutput output;
    Place ranks[2];
    int inputs[2];
};

} // namespace

TEST_CASE("whole lines come out behind the rank that wrote them")
{
    Scene scene;
    scene.print(0, "one\ntw");
    scene.print(1, "eins\n");
    CHECK(scene.read() == "[3] one\n[4] eins\n");
    scene.print(0, "o\n");
    CHECK(scene.read() == "[3] two\n");
    scene.ranks[1].role = Role::host;
    scene.print(1, "hosted\n");
    CHECK(scene.read() == "[host] hosted\n");
}

TEST_CASE("a line without an end comes out when its rank ends, or when it is too long")
{
    Scene scene;
    scene.print(0, "last");
    CHECK(scene.read() == "");
    scene.output.end(scene.ranks[0]);
    CHECK(scene.read() == "[3] last\n");
    CHECK(scene.ranks[0].output == -1);
    scene.print(1, std::string(4096, 'x'));
    CHECK(scene.read() == "");
    scene.print(1, "x");
    CHECK(scene.read().size() == 4097 + 5);
}

TEST_CASE("while nobody reads, nxrun keeps what it has and takes no more")
{
    Scene scene;
    while (!scene.output.waits())
        scene.print(0, std::string(1000, 'y') + "\n");
    scene.print(1, "waits\n");
    std::string all;
    while (scene.output.waits()) {
        all += scene.read();
        scene.output.attend();
    }
    for (std::string some = scene.read(); !some.empty(); some = scene.read())
        all += some;
    CHECK(all.ends_with("y\n"));
    CHECK(all.find("waits") == std::string::npos);
    scene.output.attend();
    CHECK(scene.read() == "[4] waits\n");
}

TEST_CASE("what nobody reads is given up when the job has been told to end")
{
    Scene scene;
    while (!scene.output.waits())
        scene.print(0, std::string(1000, 'y') + "\n");
    scene.output.give_up();
    CHECK_FALSE(scene.output.waits());
}

TEST_CASE("lines that cannot be written are lost, and it is known why")
{
    const int full = open("/dev/full", O_WRONLY);
    REQUIRE(full >= 0);
    RankOutput output(true, full);
    Place rank;
    const int input = *output.open(rank);
    CHECK(output.failure() == 0);
    REQUIRE(write(input, "one\n", 4) == 4);
    output.attend();
    CHECK(output.failure() == ENOSPC);
    CHECK_FALSE(output.waits());
    close(input);
    output.end(rank);
    close(full);
}

TEST_CASE("ranks whose lines are not tagged have nxrun's own output")
{
    RankOutput output(false, STDOUT_FILENO);
    Place rank;
    CHECK(output.open(rank) == -1);
    CHECK(rank.output == -1);
    output.end(rank);
    CHECK_FALSE(output.waits());
}
