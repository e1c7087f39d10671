/* Inner header of the instrument room: what a compiler sees in a source file: its functions,
 * statements and expressions, at their offsets in the file. What a macro has made stands where the
 * macro is called, with its arguments. */
#ifndef FTH_INSTRUMENT_SYNTAX_H
#define FTH_INSTRUMENT_SYNTAX_H

#include "base/arena.h"
#include "base/error.h"
#include "instrument/source_tokens.h"

struct fth_syntax_function {
    const char *name, *qualified; /* put, store::put */
    uint32_t begin, end;
    uint32_t body; /* behind the brace that opens it; 0: a macro has made that */
};

struct fth_syntax_node {
    uint32_t begin, end; /* of a statement with its semicolon */
    bool is_statement, is_in_block, is_block, declares;
    uint32_t body;    /* of a loop, behind the brace that opens its body; 0: none */
    const char *call; /* which function or macro is called; NULL: it is no call */
};

struct fth_syntax {
    const char *path;
    char *text; /* of the file, with a zero behind it */
    size_t length;
    struct fth_source_tokens tokens;
    struct fth_syntax_function *functions;
    size_t function_count;
    struct fth_syntax_node *nodes; /* by begin; of the same begin the longest first */
    size_t node_count;
    struct fth_arena arena;
};

/* Reads the file at `path`, or `text` in its place where it is not NULL, as the compiler does with
 * these arguments. -1: *error is the first thing that does not compile, with its place.
 * fth_syntax_free either way. */
int fth_syntax_read(struct fth_syntax *syntax, const char *path, const char *text,
                    const char *const *arguments, size_t argument_count, struct fth_error **error);
void fth_syntax_free(struct fth_syntax *syntax);

/* The line of an offset, from 1. */
uint32_t fth_syntax_line(const struct fth_syntax *syntax, uint32_t offset);

#endif
