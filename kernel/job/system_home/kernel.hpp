// SPDX-License-Identifier: MIT
// The message system is an object of the kernel, in the job's window. Programs reach it by proxies, and
// helpers run its code in the kernel without a domain.
#pragma once

#include "kernel/job/sentences.hpp"
#include "kernel/job/system_home.hpp"
#include "kernel/process/occupation/helper_in_kernel.hpp"
#include "kernel/process/user_process.hpp"
#include "messaging/location/kernel.hpp"

namespace parley::kernel {

class RecordsInKernel final : public MessageRecords {
public:
    explicit RecordsInKernel(messaging::MessageSystem& system) : system_(system) { }

    std::uintptr_t records_address() const override
    {
        return reinterpret_cast<std::uintptr_t>(system_.records().data());
    }
    const messaging::WaitRecord* record(unsigned endpoint) override { return &system_.records()[endpoint]; }
    // The kernel's own memory can be believed.
    const void* view(const void* address, std::size_t, std::size_t) override { return address; }
    // A wait in the kernel asks for itself whether its process must end.
    void note_departing(bool) override { }

private:
    messaging::MessageSystem& system_;
};

class KernelSystemHome final : public SystemHome {
public:
    static constexpr std::string_view name = messaging::KernelLocation::name;

    std::size_t region_bytes(std::size_t budget, unsigned) const override { return budget; }
    unsigned in_domains(unsigned programs, unsigned) const override { return programs; }
    Loaded<void> equip(Domain&, const Archive&) override { return {}; }

    Loaded<JobMessageSystem*> make_messages(const SystemPlan& plan) override
    {
        const std::size_t bytes = messaging::system_bytes(plan.endpoints, plan.budget, plan.options.blocks);
        std::byte* const memory = TRY(explain(plan.window.reserve(bytes), too_little_memory));
        messaging::MessageSystem* const system =
            TRY(explain(messaging::create(memory, bytes, plan.options), too_little_memory));
        RecordsInKernel* const records =
            TRY(explain(plan.window.create<RecordsInKernel>(*system), too_little_memory));
        return TRY(explain(plan.window.create<JobMessageSystem>(*records, system), too_little_memory));
    }

    void describe(parley_start& start) const override { start.location = PARLEY_IN_KERNEL; }
    Loaded<void> make_helper(UserProcess& process, const parley_start&) override
    {
        process.take_up(helper_in_kernel);
        return {};
    }
    SystemCode system_code() const override { return {}; }
    std::string_view caution() const override { return {}; }
};

} // namespace parley::kernel
