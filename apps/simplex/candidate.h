/* SPDX-License-Identifier: MIT */
/* What nodes offer when the pivot is chosen. The smallest wins; any order of comparing gives the same
 * winner. */
#ifndef PARLEY_SIMPLEX_CANDIDATE_H
#define PARLEY_SIMPLEX_CANDIDATE_H

struct candidate {
    int is_there;
    int node;   /* whose it is */
    long line;  /* the column or row, by its number in the whole tableau */
    double key; /* reduced cost or ratio: the smallest is the best */
    double tie; /* decides between equal keys */
    long name;  /* of the variable; decides between equals, and by Bland's rule alone */
};

static inline int candidate_is_better(const struct candidate *one, const struct candidate *other)
{
    if (!one->is_there || !other->is_there)
        return one->is_there;
    if (one->key != other->key)
        return one->key < other->key;
    return one->tie != other->tie ? one->tie < other->tie : one->name < other->name;
}

#endif
