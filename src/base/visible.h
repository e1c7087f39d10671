/* Texts that come from elsewhere (names of files, programs and communicators, what stands in a file
 * that cannot be read), shown so that they cannot send commands to a terminal, turn what follows
 * around or look like another one: control characters, those of C1, those that set the direction of
 * writing and those of no width are escaped (\n, \x1b), and so are bytes that are no UTF-8.
 * Whatever prints such a text does it by this. */
#ifndef FTH_BASE_VISIBLE_H
#define FTH_BASE_VISIBLE_H

#include "base/sink.h"

#include <stdio.h>

/* One character of a text as it is shown. */
struct fth_glyph {
    size_t length;      /* bytes of the text */
    uint32_t character; /* what they stand for */
    char escape;        /* 0: shown as it is; 'x': \xff; else \n and the like */
};
/* `left` is not 0. */
struct fth_glyph fth_glyph_of(const char *text, size_t left);
void fth_glyph_put(struct fth_sink *sink, const char *text, struct fth_glyph glyph);

/* What a valid sequence of so many bytes stands for. */
uint32_t fth_utf8_character(const char *text, size_t length);
/* Is a character one that is shown by its escape only? */
bool fth_is_hidden(uint32_t character);

/* The whole text; and as one of its own, to be freed (NULL: no memory). */
void fth_visible_put(struct fth_sink *sink, const char *text);
char *fth_visible(const char *text);

/* Prints one line; of what is printed only a newline at the end of `format` is not escaped. */
void fth_say(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
