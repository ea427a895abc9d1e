// SPDX-License-Identifier: MIT
// The delivery process (transport: process). In kernel location it has no domain and runs the message
// system's loop in the kernel; in user location it runs the library's loop in a domain of its own, or in the
// one domain.
#include "kernel/interface/library.h"
#include "kernel/job/job_builder.hpp"
#include "kernel/job/places.hpp"

namespace parley::kernel {

namespace {

constexpr std::string_view too_little_memory = "there is too little memory for the delivery process";

// The library is linked at its place, so its table can be read in the file.
std::uint64_t deliver_address(const Executable& library, UserAddress table)
{
    const std::uintptr_t word = table.value + offsetof(parley_library, deliver);
    for (const Segment& segment : library.segments()) {
        std::uint64_t address = 0;
        const std::uintptr_t offset = word - segment.address;
        if (offset >= segment.contents.size() || segment.contents.size() - offset < sizeof address)
            continue;
        __builtin_memcpy(&address, segment.contents.data() + offset, sizeof address);
        return address;
    }
    return 0;
}

} // namespace

Loaded<void> JobBuilder::load_library(Domain& domain)
{
    const auto file = job_.kernel_.archive.find("lib/messages");
    if (!file)
        return refuse("the archive holds no user-level message library (lib/messages)", Error::not_found);
    const Executable library = TRY(Executable::parse(file->bytes));
    const LoadedImage image = TRY(library.load(domain, {PARLEY_LIBRARY_BASE, PARLEY_SHARED_BASE}));
    library_table_ = job_.library_table_ = image.entry;
    library_deliver_ = {deliver_address(library, image.entry)};
    return {};
}

Loaded<void> JobBuilder::make_carrier(UserProcess& process)
{
    process.name = "delivery";
    if (!traits_.in_user)
        return {};
    const unsigned place = traits_.one_domain ? shared_place(process.endpoint) : 0;
    process.domain = job_.domains_[traits_.one_domain ? 0 : process.endpoint];
    TRY_VOID(explain(process.domain->map(stack_low(place), stack_bytes, Protection::read_write, Replace::no),
                     too_little_memory));
    const parley_start start = start_info(process);
    const UserAddress info{stack_top(place).value - round_up(sizeof start, 64)};
    TRY_VOID(explain(process.domain->store(info, &start, sizeof start), too_little_memory));
    // Entered with the stack pointer at a word that holds the address of its start information (library.h).
    process.stack_pointer = {info.value - 64};
    TRY_VOID(explain(process.domain->store(process.stack_pointer, &info.value, sizeof info.value),
                     too_little_memory));
    process.entry = library_deliver_;
    return {};
}

} // namespace parley::kernel
