// SPDX-License-Identifier: MIT
#include "native/nxrun/installation.hpp"

#include <algorithm>
#include <cstddef>
#include <unistd.h>

namespace parley::native {

std::string own_file()
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    return std::string(path, length > 0 ? static_cast<std::size_t>(length) : 0);
}

std::string installed_file(const std::string& name)
{
    std::string folder = own_file();
    folder.erase(std::min(folder.rfind('/'), folder.size()));
    return folder + "/../" + name;
}

} // namespace parley::native
