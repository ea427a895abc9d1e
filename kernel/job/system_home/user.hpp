// SPDX-License-Identifier: MIT
// The message system is a library in every domain, and its data lie in the job's shared region. The kernel
// starts helpers in it like programs, and otherwise only looks on.
#pragma once

#include "interface/library.h"
#include "kernel/job/domain_slots.hpp"
#include "kernel/job/sentences.hpp"
#include "kernel/job/system_home.hpp"
#include "kernel/process/occupation/helper_in_user.hpp"
#include "kernel/process/user_process.hpp"
#include "messaging/composition.hpp"
#include "messaging/location/user.hpp"
#include "messaging/memory/blocks.hpp"

namespace parley::kernel {

class RecordsInRegion final : public MessageRecords {
public:
    explicit RecordsInRegion(SharedRegion& region) : region_(region) { }

    // Where no process has entered the system yet, there may be no page, and nobody to tell.
    void note_departing(bool begins) override
    {
        const Result<PhysAddr> page = region_.find(0);
        if (!page)
            return;
        auto& departing =
            *arch::to_pointer<std::atomic<std::uint32_t>>(*page + offsetof(parley_region_head, departing));
        departing.fetch_add(begins ? 1u : ~0u, std::memory_order_seq_cst);
    }

    // The records lie at the very start of the system.
    std::uintptr_t records_address() const override
    {
        return PARLEY_SHARED_BASE + PARLEY_REGION_HEADER_BYTES;
    }
    const messaging::WaitRecord* record(unsigned endpoint) override
    {
        return static_cast<const messaging::WaitRecord*>(
            at(PARLEY_REGION_HEADER_BYTES + endpoint * sizeof(messaging::WaitRecord),
               sizeof(messaging::WaitRecord), alignof(messaging::WaitRecord)));
    }
    const void* view(const void* address, std::size_t bytes, std::size_t alignment) override
    {
        return at(reinterpret_cast<std::uintptr_t>(address) - PARLEY_SHARED_BASE, bytes, alignment);
    }

private:
    // The region's pages belong to programs, so they are read through the kernel's own mapping, and nothing
    // is read that does not lie whole in one page.
    const void* at(std::uintptr_t offset, std::size_t bytes, std::size_t alignment)
    {
        const std::size_t in_page = offset % page_bytes;
        if (offset >= region_.bytes() || in_page % alignment != 0 || in_page + bytes > page_bytes)
            return nullptr;
        const Result<PhysAddr> page = region_.find(offset);
        return page ? arch::to_pointer<const std::byte>(*page + in_page) : nullptr;
    }

    SharedRegion& region_;
};

class UserSystemHome final : public SystemHome {
public:
    static constexpr std::string_view name = messaging::UserLocation::name;

    // The library's words and the system itself live in the region too.
    std::size_t region_bytes(std::size_t budget, unsigned endpoints) const override
    {
        return PARLEY_REGION_HEADER_BYTES + system_bytes(budget, endpoints) + budget;
    }
    unsigned in_domains(unsigned programs, unsigned helpers) const override { return programs + helpers; }

    Loaded<void> equip(Domain& domain, const Archive& archive) override
    {
        const auto file = archive.find("lib/messages");
        if (!file)
            return refuse("the archive holds no user-level message library (lib/messages)", Error::not_found);
        const Executable library = TRY(Executable::parse(file->bytes));
        const LoadedImage image = TRY(library.load(domain, {PARLEY_LIBRARY_BASE, PARLEY_SHARED_BASE}));
        table_ = image.entry;
        deliver_ = {address_in_table(library, image.entry + offsetof(parley_library, deliver))};
        leave_ = {address_in_table(library, image.entry + offsetof(parley_library, leave))};
        return {};
    }

    // The first process of the job to come makes the system.
    Loaded<JobMessageSystem*> make_messages(const SystemPlan& plan) override
    {
        system_bytes_ = system_bytes(plan.budget, plan.endpoints);
        RecordsInRegion* const records =
            TRY(explain(plan.window.create<RecordsInRegion>(plan.shared), too_little_memory));
        return TRY(explain(plan.window.create<JobMessageSystem>(*records, nullptr), too_little_memory));
    }

    void describe(parley_start& start) const override
    {
        start.location = PARLEY_IN_USER;
        start.library_table = table_.value;
        start.system_bytes = system_bytes_;
    }

    // The helper is entered with the stack pointer at a word that holds the address of its start information
    // (library.h).
    Loaded<void> make_helper(UserProcess& process, const parley_start& start) override
    {
        constexpr std::string_view no_room = "there is too little memory for the delivery process";
        Domain& domain = *process.domain();
        const UserAddress info{stack_top(process.domain_slot()).value - round_up(sizeof start, 64)};
        const UserAddress word{info.value - 64};
        TRY_VOID(explain(
            domain.map(stack_low(process.domain_slot()), stack_bytes, Protection::read_write, Replace::no),
            no_room));
        TRY_VOID(explain(domain.store(info, &start, sizeof start), no_room));
        TRY_VOID(explain(domain.store(word, &info.value, sizeof info.value), no_room));
        process.take_up(helper_in_user);
        process.begin_at(deliver_, word);
        return {};
    }
    SystemCode system_code() const override { return {{PARLEY_LIBRARY_BASE}, {PARLEY_SHARED_BASE}, leave_}; }
    std::string_view caution() const override { return unprotected; }

private:
    // The library is linked at its place, so its table can be read in the file.
    static std::uint64_t address_in_table(const Executable& library, UserAddress word)
    {
        for (const Segment& segment : library.segments()) {
            std::uint64_t address = 0;
            const std::uintptr_t offset = word.value - segment.address;
            if (offset >= segment.contents.size() || segment.contents.size() - offset < sizeof address)
                continue;
            __builtin_memcpy(&address, segment.contents.data() + offset, sizeof address);
            return address;
        }
        return 0;
    }

    // How large a system is that has the budget for messages, and tables for as large a part of blocks.
    static std::size_t system_bytes(std::size_t budget, unsigned endpoints)
    {
        return round_up(messaging::system_bytes(endpoints, budget, {PARLEY_SHARED_BASE, budget}),
                        messaging::Blocks::max_alignment);
    }

    std::size_t system_bytes_ = 0;
    UserAddress table_;
    UserAddress deliver_;
    UserAddress leave_;
};

} // namespace parley::kernel
