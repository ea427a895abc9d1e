// SPDX-License-Identifier: MIT
// An ordinary C++ program: streams, strings, containers and exceptions, on every node.
#include <nx.h>

#include <iomanip>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

double mean(const std::vector<double>& values)
{
    if (values.empty())
        throw std::invalid_argument("no values");
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string greeting()
{
    std::vector<double> values(10);
    std::iota(values.begin(), values.end(), static_cast<double>(mynode()));
    std::string text = "hello from node " + std::to_string(mynode()) + " of " + std::to_string(numnodes());
    try {
        mean({});
    } catch (const std::invalid_argument& problem) {
        text += std::string(", ") + problem.what();
    }
    return text + ", mean " + std::to_string(mean(values)).substr(0, 4);
}

} // namespace

int main()
{
    for (long node = 0; node < numnodes(); node++) {
        if (node == mynode())
            std::cout << greeting() << std::setw(8) << std::fixed << std::setprecision(2) << 3.14159
                      << std::endl;
        gsync();
    }
}
