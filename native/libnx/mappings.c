/* SPDX-License-Identifier: MIT */
#include "native/libnx/mappings.h"

#include <fcntl.h>
#include <unistd.h>

void nx_open_mappings(struct nx_mappings *mappings)
{
    mappings->file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    mappings->at = mappings->count = 0;
}

/* A line's end, too, once the list is at its end. */
static char next_character(struct nx_mappings *mappings)
{
    if (mappings->at == mappings->count) {
        mappings->at = 0;
        mappings->count =
            mappings->file < 0 ? 0 : read(mappings->file, mappings->buffer, sizeof mappings->buffer);
        if (mappings->count <= 0) {
            mappings->count = 0;
            close(mappings->file);
            mappings->file = -1;
            return '\n';
        }
    }
    return mappings->buffer[mappings->at++];
}

static int digit_of(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

/* And the one character behind it, which is answered. */
static char read_number(struct nx_mappings *mappings, unsigned long *number)
{
    char character;
    int digit;
    *number = 0;
    while ((digit = digit_of(character = next_character(mappings))) >= 0)
        *number = *number * 16 + (unsigned long)digit;
    return character;
}

/* "start-end rwxp offset device inode    path" */
int nx_next_mapping(struct nx_mappings *mappings, struct nx_mapping *mapping)
{
    unsigned long length = 0;
    char character = read_number(mappings, &mapping->start);
    if (character != '-')
        return 0;
    read_number(mappings, &mapping->end);
    for (int i = 0; i < 4; i++)
        mapping->protection[i] = next_character(mappings);
    mapping->protection[4] = 0;
    next_character(mappings);
    read_number(mappings, &mapping->offset);
    for (int spaces = 0; spaces < 2 && character != '\n';)
        spaces += (character = next_character(mappings)) == ' ';
    while ((character = next_character(mappings)) == ' ')
        ;
    for (; character != '\n'; character = next_character(mappings))
        if (length < sizeof mapping->path - 1)
            mapping->path[length++] = character;
    mapping->path[length] = 0;
    return 1;
}
