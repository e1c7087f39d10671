/* Strings as templates and numbers. "out/0012/field.7" is the template "out/#/field.#" and the
 * numbers 12 (of at least 4 digits) and 7; a list of integers is a template that says how many. So
 * names that a program counts through are one name, and so are those that each rank makes from its
 * own number.
 *
 * A number is expected to be what it was the last time in a name with the same component ("field.#"
 * between two slashes) in this thread. What is kept of it is the distance to that. docs/format.md
 * has the rules; the writer and the reader both follow them through this file. */
#ifndef FTH_TRACE_NAMES_NAMES_H
#define FTH_TRACE_NAMES_NAMES_H

#include "base/intern.h"

enum {
    FTH_NAME_NUMBERS = 8,  /* most numbers of a text: the last ones of it */
    FTH_LIST_NUMBERS = 64, /* of a list; longer ones are kept as bytes */
    FTH_NAME_DIGITS = 17,  /* of a number: longer runs of digits are not numbers */
    /* a number is kept as number * 32 + the least digits it is written with */
    FTH_NAME_WIDTHS = 32,
};

/* The first byte of a template. */
enum fth_template_kind {
    FTH_TEMPLATE_NULL,    /* a null pointer: no more bytes */
    FTH_TEMPLATE_BYTES,   /* bytes as they are */
    FTH_TEMPLATE_NUMBERS, /* a text; 1 stands for a number */
    FTH_TEMPLATE_LIST,    /* varint: so many integers */
};
enum { FTH_NUMBER_MARK = 1 };

/* Numbers of one string. */
struct fth_name {
    unsigned count;
    int64_t numbers[FTH_LIST_NUMBERS];
    uint8_t digits
        /* while it is taken apart: how many are written, + 128 with a leading zero */
        [FTH_LIST_NUMBERS];
};

/* Takes a string apart: appends its template to `to`. `list`: zigzag varints. */
void fth_name_split(const uint8_t *bytes, size_t length, bool list, struct fth_bytes *to,
                    struct fth_name *name);

/* A template as a reader or writer uses it. */
struct fth_template {
    const uint8_t *bytes;
    size_t length;
    unsigned count;                    /* numbers */
    uint32_t number;                   /* among those of a process, from 1; 0: it has none */
    uint32_t places[FTH_NAME_NUMBERS]; /* of texts: where the last ones stand */
};
/* False: damaged. `places` gives one number to equal components, for all templates of a process. */
bool fth_template_read(struct fth_template *template, const uint8_t *bytes, size_t length,
                       struct fth_intern *places);

/* The last numbers of a thread, by place. */
struct fth_last_numbers {
    int64_t *numbers;
    size_t count;
};
/* From numbers just taken apart to what is kept of them, and the other way round; `last` moves on.
 * `literal`: what is kept is not a distance. */
void fth_name_pack(struct fth_last_numbers *last, const struct fth_template *template,
                   struct fth_name *name, bool literal);
/* The same where nothing is expected. */
void fth_name_settle(struct fth_name *name, uint8_t kind);
void fth_name_unpack(struct fth_last_numbers *last, const struct fth_template *template,
                     int64_t *numbers, bool literal);

/* For a reader that knows it from elsewhere. */
void fth_last_number_set(struct fth_last_numbers *last, uint32_t place, int64_t number);

/* The string: appended to `to`. */
void fth_name_join(const struct fth_template *template, const int64_t *numbers,
                   struct fth_bytes *to);

#endif
