/* SPDX-License-Identifier: MIT */
#include "native/libnx/library_code.h"

#include "native/interface/library_port.h"
#include "userlib/nx/this_process.h"

int nx_is_library_code(const void *address)
{
    const struct parley_library *library =
        (const struct parley_library *)(nx_process.start ? nx_process.start->library_table : 0);
    if (!library)
        return 0;
    const struct parley_native_departure *departure = &parley_native_port_of(library)->departure;
    return (const char *)address >= departure->code_start && (const char *)address < departure->code_end;
}
