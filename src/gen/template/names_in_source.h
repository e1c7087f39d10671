/* The names in a source of C, C++ or Fortran, without those in comments and quotes, and without
 * members of structures. Inner header of the room gen. */
#ifndef FTH_GEN_NAMES_IN_SOURCE_H
#define FTH_GEN_NAMES_IN_SOURCE_H

#include "base/intern.h"

#include <stdbool.h>
#include <stddef.h>

struct fth_source_names {
    const char *text, *end, *at; /* text: what may be looked back to; `at` moves on */
    bool fortran;
    /* What was found last; of a sign, one byte. */
    const char *name;
    size_t length;
    bool with_signs, is_sign; /* brackets of all kinds and semicolons are found, too */
};

/* false: there is no more. */
bool fth_source_names_next(struct fth_source_names *names);

enum { FTH_SOURCE_MOST_NAME = 512 };
/* What names are compared by: Fortran does not tell capitals from other letters. 0: the name is
 * too long to be compared. */
size_t fth_source_name_key(const char *name, size_t length, bool fortran,
                           char key[static FTH_SOURCE_MOST_NAME]);

/* Adds the keys of all names of a text. */
void fth_source_names_collect(struct fth_intern *found, const char *text, bool fortran);

#endif
