/* SPDX-License-Identifier: MIT */
/* What HARPY is asked for. */
#ifndef PARLEY_HARPY_OPTIONS_H
#define PARLEY_HARPY_OPTIONS_H

enum harpy_written { write_nothing, write_grammar, write_table, write_work };

struct harpy_options {
    long variant, beam, names, utterances, seed, noise, work;
    int units; /* whether each unit of work is timed */
    enum harpy_written written;
    const char *grammar, *table; /* files, or null: synthetic */
    int help;
};

extern const char harpy_help[];

/* Null, or what is wrong; the text lasts until the next call. */
const char *harpy_parse(struct harpy_options *options, int count, char **arguments);

/* The same, for what does not fit together: so many processes, and what was parsed. */
const char *harpy_refuse(const struct harpy_options *options, long processes);

#endif
