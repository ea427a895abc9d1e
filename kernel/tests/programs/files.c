/* SPDX-License-Identifier: MIT */
/* The concurrent file system's calls, in every mode, on three nodes. */
#include <cube.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failures;

#define CHECK(condition)   \
    ((condition) ? (void)0 \
                 : (void)(failures++, printf("node %ld, line %d: %s\n", mynode(), __LINE__, #condition)))

enum { nodes = 3 };

/* A file that every node opens; what was in it before is gone. */
static int open_shared(const char *name, long mode)
{
    if (mynode() == 0)
        close(open(name, O_CREAT | O_TRUNC | O_RDWR, 0644));
    gsync();
    return (int)gopen(name, O_RDWR, mode, 0644);
}

static void read_back(const char *name, char *text, size_t room)
{
    gsync();
    FILE *file = fopen(name, "r");
    text[fread(text, 1, room - 1, file)] = 0;
    fclose(file);
    gsync();
}

/* Each node at its own pointer. */
static void own_pointers(void)
{
    char text[64], own[2] = {(char)('a' + mynode()), '.'};
    int file = open_shared("own.txt", M_UNIX);
    CHECK(iomode(file) == M_UNIX && lseek(file, 2 * mynode(), SEEK_SET) == 2 * mynode());
    cwrite(file, own, 2);
    read_back("own.txt", text, sizeof text);
    CHECK(strcmp(text, "a.b.c.") == 0);
    setiomode(file, M_ASYNC);
    eseek(file, (esize_t){0, 0}, SEEK_SET);
    memset(text, 0, sizeof text);
    CHECK(_cread(file, text, 4) == 4 && strcmp(text, "a.b.") == 0 && !iseof(file));
    CHECK(_cread(file, text, 4) == 2 && iseof(file) && _cread(file, text, 4) == 0);
    close(file);
}

static void records(void)
{
    char text[64], record[3] = {(char)('0' + mynode()), 'x', '\n'};
    int file = open_shared("records.txt", M_RECORD);
    for (int turn = 0; turn < 2; turn++, record[1]++)
        iowait(iwrite(file, record, 3));
    read_back("records.txt", text, sizeof text);
    CHECK(strcmp(text, "0x\n1x\n2x\n0y\n1y\n2y\n") == 0);
    lseek(file, 0, SEEK_SET);
    long id = iread(file, text, 3);
    CHECK(iodone(id) == 1 && text[0] == '0' + mynode() && text[1] == 'x');
    cread(file, text, 3);
    CHECK(text[0] == '0' + mynode() && text[1] == 'y' && iseof(file));
    close(file);
}

/* In the order of nodes, and of different lengths. */
static void in_turn(void)
{
    char text[64];
    int file = open_shared("turn.txt", M_SYNC);
    for (int turn = 0; turn < 2; turn++)
        cwrite(file, "abcdefg" + 2 * mynode(), mynode() + 1);
    read_back("turn.txt", text, sizeof text);
    CHECK(strcmp(text, "acdefgacdefg") == 0 && iomode(file) == M_SYNC);
    close(file);
}

static void all_the_same(void)
{
    char text[64];
    int file = open_shared("same.txt", M_GLOBAL);
    sprintf(text, "node %ld\n", mynode());
    cwrite(file, text, 7);
    cwrite(file, "end\n", 4);
    gsync();
    lseek(file, 0, SEEK_SET);
    memset(text, 0, sizeof text);
    cread(file, text, 11);
    CHECK(strcmp(text, "node 0\nend\n") == 0 && iseof(file));
    close(file);
}

/* Whoever comes first: every record is whole, and each comes once. */
static void one_log(void)
{
    enum { records = 20 };
    char text[nodes * records * 4 + 1], record[8];
    int file = open_shared("log.txt", M_LOG), seen[nodes * records] = {0};
    for (int i = 0; i < records; i++) {
        sprintf(record, "%03d\n", (int)mynode() * records + i);
        cwrite(file, record, 4);
    }
    read_back("log.txt", text, sizeof text);
    CHECK(strlen(text) == nodes * records * 4);
    for (int i = 0, number = -1; i < nodes * records; i++) {
        CHECK(sscanf(text + 4 * i, "%3d", &number) == 1 && number >= 0 && number < nodes * records);
        CHECK(seen[number]++ == 0);
    }
    CHECK(iseof(file) && lseek(file, 0, SEEK_CUR) == nodes * records * 4);
    gsync();
    if (mynode() == 1)
        lseek(file, 4, SEEK_SET);
    gsync();
    CHECK(eseek(file, (esize_t){0, 0}, SEEK_CUR).slow == 4 && !iseof(file));
    CHECK(_eseek(file, (esize_t){-5, -1}, SEEK_CUR).slow == -1 && errno == EINVAL);
    gsync();
    cread(file, record, 4);
    gsync();
    CHECK(lsize(file, 4 * nodes * records, SIZE_CUR) == 4 * (1 + nodes + nodes * records));
    setiomode(file, M_SYNC);
    cread(file, text, 4);
    CHECK(memcmp(text, record, 4) != 0 && lseek(file, 0, SEEK_CUR) == 4 * (1 + 2 * nodes));
    close(file);
}

/* A file that is opened plainly has no mode, whichever the last one under its descriptor had. */
static void modes_end(void)
{
    char text[2];
    const int first = open_shared("ended.txt", M_RECORD);
    close(first);
    const int same = open("ended.txt", O_RDWR);
    CHECK(same == first && iomode(same) == M_UNIX);
    setiomode(same, M_RECORD);
    fclose(fdopen(same, "r+"));
    const int other = open("own.txt", O_RDONLY);
    CHECK(other == same && iomode(other) == M_UNIX);
    CHECK(_cread(other, text, 2) == 2 && text[0] == 'a');
    close(other);
}

static void sizes(void)
{
    struct estat status;
    struct stat usual;
    char name[16];
    sprintf(name, "size%ld", mynode());
    int file = (int)gopen(name, O_RDWR | O_CREAT, M_UNIX, 0644);
    CHECK(lsize(file, 100, SIZE_SET) == 100 && lsize(file, 50, SIZE_SET) == 100);
    CHECK(lsize(file, 28, SIZE_END) == 128 && lseek(file, 28, SEEK_SET) == 28);
    CHECK(lsize(file, 200, SIZE_CUR) == 228);
    CHECK(esize(file, (esize_t){300, 0}, SIZE_SET).slow == 300);
    CHECK(_esize(file, (esize_t){-1, 0x7fffffff}, SIZE_END).slow == -1 && errno == EFBIG);
    CHECK(eseek(file, (esize_t){-1, -1}, SEEK_END).slow == 299 && !iseof(file));
    festat(file, &status);
    CHECK(status.st_size.slow == 300 && status.st_size.shigh == 0);
    estat(name, &status);
    CHECK(stat(name, &usual) == 0 && status.st_size.slow == 300 && status.st_mode == usual.st_mode);
    restrictvol(file, 1, (int[]){0});
    close(file);
}

/* A process of some systems has no such descriptor. */
static void high_descriptors(void)
{
    char text[2];
    const int file = open("own.txt", O_RDONLY), high = fcntl(file, F_DUPFD, 256);
    if (high >= 0) {
        CHECK(iomode(high) == M_UNIX && _setiomode(high, M_UNIX) == 0);
        CHECK(_setiomode(high, M_RECORD) == -1 && errno == EMFILE);
        CHECK(_cread(high, text, 2) == 2 && text[0] == 'a');
        close(high);
    }
    close(file);
}

static void refused_files_are_closed(void)
{
    int refused = 0;
    while (refused < 300 && _gopen("size0", O_RDWR, 99, 0) == -1 && errno == EQPARAM)
        refused++;
    CHECK(refused == 300);
}

static void refusals(void)
{
    char byte;
    struct estat status;
    CHECK(_cread(77, &byte, 1) == -1 && errno == EBADF);
    CHECK(_gopen("no/such/file", O_RDWR, M_UNIX, 0) == -1 && errno == ENOENT);
    int file = open("size0", O_RDONLY);
    CHECK(_cread(file, &byte, -1) == -1 && errno == EQLEN);
    CHECK(_cwrite(file, "x", 1) == -1 && errno == EBADF);
    CHECK(_setiomode(file, 6) == -1 && errno == EQPARAM && _iomode(file) == M_UNIX);
    CHECK(_setiomode(999, M_UNIX) == -1 && errno == EBADF);
    CHECK(_iowait(12345678) == -1 && errno == EQMID && _iodone(0) == -1);
    CHECK(_lsize(file, 1, 9) == -1 && _eseek(file, (esize_t){0, 0}, 9).shigh == -1);
    CHECK(_estat("no such file", &status) == -1 && _festat(77, &status) == -1 && _iseof(77) == -1);
    close(file);
}

int main(void)
{
    own_pointers();
    records();
    in_turn();
    all_the_same();
    one_log();
    modes_end();
    sizes();
    gsync();
    high_descriptors();
    refused_files_are_closed();
    refusals();
    long bad = failures, work;
    gisum(&bad, 1, &work);
    if (mynode() == 0)
        printf("files: %ld failures\n", bad);
    return bad != 0;
}
