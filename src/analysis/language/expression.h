/* Expressions over calls, as `--where` takes them: layer == mpiio and bytes < 4K and duration >
 * 1ms. The language is described in docs/fathom-dump.1.md.
 *
 * A text is parsed once; for a call nothing is allocated. What is not known of a call (its bytes,
 * its file) makes any comparison with it false. An expression may be asked by several threads at
 * once. */
#ifndef FTH_ANALYSIS_EXPRESSION_H
#define FTH_ANALYSIS_EXPRESSION_H

#include "analysis/calls/around.h"
#include "base/error.h"
#include "base/sink.h"

#include <fathom/access.h>

struct fth_expression;

/* NULL: *error gives the column and what was expected there. */
struct fth_expression *fth_expression_parse(const char *text, struct fth_error **error);
void fth_expression_free(struct fth_expression *expression); /* NULL is allowed */
/* In a form that gives the same expression again. */
void fth_expression_print(const struct fth_expression *expression, struct fth_sink *sink);

/* Do functions of this run have the parameters that are named, and are its layers and kinds spelt
 * right? */
int fth_expression_check(const struct fth_expression *expression, const struct fth_trace *trace,
                         struct fth_error **error);

/* What is asked of a call. */
struct fth_subject {
    const struct fth_trace *trace;
    const struct fth_call *call;
    /* What the call is taken from, if that follows accesses, and what is around it; NULL: `offset`,
     * `inside` and their like are not known. */
    struct fth_accesses *accesses;
    const struct fth_around *around;
};
/* Bits: what an expression needs besides the call. */
enum {
    FTH_NEEDS_AROUND = 1,   /* what is around */
    FTH_NEEDS_ACCESSES = 2, /* accesses */
    FTH_NEEDS_HANDLES = 4,  /* calls of fth_calls_with_handles */
    FTH_NEEDS_FILE = 8,     /* the call's file */
};
unsigned fth_expression_needs(const struct fth_expression *expression);
bool fth_expression_holds(const struct fth_expression *expression,
                          const struct fth_subject *subject);
/* Does it hold for all calls of a site (model/calls/again.h), or for none of them? */
bool fth_expression_is_of_sites(const struct fth_expression *expression);
/* Calls of which not all is known. */
struct fth_known_of_calls {
    const struct fth_trace *trace;
    size_t proc;
    const struct fth_function *function; /* NULL: not known */
    bool has_file;                       /* `file` is known */
    const char *file;                    /* a path; NULL: they are about none */
};
/* Can it hold for any of them? */
bool fth_expression_may_hold(const struct fth_expression *expression,
                             const struct fth_known_of_calls *known);

/* What can be asked for, in the order of the manual page; NULL behind the last one. */
const char *fth_expression_field(size_t index);

#endif
