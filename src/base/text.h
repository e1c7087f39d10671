/* Questions about texts that are asked for each call. */
#ifndef FTH_BASE_TEXT_H
#define FTH_BASE_TEXT_H

#include <stdbool.h>

/* Mostly the first characters say no: strncmp, and strlen for it, would take longer. */
static inline bool fth_text_begins(const char *text, const char *beginning)
{
    while (*beginning && *text == *beginning) {
        text++;
        beginning++;
    }
    return !*beginning;
}

#endif
