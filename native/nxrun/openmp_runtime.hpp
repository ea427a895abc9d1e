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

// Answers the runtime that the dynamic linker would take for the program in this process's environment, or
// that is linked into it; nothing where there is none. The program is not run.
std::optional<OpenMpRuntime> openmp_runtime_of(const std::string& program);

// Whether the program names one: its ranks may have threads. Nothing is started to find out.
bool may_use_openmp(const std::string& program);

} // namespace parley::native
