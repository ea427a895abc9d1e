// SPDX-License-Identifier: MIT
// Copying between two programs' memory through the frames behind it, without a mapping of either and without
// a page fault.
#include "arch/x86_64/memory_map.hpp"
#include "kernel/memory/domain.hpp"
#include "kernel/platform/platform.hpp"

namespace parley::kernel {

namespace {

std::size_t to_page_end(UserAddress address) { return page_bytes - address.value % page_bytes; }

} // namespace

Result<std::byte*> Domain::place_of(UserAddress address, bool write)
{
    const PhysAddr frame = TRY(touched_page(address, write, false));
    if (write && tracks_writes_)
        table_.mark_dirty(round_down(address.value, page_bytes));
    return arch::to_pointer<std::byte>(frame) + address.value % page_bytes;
}

// This domain's lock is what keeps its program from giving the page back under the copy.
Result<void> Domain::copy_from(Domain& from_domain, UserAddress to, UserAddress from, std::size_t bytes)
{
    while (bytes > 0) {
        std::size_t piece = bytes < to_page_end(to) ? bytes : to_page_end(to);
        piece = piece < to_page_end(from) ? piece : to_page_end(from);
        const std::byte* source = nullptr;
        if (&from_domain != this) {
            LockGuard guard(from_domain.lock_);
            source = TRY(from_domain.place_of(from, false));
        }
        LockGuard guard(lock_);
        if (source == nullptr) // one domain: other processes in it could take the page away
            source = TRY(place_of(from, false));
        platform::copy(TRY(place_of(to, true)), source, piece);
        to = to + piece;
        from = from + piece;
        bytes -= piece;
    }
    return {};
}

} // namespace parley::kernel
