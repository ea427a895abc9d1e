// SPDX-License-Identifier: MIT
// The memory of a job: the window that the kernel's objects for it lie in, the region that its processes
// share with each other, and its domains. All of it is charged to one owner, so that after release() free
// frames are exactly what they were.
#pragma once

#include "kernel/job/shares.hpp"
#include "kernel/memory/domain.hpp"
#include "kernel/memory/shared_region.hpp"
#include "kernel/memory/window.hpp"

namespace parley::kernel {

class JobMemory {
public:
    // `window_index`: a window that nobody uses. A job whose share does not fit still gets a little, for the
    // sentence that refuses it.
    JobMemory(FramePool& pool, Share share, unsigned window_index)
        : share_(share), frames_(pool, (share.fits() ? share.bytes : Share::least) / page_bytes),
          window_(window_index, frames_)
    {
    }
    JobMemory(const JobMemory&) = delete;

    const Share& share() const { return share_; }
    const FrameOwner& frames() const { return frames_; }
    Window& window() { return window_; }

    // Called once, before the first domain is made. Errors: no_memory.
    Result<void> make_region(std::size_t bytes);
    // Null: it has not been made.
    SharedRegion* region() const { return region_; }

    // Makes room for that many domains. Called once. Errors: no_memory.
    Result<void> make_room_for_domains(unsigned count);
    // Makes the next domain, which has the region in it. There is room for it. Errors: no_memory.
    Result<Domain*> make_domain();
    Domain& domain(unsigned index) const;

    // Gives everything back. Nobody uses any of it any more; other processors' translations must be shot down
    // before the window is used again.
    void release();

private:
    const Share share_;
    FrameOwner frames_;
    Window window_;
    SharedRegion* region_ = nullptr;
    Domain** domains_ = nullptr;
    unsigned domain_count_ = 0;
};

} // namespace parley::kernel
