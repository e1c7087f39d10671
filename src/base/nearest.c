/* By the letters that differ. */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 32, FARTHEST = 2 };

/* The fewest letters to insert, drop or change to make one word of the other (Levenshtein 1966). */
static size_t distance_of(const char *one, const char *other)
{
    size_t row[LONGEST], length = strlen(other);
    if (length >= LONGEST || strlen(one) >= LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; one[i]; i++) {
        size_t diagonal = row[0]++;
        for (size_t j = 0; j < length; j++) {
            size_t changed = diagonal + (one[i] != other[j]), dropped = row[j + 1] + 1;
            size_t inserted = row[j] + 1;
            diagonal = row[j + 1];
            row[j + 1] = changed < dropped ? changed : dropped;
            if (inserted < row[j + 1])
                row[j + 1] = inserted;
        }
    }
    return row[length];
}

bool fth_is_nearer(const char *word, const char *known, size_t *least)
{
    size_t distance = distance_of(word, known);
    if (distance > FARTHEST || distance >= *least)
        return false;
    *least = distance;
    return true;
}
