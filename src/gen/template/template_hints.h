/* The hints of a template: where they stand, and their words. A template is a source without I/O;
 * what is not a hint is never looked into. Inner header of the room gen. */
#ifndef FTH_GEN_TEMPLATE_HINTS_H
#define FTH_GEN_TEMPLATE_HINTS_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counted from 1; a column is a byte of its line. */
struct fth_hint_place {
    uint32_t line, column;
};

/* A parameter: its text without blanks around it, or a tuple <a, b> of such. */
struct fth_hint_word {
    struct fth_hint_place place;
    const char *text; /* of a tuple: with its brackets */
    struct fth_hint_word *items;
    uint32_t item_count; /* 0: no tuple */
};

/* operator: word, word, ...; */
struct fth_hint_line {
    struct fth_hint_place place;
    const char *name;
    struct fth_hint_word *words;
    uint32_t word_count;
};

enum fth_hint_kind {
    FTH_HINTS_OPTIONS,
    FTH_HINTS_TYPES,
    FTH_HINTS_DIMENSIONS,
    FTH_HINTS_VARIABLES,
    FTH_HINTS_ATTRIBUTES,
    FTH_HINTS_WRITE,
    FTH_HINTS_READ,
    FTH_HINTS_CLOSE, /* #close, which has no body */
};

/* From #begin_X to #end_X: whole lines, which generated code replaces. */
struct fth_hint_set {
    enum fth_hint_kind kind;
    struct fth_hint_place place;
    size_t begin, end; /* bytes of the template, end behind the last one */
    const char *indent;
    uint32_t depth; /* of braces, or of blocks of Fortran, around it */
    struct fth_hint_line *hints;
    uint32_t hint_count;
};

struct fth_hints {
    const char *path; /* borrowed: how it is named in messages */
    const char *text;
    size_t length;
    bool fortran;
    struct fth_arena arena; /* all of the hints */
    struct fth_hint_set *sets;
    uint32_t set_count;
};

/* Finds the hints of a text, which must stay. -1: *error names the place of the first mistake, and
 * a repair; fth_hints_free either way. */
int fth_hints_parse(struct fth_hints *hints, struct fth_error **error);
void fth_hints_free(struct fth_hints *hints);

/* "dimensions", ... */
const char *fth_hint_kind_name(enum fth_hint_kind kind);
/* Sets *error to "PATH:LINE:COLUMN: ..."; returns -1. */
int fth_hints_fail(const struct fth_hints *hints, struct fth_hint_place place,
                   struct fth_error **error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
