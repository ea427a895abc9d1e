// SPDX-License-Identifier: MIT
#include "jobs/fault_description.hpp"

namespace parley::jobs {

std::string_view exception_sentence(std::uint64_t vector)
{
    switch (vector) {
    case 0: return "divided an integer by zero";
    case 1:
    case 3: return "stopped at a breakpoint";
    case 6: return "executed an instruction that does not exist";
    case general_protection: return "executed a privileged instruction or used an impossible address";
    case 16:
    case 19: return "made an unmasked floating-point error";
    case 17: return "made an unaligned access";
    default: return "raised an unexpected exception";
    }
}

void describe_access(TextWriter& text, std::uint64_t address, FaultAccess access)
{
    text << "tried to "
         << (access == FaultAccess::execute ? "execute"
             : access == FaultAccess::write ? "write"
                                            : "read")
         << " at " << Hex{address} << ", where it may not,";
}

void describe_full_stack(TextWriter& text, std::size_t stack_bytes)
{
    constexpr std::size_t mebibyte = 1 << 20, kibibyte = 1 << 10;
    text << "used up its stack of ";
    if (stack_bytes % mebibyte == 0)
        text << stack_bytes / mebibyte << " MiB";
    else
        text << stack_bytes / kibibyte << " KiB";
}

void add_instruction(TextWriter& text, std::uint64_t instruction)
{
    text << " in its instruction at " << Hex{instruction};
}

void describe_computing(TextWriter& text, std::uint64_t instruction)
{
    text << "was computing";
    add_instruction(text, instruction);
}

void describe_linux_call(TextWriter& text, std::string_view name)
{
    text << "was in the Linux call " << name;
}

} // namespace parley::jobs
