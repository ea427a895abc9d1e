/* SPDX-License-Identifier: MIT */
#include "result.h"

#include <string.h>

void result_sentence(const struct result *result, const struct network *network,
                     const struct grammar *grammar, char sentence[sentence_room])
{
    long length = 0, before = 0;
    sentence[0] = 0;
    for (long i = 0; result->found && i < result->segments; before = result->states[i++]) {
        const long state = result->states[i];
        if (!network->begins_word[network_arc(network, before, state)])
            continue;
        length += snprintf(sentence + length, (unsigned long)(sentence_room - length), "%s%s",
                           length ? " " : "", grammar->words.all[network->word[state]]);
        if (length >= sentence_room)
            return;
    }
}

int result_equal(const struct result *one, const struct result *other)
{
    return one->found == other->found && one->score == other->score && one->segments == other->segments &&
           !memcmp(one->states, other->states, (unsigned long)one->segments * sizeof one->states[0]);
}

double result_checksum(const struct result *result)
{
    unsigned long sum = (unsigned long)result->score * 1099511628211ul ^ (unsigned long)result->found;
    for (long i = 0; result->found && i < result->segments; i++)
        sum = (sum ^ (unsigned long)result->states[i]) * 1099511628211ul;
    return (double)(sum >> 11);
}
