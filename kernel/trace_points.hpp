// SPDX-License-Identifier: MIT
// Where the kernel itself can be watched, and where a traced one gathers what it has seen. Here nobody
// watches, and nothing is left of these calls; a traced kernel finds another header of this name first on its
// include path (kernel/trace/on).
#pragma once

#include <cstddef>
#include <cstdint>

namespace parley::kernel {

struct Kernel;
class Job;
class UserProcess;
enum class ObjectClass : std::uint8_t;

namespace trace {

inline constexpr bool on = false;

// Makes room for the records. Called before the free frames are counted.
inline bool make_room(Kernel&) { return true; }
// What a record costs who writes it, in ps; 0: nobody writes any.
inline std::uint64_t record_picoseconds() { return 0; }
// How much longer a job's shared region is than programs know, where its processes themselves write down what
// they see.
inline std::size_t area_bytes(unsigned) { return 0; }
// While this lives, a process is in a call of an object of that class.
class Inside {
public:
    Inside(const UserProcess&, ObjectClass) { }
    ~Inside() { }
};
// A program's own event.
inline void noted(UserProcess&, unsigned, std::uint32_t, std::uint64_t) { }
inline void process_ended(UserProcess&) { }
// All processes of a job have ended; its memory is still there.
inline void job_ended(Kernel&, Job&) { }
// All jobs have ended.
inline void run_ended(Kernel&) { }

} // namespace trace

} // namespace parley::kernel
