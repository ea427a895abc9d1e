// SPDX-License-Identifier: MIT
#include "testing/catch.hpp"

#include "userlib/testing/fake_messages.hpp"

#include <nx.h>

#include <atomic>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

extern "C" {
#include "interface/limits.h"
#include "userlib/fortran/binding.h"
#include "userlib/nx/this_process.h"
void gisum_(int x[], const int* n, int work[]);
}

using namespace parley::userlib;

namespace {

// Nodes are threads, and Catch2's assertions are not made for several: they count what was wrong.
template <class Program>
void on_all_nodes(Program program)
{
    const Style style = GENERATE(Style::copying, Style::shared_buffers, Style::handing_over);
    const int nodes = GENERATE(1, 2, 3, 5, 8);
    const int few_processors = GENERATE(0, 1); // 1: more than two nodes meet
    const int machines_meet = few_processors != 0 ? 0 : GENERATE(0, 1);
    std::atomic<int> wrong = 0;
    const bool clean = run_nodes(nodes, style, [&] {
        nx_process.has_few_processors = few_processors;
        nx_process.machines_meet = machines_meet;
        wrong += program() ? 0 : 1;
    });
    CHECK(wrong == 0);
    CHECK(clean);
}

} // namespace

TEST_CASE("a sum is the same on every node")
{
    on_all_nodes([] {
        double x[3] = {1.0, static_cast<double>(mynode()), 0.5}, work[3];
        gdsum(x, 3, work);
        const auto n = static_cast<double>(numnodes());
        return x[0] == n && x[1] == n * (n - 1) / 2 && x[2] == n / 2;
    });
}

TEST_CASE("Fortran sums its own kind of integer")
{
    on_all_nodes([] {
        int x[2] = {1, static_cast<int>(mynode())}, work[2], n = 2;
        gisum_(x, &n, work);
        return x[0] == numnodes() && x[1] == numnodes() * (numnodes() - 1) / 2;
    });
}

TEST_CASE("what combines is combined in the order of nodes, on every node")
{
    on_all_nodes([] {
        bool right = true;
        for (const long count : {1, 1000}) { // short and long: two nodes exchange the one
            std::vector<long> x(count, mynode() + 1), work(count);
            gopf(x.data(), count * 8, work.data(), [](char* ours, char* theirs) -> long {
                *reinterpret_cast<long*>(ours) =
                    *reinterpret_cast<long*>(ours) * 10 + *reinterpret_cast<long*>(theirs);
                return 0;
            });
            // ((1 2) (3 4)) ...: of two neighbours the lower one's digit comes first
            const long wanted[] = {0, 1, 12, 123};
            right = right && (numnodes() > 3 || x[0] == wanted[numnodes()]);
        }
        return right;
    });
}

TEST_CASE("nobody leaves a gsync before everybody has come")
{
    const int nodes = GENERATE(2, 3, 6);
    const int few_processors = GENERATE(0, 1);
    const Style style = GENERATE(Style::copying, Style::shared_buffers, Style::handing_over);
    std::atomic<int> come = 0;
    std::atomic<int> wrong = 0;
    const bool clean = run_nodes(nodes, style, [&] {
        nx_process.has_few_processors = few_processors;
        for (int round = 1; round <= 20; ++round) {
            come++;
            gsync();
            wrong += come >= round * nodes ? 0 : 1;
        }
    });
    CHECK(wrong == 0);
    CHECK(come == 20 * nodes);
    CHECK(clean);
}

TEST_CASE("where nodes share processors, or machines meet, they send each other no message for what is short")
{
    const int machines_meet = GENERATE(0, 1);
    const auto messages = [machines_meet](const std::function<void()>& call) {
        CHECK(run_nodes(5, Style::copying, [&] {
            nx_process.has_few_processors = 1 - machines_meet;
            nx_process.machines_meet = machines_meet;
            call();
        }));
        return messages_sent();
    };
    CHECK(messages(gsync) == 0);
    CHECK(messages([] {
              double x[PARLEY_MEETING_BYTES / sizeof(double)] = {}, work[std::size(x)];
              gdsum(x, std::size(x), work);
          }) == 0);
    CHECK(messages([] {
              char part[1], whole[5];
              long lengths[] = {1, 1, 1, 1, 1};
              long count = 0;
              gcol(part, 1L, whole, 5L, &count);
              gcolx(part, lengths, whole);
          }) == 0);
    CHECK(messages([] {
              double x[PARLEY_MEETING_BYTES / sizeof(double) + 1] = {}, work[std::size(x)];
              gdsum(x, std::size(x), work);
          }) == 4 + 4); // up the tree, and down
}

TEST_CASE("where nodes meet, gcol takes long parts among short ones")
{
    const int long_node = GENERATE(0, 1, 4);
    std::atomic<int> wrong = 0;
    CHECK(run_nodes(5, Style::copying, [&] {
        nx_process.has_few_processors = 1;
        const std::string part(mynode() == long_node ? 1000 : 1, static_cast<char>('a' + mynode()));
        std::string whole(2000, ' ');
        long count = 0;
        gcol(const_cast<char*>(part.data()), static_cast<long>(part.size()), whole.data(), 2000, &count);
        for (long node = 0, at = 0; node < 5; node++)
            for (long i = 0; i < (node == long_node ? 1000 : 1); i++)
                wrong += count == 1004 && whole[at++] == 'a' + node ? 0 : 1;
    }));
    CHECK(wrong == 0);
}

TEST_CASE("gcol puts parts of different lengths together in the order of nodes")
{
    on_all_nodes([] {
        std::vector<int> part(mynode(), static_cast<int>(mynode())), whole(64);
        long count = 0;
        gcol(part.data(), mynode() * 4, whole.data(), 64 * 4, &count);
        long word = 0;
        for (int node = 0; node < numnodes(); node++)
            for (int i = 0; i < node; i++)
                if (whole[word++] != node)
                    return false;
        return count == word * 4;
    });
}

TEST_CASE("gcolx puts parts of known lengths together")
{
    on_all_nodes([] {
        char part[8], whole[64];
        long lengths[8];
        for (int node = 0; node < numnodes(); node++)
            lengths[node] = node + 1;
        for (int i = 0; i <= mynode(); i++)
            part[i] = static_cast<char>('a' + mynode());
        gcolx(part, lengths, whole);
        return whole[0] == 'a' && whole[numnodes() * (numnodes() + 1) / 2 - 1] == 'a' + numnodes() - 1;
    });
}

TEST_CASE("gopf combines with the program's function")
{
    on_all_nodes([] {
        long pair[2] = {mynode(), -mynode()}, work[2];
        gopf(pair, sizeof pair, work, [](char* x, char* other) {
            auto* ours = reinterpret_cast<long*>(x);
            const auto* theirs = reinterpret_cast<long*>(other);
            ours[0] = ours[0] > theirs[0] ? ours[0] : theirs[0];
            ours[1] += theirs[1];
            return 0L;
        });
        return pair[0] == numnodes() - 1 && pair[1] == -numnodes() * (numnodes() - 1) / 2;
    });
}
