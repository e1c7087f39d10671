/* What C headers declare, behind the preprocessor: tokens (tokens.c), functions and types
 * (declarations.c), and rows guessed of them (draft.c). Others than these files use
 * fth_header_draft alone. */
#ifndef FTH_CATALOG_HEADER_H
#define FTH_CATALOG_HEADER_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A first `.calls` file of the functions that the header declares, to be freed: rows with guesses,
 * and those that cannot be wrapped as comments. `text`: what the preprocessor makes of it (cc -E).
 * The text may be anything; what is not understood is skipped. */
struct fth_header_counts {
    size_t rows, left_out;
};
char *fth_header_draft(const char *header, const char *text, size_t length,
                       struct fth_header_counts *counts);

/* ---- tokens ---- */

enum fth_c_kind { FTH_C_WORD, FTH_C_NUMBER, FTH_C_OTHER, FTH_C_END };

struct fth_c_token {
    const char *start;
    uint32_t length;
    uint32_t file; /* index into files */
    enum fth_c_kind kind;
};

struct fth_c_tokens {
    struct fth_c_token *list; /* the last one is FTH_C_END */
    size_t count;
    const char **files; /* as the preprocessor names them */
    size_t file_count;
};

/* In the arena, but for the arrays. */
void fth_c_tokenize(const char *text, size_t length, struct fth_arena *arena,
                    struct fth_c_tokens *tokens);
void fth_c_tokens_free(struct fth_c_tokens *tokens);
bool fth_c_is(const struct fth_c_token *token, const char *text);

/* ---- declarations ---- */

enum fth_c_base {
    FTH_C_VOID,
    FTH_C_INTEGER,
    FTH_C_CHARACTER,
    FTH_C_FLOAT,
    FTH_C_RECORD,
    FTH_C_FUNCTION,
    FTH_C_UNKNOWN
};

struct fth_c_type {
    enum fth_c_base base;    /* behind all typedefs */
    int stars;               /* of those and of the declaration: 1 for `char *` */
    int own_stars;           /* of the declaration alone */
    bool is_array, is_const; /* const: what the last star points to */
    const char *word;        /* as it is spelled without const and stars: "kv_store", "struct kv" */
    bool is_typedef;         /* the word is a typedef of the headers */
};

struct fth_c_parameter {
    const char *name; /* never NULL */
    const char *text; /* the whole declaration, as a row has it */
    struct fth_c_type type;
};

enum { FTH_C_MOST_PARAMETERS = 64 };

struct fth_c_function {
    const char *name;
    const char *result; /* "const char *" */
    struct fth_c_type result_type;
    struct fth_c_parameter parameters[FTH_C_MOST_PARAMETERS];
    size_t parameter_count;
    const char *problem; /* why it cannot be wrapped, or NULL */
};

/* Calls `take` for each function that is declared in a file of which `wanted` says so; the function
 * lives as long as the arena, but for its struct. */
void fth_c_declarations(const struct fth_c_tokens *tokens, struct fth_arena *arena,
                        bool (*wanted)(const char *file, void *context),
                        void (*take)(const struct fth_c_function *function, void *context),
                        void *context);

#endif
