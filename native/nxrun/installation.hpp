// SPDX-License-Identifier: MIT
// Where this nxrun lies, and what lies with it.
#pragma once

#include <string>

namespace parley::native {

// This very program's file.
std::string own_file();
// A file of the tree in which nxrun was built or installed, by its name from the top: "lib/parley/messages".
std::string installed_file(const std::string& name);

} // namespace parley::native
