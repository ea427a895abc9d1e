// SPDX-License-Identifier: MIT
// Finds the files that were installed or built together with this nxrun.
#pragma once

#include <string>

namespace parley::native {

// The file of the running nxrun.
std::string own_file();
// A file of the tree in which nxrun was built or installed, by its name from the top: "lib/parley/messages".
std::string installed_file(const std::string& name);

} // namespace parley::native
