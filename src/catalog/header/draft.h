/* A draft of a .calls file in the making: draft.c writes the file, draft_rows.c guesses its rows.
 * Inner header. */
#ifndef FTH_CATALOG_HEADER_DRAFT_H
#define FTH_CATALOG_HEADER_DRAFT_H

#include "base/sink.h"
#include "catalog/catalog.h"
#include "catalog/header/header.h"

enum { FTH_MOST_DRAFT_CLASSES = 64, FTH_LONGEST_GUESS = 256 };

struct fth_draft_class {
    const char *word; /* of the type */
    int stars;        /* that the handle itself has */
    char name[64];
    unsigned opened, used, closed; /* functions */
    bool has_path;
};

struct fth_calls_draft {
    const char *header, *folder; /* folder: of which other headers count, too, or NULL */
    struct fth_arena arena;
    struct fth_c_function *functions;
    size_t count;
    struct fth_draft_class classes[FTH_MOST_DRAFT_CLASSES];
    size_t class_count;
    struct fth_catalog catalog; /* to try rows */
    struct fth_sink rows, left_out;
    struct fth_header_counts counts;
    size_t behind_layer; /* place in the text, behind the name of the layer */
    char guesses[FTH_LONGEST_GUESS];
};

/* How functions use the handles of each class. */
void fth_draft_count_handles(struct fth_calls_draft *draft);
/* What is opened and used somewhere is a handle; a structure that is only passed by its address is
 * none. */
bool fth_draft_is_class(const struct fth_draft_class *class);
/* Adds a row for a function, or the reason why there is none. */
void fth_draft_add_row(struct fth_calls_draft *draft, const struct fth_c_function *function);

#endif
