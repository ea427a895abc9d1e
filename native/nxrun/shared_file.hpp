// SPDX-License-Identifier: MIT
// Memory that all processes of a job map at one address. It is a file without a name, which disappears with
// the last of them, however they end.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parley::native {

class SharedFile {
public:
    // Throws BadRequest when Linux gives no memory, or the address is taken.
    SharedFile(const char* name, std::uintptr_t address, std::size_t bytes);
    ~SharedFile();
    SharedFile(const SharedFile&) = delete;
    SharedFile& operator=(const SharedFile&) = delete;

    int descriptor() const { return descriptor_; }
    std::byte* memory() const { return memory_; }
    std::size_t bytes() const { return bytes_; }

private:
    int descriptor_;
    std::byte* memory_;
    std::size_t bytes_;
};

} // namespace parley::native
