// SPDX-License-Identifier: MIT
#include "native/nxrun/shared_file.hpp"

#include "native/nxrun/options.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace parley::native {

namespace {

[[noreturn]] void fail(const char* name, std::size_t bytes)
{
    constexpr std::size_t mebibyte = 1 << 20;
    const char* const otherwise = errno == EFBIG ? ", or raise ulimit -f" : "";
    throw BadRequest{"Linux gives no " + std::to_string((bytes + mebibyte - 1) / mebibyte) +
                     " MiB of shared memory for the " + name + " (" + std::strerror(errno) +
                     "): take a smaller --budget or fewer nodes" + otherwise + "."};
}

// Beyond the limit Linux would not refuse, but end this process by a signal.
bool may_have(std::size_t bytes)
{
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_cur >= bytes)
        return true;
    errno = EFBIG;
    return false;
}

} // namespace

SharedFile::SharedFile(const char* name, std::uintptr_t address, std::size_t bytes)
    : descriptor_(memfd_create(name, 0)), memory_(nullptr), bytes_(bytes)
{
    if (descriptor_ < 0)
        fail(name, bytes);
    void* const place = reinterpret_cast<void*>(address);
    if (may_have(bytes) && ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0) {
        void* const got = mmap(place, bytes, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, descriptor_, 0);
        if (got == place)
            memory_ = static_cast<std::byte*>(got);
    }
    if (memory_ == nullptr) {
        close(descriptor_);
        fail(name, bytes);
    }
}

SharedFile::~SharedFile()
{
    munmap(memory_, bytes_);
    close(descriptor_);
}

} // namespace parley::native
