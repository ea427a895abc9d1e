/* SPDX-License-Identifier: MIT */
#include "native/interface/library_image.h"

#include "interface/start_info.h"

#include <elf.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most_segments = 8, page = 4096 };

const struct parley_library *parley_map_library(int file)
{
    Elf64_Ehdr head;
    Elf64_Phdr segments[most_segments];
    errno = 0;
    if (pread(file, &head, sizeof head, 0) != (ssize_t)sizeof head || head.e_phnum > most_segments ||
        head.e_entry < PARLEY_LIBRARY_BASE)
        return 0;
    const ssize_t bytes = head.e_phnum * (ssize_t)sizeof segments[0];
    if (pread(file, segments, (size_t)bytes, (off_t)head.e_phoff) != bytes)
        return 0;
    for (int i = 0; i < head.e_phnum; i++) {
        const Elf64_Phdr *one = &segments[i];
        if (one->p_type != PT_LOAD || one->p_filesz == 0)
            continue;
        const unsigned long skipped = one->p_vaddr % page;
        void *const place = (void *)(one->p_vaddr - skipped);
        const int protection = PROT_READ | (one->p_flags & PF_X ? PROT_EXEC : 0);
        if (mmap(place, one->p_filesz + skipped, protection, MAP_PRIVATE | MAP_FIXED_NOREPLACE, file,
                 (off_t)(one->p_offset - skipped)) != place)
            return 0;
    }
    return (const struct parley_library *)head.e_entry;
}
