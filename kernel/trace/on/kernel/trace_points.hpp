// SPDX-License-Identifier: MIT
// In a traced kernel: what it gathers, and how that leaves the machine. As kernel/trace_points.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parley::kernel {

struct Kernel;
class Job;
class UserProcess;
enum class ObjectClass : std::uint8_t;

namespace trace {

inline constexpr bool on = true;

bool make_room(Kernel& kernel);
std::uint64_t record_picoseconds();
std::size_t area_bytes(unsigned endpoints);

class Inside {
public:
    Inside(const UserProcess& process, ObjectClass kind);
    ~Inside();
    Inside(const Inside&) = delete;

private:
    const UserProcess& process_;
    const bool counts_; // only calls of the message system do
};

void noted(UserProcess& process, unsigned event, std::uint32_t number, std::uint64_t value);
void process_ended(UserProcess& process);
void job_ended(Kernel& kernel, Job& job);
void run_ended(Kernel& kernel);

} // namespace trace

} // namespace parley::kernel
