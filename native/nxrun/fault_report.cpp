// SPDX-License-Identifier: MIT
#include "native/nxrun/fault_report.hpp"

#include "base/text.hpp"
#include "interface/errors.h"
#include "interface/start_info.h"
#include "jobs/fault_description.hpp"

#include <csignal>
#include <cstring>
#include <string_view>

namespace parley::native {

namespace {

constexpr std::string_view sentence_of_bad_buffer = [] {
    std::string_view found;
#define PARLEY_SENTENCE(name, number, nx_errno, sentence) \
    if (std::string_view(#name) == "bad_buffer")          \
        found = sentence;
    PARLEY_ERRORS(PARLEY_SENTENCE)
#undef PARLEY_SENTENCE
    return found;
}();

jobs::FaultAccess access_of(std::uint64_t error)
{
    constexpr std::uint64_t writes = 2, executes = 16;
    return (error & executes) != 0 ? jobs::FaultAccess::execute
           : (error & writes) != 0 ? jobs::FaultAccess::write
                                   : jobs::FaultAccess::read;
}

// The message library touches its own memory, and the program's buffers.
bool is_bad_buffer(const parley_native_fault& fault)
{
    const bool own = fault.address >= PARLEY_LIBRARY_BASE && fault.address < PARLEY_NATIVE_JOB_BASE;
    return fault.in_library != 0 &&
           (fault.vector == jobs::general_protection || (fault.vector == jobs::page_fault && !own));
}

} // namespace

std::string describe_fault(const parley_native_fault& fault, SourceNames& names)
{
    Text<320> text;
    if (is_bad_buffer(fault)) {
        text << "gave the message system a buffer";
        if (fault.vector == jobs::page_fault)
            text << " at " << Hex{fault.address};
        text << ": " << sentence_of_bad_buffer << ',';
    } else if (fault.stack_bytes != 0)
        jobs::describe_full_stack(text, fault.stack_bytes);
    else if (fault.vector != jobs::page_fault)
        text << jobs::exception_sentence(fault.vector);
    else if (fault.signal == SIGBUS)
        text << "used memory at " << Hex{fault.address}
             << ", for which there is no file or no room any more,";
    else
        jobs::describe_access(text, fault.address, access_of(fault.error));
    jobs::add_instruction(text, fault.instruction);
    const std::string_view file(fault.file, strnlen(fault.file, sizeof fault.file));
    return names.named(std::string(text.view()), {std::string(file), fault.offset, fault.instruction});
}

std::string fault_told(const parley_native_request& request, SourceNames& names)
{
    parley_native_fault fault;
    if (request.method != PARLEY_NATIVE_FAULT || request.bytes != sizeof fault)
        return {};
    std::memcpy(&fault, request.payload, sizeof fault);
    return describe_fault(fault, names);
}

} // namespace parley::native
