/* What the files of `fathom wrap` share. */
#ifndef FTH_CMD_WRAP_WRAP_H
#define FTH_CMD_WRAP_WRAP_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

enum { FTH_MOST_WRAP_FLAGS = 64 };

struct fth_wrap_request {
    const char *input, *output, *source, *compiler; /* as given, or NULL */
    const char *static_library;                     /* of the catalogue, or NULL */
    bool from_header, quiet;
    size_t flag_count;
    struct fth_wrap_flag {
        char letter; /* 'I' or 'D'; of a static library 'l', or 0: its path */
        const char *value;
    } flags[FTH_MOST_WRAP_FLAGS];
};

/* ---- wrap_compile.c: the user's compiler ---- */

/* Makes the plug-in `output` of the source. What the compiler says goes to standard error; 0, or -1
 * and *error. */
int fth_wrap_compile(const struct fth_wrap_request *request, const char *source, const char *output,
                     struct fth_error **error);
/* What the preprocessor makes of the header, to be freed. NULL and *error. */
char *fth_wrap_preprocess(const struct fth_wrap_request *request, const char *header,
                          size_t *length, struct fth_error **error);

/* ---- wrap_draft.c: from a header to rows ---- */

int fth_wrap_draft(const struct fth_wrap_request *request, struct fth_error **error);

/* ---- wrap_static.c: programs with a library inside ---- */

/* Prints the options for the compiler that links the program. */
int fth_wrap_static(const struct fth_wrap_request *request, struct fth_error **error);

#endif
