/* Questions about texts that are asked for each call. */
#ifndef FTH_BASE_TEXT_H
#define FTH_BASE_TEXT_H

#include <stdbool.h>
#include <string.h>

/* Mostly the first characters say no: strncmp, and strlen for it, would take longer. */
static inline bool fth_text_begins(const char *text, const char *beginning)
{
    while (*beginning && *text == *beginning) {
        text++;
        beginning++;
    }
    return !*beginning;
}

/* Either may be NULL. */
static inline bool fth_text_same(const char *one, const char *other)
{
    return one && other ? !strcmp(one, other) : one == other;
}

/* Not of a text that is the ending and nothing else: it would be no name. */
static inline bool fth_text_ends(const char *text, const char *ending)
{
    size_t length = strlen(text), behind = strlen(ending);
    return length > behind && !strcmp(text + length - behind, ending);
}

#endif
