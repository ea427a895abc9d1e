// SPDX-License-Identifier: MIT
// Which OpenMP runtime serves a program: this one's loop runtime or gcc's libgomp.
#pragma once

#include <optional>
#include <string>

namespace parley::native {

struct OpenMpRuntime {
    bool is_ours = false;
    std::string file; // its library's; the program's own where it is linked in

    // One sentence for the user.
    std::string told() const;
};

// Of a program that is linked with one, as the dynamic linker finds it in this process's environment; nothing
// of others, nor where it finds none. The program is not run.
std::optional<OpenMpRuntime> openmp_runtime_of(const std::string& program);

} // namespace parley::native
