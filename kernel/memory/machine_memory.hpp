// SPDX-License-Identifier: MIT
// The machine's memory: the pool of frames that nobody holds, what the kernel holds for itself, and which
// windows are in use. Window 0 is the kernel's own, the others are jobs'.
#pragma once

#include "arch/x86_64/memory_map.hpp"
#include "kernel/memory/window.hpp"

#include <cstddef>
#include <optional>

namespace parley::kernel {

class MachineMemory {
public:
    MachineMemory() = default;
    MachineMemory(const MachineMemory&) = delete;

    FramePool& frames() { return frames_; }

    // ---- called by the boot, in this order

    // The pool has all its frames, and the kernel may hold any of them. Called once.
    FrameOwner& take_own_frames() { return own_frames_.emplace(frames_, frames_.free_frames()); }
    // The kernel's own window can be used: the tables that reach it are active. Called once.
    void open_own_window() { open(0, own_window_.emplace(0u, *own_frames_)); }
    // What the kernel needs for itself has been taken.
    void note_free_frames() { free_for_jobs_ = frames_.free_frames(); }

    // ---- called by everybody, when the boot is done

    Window& own_window() { return *own_window_; }
    // How many frames were free when the boot was done: all jobs together may hold them.
    std::size_t free_for_jobs() const { return free_for_jobs_; }
    // From now on the window is in use; until it is closed it outlives whoever asks for it.
    void open(unsigned index, Window& window) { windows_[index] = &window; }
    void close(unsigned index) { windows_[index] = nullptr; }
    // The window that the address lies in, which is in use.
    Window& window_of(const void* address) const { return *windows_[Window::index_of(address)]; }

private:
    FramePool frames_;
    std::optional<FrameOwner> own_frames_;
    std::optional<Window> own_window_;
    Window* windows_[WINDOW_COUNT] = {};
    std::size_t free_for_jobs_ = 0;
};

} // namespace parley::kernel
