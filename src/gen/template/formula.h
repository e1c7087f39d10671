/* Numbers of hints as formulas: `rank * 25`, `nx / 2`. The template's compiler takes them as they
 * are; here they are computed for each process, so that all accesses of a file are known. */
#ifndef FTH_GEN_FORMULA_H
#define FTH_GEN_FORMULA_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What names mean. */
struct fth_formula_scope {
    void *context;
    /* A number that is found each time it is asked for; -1: there is none of this name. */
    int64_t (*find)(void *context, const char *name, size_t length);
    /* false: not known, and *unknown is why: a name. */
    bool (*value)(void *context, int64_t number, int64_t *value, const char **unknown);
};

struct fth_formula;

/* What a text says; NULL: it is none of +, -, *, /, %, mod, min, max, names and numbers. It lives
 * as long as the arena. */
const struct fth_formula *fth_formula_read(struct fth_arena *arena, const char *text,
                                           const struct fth_formula_scope *scope);
/* false: not known, because of a name (*unknown), a division by 0, or a number that is too large.
 */
bool fth_formula_value(const struct fth_formula *formula, const struct fth_formula_scope *scope,
                       int64_t *value, const char **unknown);

#endif
