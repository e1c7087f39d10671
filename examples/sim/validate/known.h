/* What is known to differ from a source: why, and what ours is, so that a change is seen. */
#ifndef FATHOM_VALIDATE_KNOWN_H
#define FATHOM_VALIDATE_KNOWN_H

#include <stdbool.h>

struct known {
    const char *id;
    double ours;
    const char *why;
};

/* NULL: none is known. */
const struct known *known_difference(const char *id);

/* Whether ours still is what it was: numbers of events exactly, times within 10 ns per second. */
bool is_as_known(const struct known *known, double ours);

#endif
