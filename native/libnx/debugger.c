/* SPDX-License-Identifier: MIT */
/* The interface by which gdb and lldb learn of code that appears in a process by itself ("JIT Interface" in
 * gdb's manual). The file is mapped once more, whole, because they read symbols from the process's memory; no
 * page of it is touched before one of them does. */
#include "native/libnx/debugger.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct jit_code_entry {
    struct jit_code_entry *next, *previous;
    const void *symbol_file;
    uint64_t symbol_file_bytes;
};

struct jit_descriptor {
    uint32_t version;
    uint32_t action; /* 1: relevant has been added */
    struct jit_code_entry *relevant, *first;
};

/* The names are the debuggers': they read the one, and stop in the other. */
struct jit_descriptor __jit_debug_descriptor = {.version = 1};

__attribute__((noinline, noclone)) void __jit_debug_register_code(void);
void __jit_debug_register_code(void)
{
    __asm__ volatile("" : : : "memory");
}

void nx_tell_debuggers(int file)
{
    static struct jit_code_entry entry;
    struct stat status;
    if (entry.symbol_file || fstat(file, &status) < 0)
        return;
    void *const image = mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (image == MAP_FAILED)
        return;
    entry.symbol_file = image;
    entry.symbol_file_bytes = (uint64_t)status.st_size;
    entry.next = __jit_debug_descriptor.first; /* the program may have code of its own there */
    if (entry.next)
        entry.next->previous = &entry;
    __jit_debug_descriptor.first = __jit_debug_descriptor.relevant = &entry;
    __jit_debug_descriptor.action = 1;
    __jit_debug_register_code();
}
