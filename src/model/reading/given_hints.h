/* Calls that give hints to libraries: a key, and its value. */
#ifndef FTH_MODEL_READING_GIVEN_HINTS_H
#define FTH_MODEL_READING_GIVEN_HINTS_H

#include "fathom/trace.h"

#include <stdbool.h>

/* Is the function about an info object, and has two strings, a key and its value? Those are its
 * only strings, in this order. */
bool fth_given_hint_by(const struct fth_function *function);
/* Is it such a function without an info object? Then the hint is none of the program's: the tracer
 * has given it to the file that is opened around the call, as `fathom tune --live` asked for it. */
bool fth_given_hint_by_tuner(const struct fth_function *function);

#endif
