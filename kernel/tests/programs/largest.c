/* SPDX-License-Identifier: MIT */
/* Every kind of call at its largest size, so that the longest time with interrupts off shows (the record's
 * latest_tick_ns). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static const size_t page = 4096, mebibyte = 1 << 20;

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    printf("%s (errno %d)\n", what, errno);
    exit(1);
}

static char *anywhere(size_t bytes)
{
    char *place = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(place != MAP_FAILED, "no memory could be mapped");
    return place;
}

/* As many regions as there may be, changed and given back by one call each. */
static void regions(void)
{
    const size_t most = 45000;
    char *place = anywhere(most * page);
    for (size_t i = 0; i < most; i += 2)
        expect(mprotect(place + i * page, page, PROT_READ) == 0, "a page could not be protected");
    expect(mprotect(place, most * page, PROT_NONE) == 0, "all pages could not be protected");
    for (size_t i = 0; i < most; i += 2)
        expect(mprotect(place + i * page, page, PROT_READ) == 0, "a page could not be protected");
    expect(munmap(place, most * page) == 0, "the regions could not be given back");
}

/* Much memory that was touched, and as much again for its move. */
static void pages(void)
{
    const size_t bytes = 160 * mebibyte;
    char *place = anywhere(bytes);
    for (size_t at = 0; at < bytes; at += page)
        place[at] = 1;
    expect(mprotect(place, bytes, PROT_READ) == 0, "much memory could not be protected");
    expect(mprotect(place, bytes, PROT_READ | PROT_WRITE) == 0, "much memory could not be freed again");
    char *moved = mremap(place, bytes / 4, 2 * bytes, MREMAP_MAYMOVE);
    expect(moved != MAP_FAILED && moved[bytes / 4 - page] == 1, "memory could not be moved");
    expect(munmap(moved, 2 * bytes) == 0, "moved memory could not be given back");
    munmap(place, bytes);
    expect(munmap((char *)0x200000000000, (size_t)1 << 40) == 0, "nothing could not be given back");
}

static void files(void)
{
    const size_t bytes = 64 * mebibyte;
    char *place = anywhere(bytes);
    memset(place, 'x', bytes);
    int file = open("large", O_RDWR | O_CREAT, 0644);
    expect(write(file, place, bytes) == (ssize_t)bytes, "a large file could not be written");
    expect(pread(file, place, bytes, 0) == (ssize_t)bytes, "a large file could not be read");
    char *mapped = mmap(0, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    expect(mapped != MAP_FAILED && mapped[bytes - 1] == 'x', "a large file could not be mapped");
    munmap(mapped, bytes);
    struct iovec vectors[1024];
    for (int i = 0; i < 1024; ++i)
        vectors[i] = (struct iovec){place, bytes / 1024};
    lseek(file, 0, SEEK_SET);
    expect(writev(file, vectors, 1024) == (ssize_t)bytes, "vectors could not be written");
    expect(ftruncate(file, 5) == 0 && ftruncate(file, 1 << 30) == 0, "a file could not change its size");
    expect(pwrite(file, "y", 1, (1 << 30) - 1) == 1, "nothing could be written behind a hole");
    expect(close(file) == 0 && unlink("large") == 0, "a file could not go");
    expect(getrandom(place, 32 * mebibyte, 0) > 0, "no random bytes");
    munmap(place, bytes);
}

/* As many files as there may be; the next is refused. */
static void names(void)
{
    char name[40];
    int made = 0;
    for (int file; (file = open((sprintf(name, "d/%d", made), name), O_WRONLY | O_CREAT, 0644)) >= 0; ++made)
        close(file);
    expect(errno == ENOSPC && made > 4000, "too few files could be made");
    struct stat status;
    expect(stat("nothing", &status) != 0 && errno == ENOENT, "a file that was never made is there");
    for (int i = 0; i < made; ++i)
        unlink((sprintf(name, "d/%d", i), name));
}

/* One message of many bytes, and the last of many messages. */
static void messages(void)
{
    const long bytes = 16 * (long)mebibyte, most = 20000;
    char *buffer = anywhere(2 * (size_t)bytes);
    const long self = mynode();
    csend(1, buffer, bytes, self, mypid());
    crecv(1, buffer + bytes, bytes);
    for (long i = 0; i < most; ++i)
        csend(100 + i, buffer, 4, self, mypid());
    expect(iprobe(100 + most - 1) == 1, "the last message is not there");
    crecv(100 + most - 1, buffer, 4);
    crecv(-1, buffer, bytes);
    flushmsg(-1, self, mypid());
    double *sums = (double *)buffer;
    gdsum(sums, 1 << 20, sums + (1 << 20));
    gsync();
}

int main(void)
{
    regions();
    pages();
    files();
    names();
    messages();
    puts("all calls were made");
    return 0;
}
