// SPDX-License-Identifier: MIT
// Factor "location", as a job is made: where does its message system live? How the system's code touches
// programs' memory is the other half of the factor (messaging/location.hpp). Its leaves are in
// kernel/job/system_home/.
#pragma once

#include "interface/start_info.h"
#include "kernel/job/job_message_system.hpp"
#include "kernel/memory/domain.hpp"
#include "kernel/memory/window.hpp"
#include "kernel/program/archive.hpp"
#include "kernel/program/failure.hpp"
#include "messaging/composition.hpp"

#include <string_view>

namespace parley::kernel {

// What a job's message system is made from.
struct SystemPlan {
    messaging::SystemOptions options; // its blocks are all of the shared region
    unsigned endpoints;
    std::size_t budget; // bytes for messages
    Window& window;     // where kernel objects of the job go
    SharedRegion& shared;
};

// Code of the system that processes run themselves, at the same place in every domain. None: start is end.
struct SystemCode {
    UserAddress start;
    UserAddress end;
    // Where a process goes on that must end and is not in that code: library.h, leave.
    UserAddress leave;
};

class SystemHome {
public:
    // The size of the job's shared region for a budget of blocks, which is also that of messages, and so many
    // endpoints.
    virtual std::size_t region_bytes(std::size_t budget, unsigned endpoints) const = 0;
    // How many of a job's processes live in domains. Those that do not, the last ones, stay in the kernel.
    virtual unsigned in_domains(unsigned programs, unsigned helpers) const = 0;
    // A domain has been made: puts into it whatever its processes need to reach the system.
    virtual Loaded<void> equip(Domain& domain, const Archive& archive) = 0;
    virtual Loaded<JobMessageSystem*> make_messages(const SystemPlan& plan) = 0;
    // Fills in what libnx has to know.
    virtual void describe(parley_start& start) const = 0;
    // Gives a helper its work; it already has a domain and a slot there, if it needs one.
    virtual Loaded<void> make_helper(UserProcess& process, const parley_start& start) = 0;
    // A process is not ended in the middle of that code (kernel/process/departure.hpp).
    virtual SystemCode system_code() const = 0;
    // What a user of the job should know before it starts, or nothing.
    virtual std::string_view caution() const = 0;

protected:
    ~SystemHome() = default;
};

} // namespace parley::kernel
