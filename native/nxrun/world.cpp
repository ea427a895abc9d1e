// SPDX-License-Identifier: MIT
#include "native/nxrun/world.hpp"

#include <cstdlib>

namespace parley::native {

namespace {

std::optional<World> world_of(const char* size, const char* rank, const char* mpi)
{
    const char* const machines = std::getenv(size);
    const char* const here = std::getenv(rank);
    if (machines == nullptr || here == nullptr)
        return {};
    const World world{static_cast<unsigned>(std::strtoul(machines, nullptr, 10)),
                      static_cast<unsigned>(std::strtoul(here, nullptr, 10)), mpi};
    if (world.machines < 2 || world.here >= world.machines)
        return {};
    return world;
}

} // namespace

std::optional<World> find_world()
{
    if (std::optional<World> world = world_of("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "openmpi"))
        return world;
    return world_of("PMI_SIZE", "PMI_RANK", "mpich");
}

} // namespace parley::native
