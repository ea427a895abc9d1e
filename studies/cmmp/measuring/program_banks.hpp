// SPDX-License-Identifier: MIT
// The banks that a job says for its programs' pages: private, one after the other for the processes; apart,
// the same but for the first bank, which has the kernel; shared, the first for all; or a number for each
// process, 0,0,2.
#pragma once

#include "kernel/job/domain_slots.hpp"
#include "kernel/memory/page_placement.hpp"
#include "studies/cmmp/measuring/memory_banks.hpp"

#include <optional>
#include <string_view>

namespace parley::cmmp {

class ProgramBanks final : public kernel::PagePlacement {
public:
    // Of a domain; `process`: whose it is, where a process has it to itself. `text` and `banks` outlive this.
    ProgramBanks(std::string_view text, MemoryBanks& banks, unsigned process)
        : text_(text), banks_(banks), process_(process)
    {
    }

    unsigned bank_of(std::uintptr_t page) const override
    {
        const unsigned process =
            page < kernel::domain_slots_start
                ? process_
                : static_cast<unsigned>((page - kernel::domain_slots_start) / kernel::domain_slot_bytes);
        return of_process(text_, banks_.count(), process).value_or(0);
    }
    void note(bool there) override { banks_.note_page(there); }

    // Nothing: the text names no bank of that machine for it.
    static std::optional<unsigned> of_process(std::string_view text, unsigned banks, unsigned process)
    {
        if (text.empty() || text == "private")
            return process % banks;
        if (text == "apart")
            return banks > 1 ? 1 + process % (banks - 1) : 0;
        if (text == "shared")
            return 0;
        for (; process != 0; --process) {
            if (take(text).size() == text.size())
                return std::nullopt;
            text.remove_prefix(take(text).size() + 1);
        }
        unsigned bank = 0;
        for (const char digit : take(text)) {
            if (digit < '0' || digit > '9' || bank >= banks)
                return std::nullopt;
            bank = bank * 10 + static_cast<unsigned>(digit - '0');
        }
        return take(text).empty() || bank >= banks ? std::nullopt : std::optional(bank);
    }

private:
    // The first number.
    static std::string_view take(std::string_view text)
    {
        std::size_t length = 0;
        while (length < text.size() && text[length] != ',')
            ++length;
        return {text.data(), length};
    }

    const std::string_view text_;
    MemoryBanks& banks_;
    const unsigned process_;
};

// The banks of the pages that all processes of a job share: where programs' own lie apart from the kernel,
// bank after bank, so that no bank has all of them; otherwise the first, which has the kernel.
class SharedBanks final : public kernel::PagePlacement {
public:
    // Both outlive this.
    SharedBanks(std::string_view text, MemoryBanks& banks) : text_(text), banks_(banks) { }

    unsigned bank_of(std::uintptr_t offset) const override
    {
        if (text_ != "apart" || banks_.count() == 1)
            return 0;
        return 1 + static_cast<unsigned>(offset / page_bytes % (banks_.count() - 1));
    }
    void note(bool there) override { banks_.note_page(there); }

private:
    const std::string_view text_;
    MemoryBanks& banks_;
};

} // namespace parley::cmmp
