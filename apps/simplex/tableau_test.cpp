// SPDX-License-Identifier: MIT
#include "testing/catch.hpp"

#include <string>
#include <vector>

extern "C" {
#include "apps/simplex/mps.h"
#include "apps/simplex/tableau.h"
}

namespace {

// All nodes' shares in one process: what the messages carry is copied here.
class Nodes {
public:
    Nodes(const standard& form, distribution how, long count) : shares_(count)
    {
        for (long node = 0; node < count; node++)
            tableau_make(&shares_[node], &form, how, count, node);
    }
    Nodes(const Nodes&) = delete;
    ~Nodes()
    {
        for (tableau& share : shares_)
            tableau_free(&share);
    }

    // False: no better corner, or no end in sight.
    bool step(bool bland)
    {
        const bool columns = shares_[0].distribution == by_columns;
        const candidate column = best([&](tableau& share) { return tableau_entering(&share, bland); });
        if (!column.is_there)
            return false;
        std::vector<double> line = columns ? line_of(column.line) : std::vector<double>();
        const candidate row =
            best([&](tableau& share) { return tableau_leaving(&share, column.line, line.data(), bland); });
        if (!row.is_there) {
            unbounded = true;
            return false;
        }
        if (!columns)
            line = line_of(row.line);
        for (tableau& share : shares_)
            tableau_pivot(&share, {row.line, column.line}, line.data());
        steps++;
        return true;
    }

    void run(bool bland)
    {
        while (steps < 10000 && step(bland)) { }
        feasible = shares_[0].cost_count == 1 || tableau_infeasibility(&shares_[0]) < 1e-8;
        for (tableau& share : shares_)
            if (share.cost_count == 2)
                tableau_forget_artificial_costs(&share);
        while (feasible && steps < 10000 && step(bland)) { }
    }

    std::vector<double> values()
    {
        std::vector<double> all(shares_[0].rows + shares_[0].columns);
        for (tableau& share : shares_)
            tableau_values(&share, all.data());
        return all;
    }

    long steps = 0;
    bool unbounded = false, feasible = true;

private:
    template <class Offer>
    candidate best(Offer offer)
    {
        candidate winner{};
        for (tableau& share : shares_) {
            const candidate one = offer(share);
            if (candidate_is_better(&one, &winner))
                winner = one;
        }
        return winner;
    }

    std::vector<double> line_of(long number)
    {
        tableau& owner = shares_[tableau_owner(&shares_[0], number)];
        const double* line = tableau_line(&owner, number);
        return {line, line + tableau_line_length(&owner)};
    }

    std::vector<tableau> shares_;
};

struct Posed {
    problem written;
    standard form;

    explicit Posed(const std::string& text)
    {
        problem_make(&written);
        const char* wrong = mps_read(&written, "test", text.data(), static_cast<long>(text.size()), mps_free);
        REQUIRE(wrong == nullptr);
        standard_make(&form, &written);
    }
    Posed(const Posed&) = delete;
    ~Posed()
    {
        standard_free(&form);
        problem_free(&written);
    }

    double objective(Nodes& nodes)
    {
        solution found;
        solution_make(&found, &written, &form, nodes.values().data());
        const double objective = found.objective;
        CHECK(found.violation < 1e-9);
        solution_free(&found);
        return objective;
    }
};

const std::string beale =
    "NAME BEALE\nROWS\n N C\n L R1\n L R2\n L R3\nCOLUMNS\n X4 C -0.75 R1 0.25\n X4 R2 0.5\n"
    " X5 C 150 R1 -60\n X5 R2 -90\n X6 C -0.02 R1 -0.04\n X6 R2 -0.02 R3 1\n"
    " X7 C 6 R1 9\n X7 R2 3\nRHS\n RHS R3 1\nENDATA\n";
const std::string mixed =
    "NAME MIXED\nROWS\n N C\n E SUM\n G MORE\n L LESS\nCOLUMNS\n X C 3 SUM 1\n X MORE 1\n"
    " Y C -2 SUM 1\n Y LESS 2\n Z C 1 SUM 1\n Z MORE 2 LESS -1\nRHS\n RHS SUM 10 MORE 4\n"
    " RHS LESS 7 C -5\nBOUNDS\n FR B X\n UP B Y 6\n LO B Z -1\n UP B Z 4\nENDATA\n";

} // namespace

TEST_CASE("Bland's rule ends where the largest gain may cycle")
{
    Posed posed(beale);
    Nodes nodes(posed.form, by_columns, 1);
    nodes.run(true);
    CHECK(posed.objective(nodes) == Approx(-0.05));
}

TEST_CASE("every distribution over every number of nodes gives the same bits")
{
    Posed posed(mixed);
    Nodes one(posed.form, by_columns, 1);
    one.run(false);
    const std::vector<double> expected = one.values();
    CHECK(one.feasible);
    CHECK_FALSE(one.unbounded);
    for (distribution how : {by_columns, by_rows}) {
        for (long count : {1, 2, 3, 4, 9}) {
            Nodes nodes(posed.form, how, count);
            nodes.run(false);
            CHECK(nodes.steps == one.steps);
            CHECK(nodes.values() == expected);
        }
    }
    CHECK(posed.objective(one) == Approx(-0.5));
}

TEST_CASE("infeasible and unbounded are told apart")
{
    const std::string rows =
        "NAME T\nROWS\n N C\n L A\n G B\nCOLUMNS\n X C -1 B 1\n Y C 1 A 1\n Y B -1\nRHS\n";
    Posed endless(rows + " RHS A 3 B 1\nENDATA\n");
    Nodes nodes(endless.form, by_rows, 2);
    nodes.run(false);
    CHECK(nodes.unbounded);
    Posed never("NAME T\nROWS\n N C\n L A\n G B\nCOLUMNS\n X C 1 A 1\n X B 1\nRHS\n RHS A 3 B 4\nENDATA\n");
    Nodes others(never.form, by_columns, 2);
    others.run(false);
    CHECK_FALSE(others.feasible);
}
