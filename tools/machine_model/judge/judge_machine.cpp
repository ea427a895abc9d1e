// SPDX-License-Identifier: MIT
// Says whether the model can be of such a machine, by the rules that it makes machines by itself.
//
// judge PROCESSORS MULTIPROCESSORS: the machine's parameters are read as the plugin reads them (MachineFile).
// It says nothing, or one sentence and ends with the status of a machine that cannot be
// (tools/parley_runner/model.py knows it).
#include "tools/machine_model/machine.hpp"

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>

using namespace parley::machine_model;

int main(int count, char** words)
{
    constexpr int bad_machine = 64;
    if (count != 3) {
        std::cerr << "Say: judge PROCESSORS MULTIPROCESSORS <parameters.\n";
        return 2;
    }
    const auto number = [](const char* word) {
        return static_cast<unsigned>(std::strtoul(word, nullptr, 10));
    };
    const std::string text{std::istreambuf_iterator<char>{std::cin}, {}};
    const auto file = MachineFile::parse(text);
    if (const auto made =
            file ? Machine::make(*file, number(words[1]), number(words[2])) : std::unexpected(file.error());
        !made) {
        std::cout << made.error() << '\n';
        return bad_machine;
    }
    return 0;
}
