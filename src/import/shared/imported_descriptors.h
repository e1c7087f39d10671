/* The descriptors of imported processes: which file each stands for, what is common to copies of it
 * (its open file description), and what is in the trace of it. */
#ifndef FTH_IMPORT_SHARED_IMPORTED_DESCRIPTORS_H
#define FTH_IMPORT_SHARED_IMPORTED_DESCRIPTORS_H

#include "import/shared/imported_stream.h"

enum { FTH_IMPORTED_DESCRIPTORS = 16384 }; /* higher ones are not followed */

/* What dup and fork have in common. */
struct fth_imported_description {
    uint32_t users;
    bool appends;
    int64_t position; /* -1: not known */
};

struct fth_imported_descriptor {
    struct fth_imported_description *description; /* NULL: there is none of this number */
    char *path, *real; /* real: where it is, if `path` is another way to it; or NULL */
    uint32_t generation;
    int flags; /* of the open; -1: not known */
    bool close_on_exec;
    bool is_shared; /* others may move its position, or it was there before */
    bool is_inherited;
    bool is_reported; /* where it stood: `expected` is where readers take it to be */
    int64_t expected;
};

/* Of a process, or of several with one table (CLONE_FILES). */
struct fth_imported_table {
    uint32_t users, count;
    struct fth_imported_descriptor *list;
};

struct fth_imported_table *fth_imported_table_new(void);
struct fth_imported_table *fth_imported_table_copy(struct fth_imported_table *from);
void fth_imported_table_release(struct fth_imported_table *table);
/* In a new program: those that are closed by exec are gone, the others were there before. */
void fth_imported_table_exec(struct fth_imported_table *table);

/* NULL: it is none, or not followed. */
struct fth_imported_descriptor *fth_imported_descriptor(struct fth_imported_table *table,
                                                        int64_t number);
/* A new one in place of what had the number; NULL: it is not followed. `path` is copied. */
struct fth_imported_descriptor *fth_imported_open(struct fth_imported_table *table, int64_t number,
                                                  const char *path, size_t length, int flags);
struct fth_imported_descriptor *fth_imported_dup(struct fth_imported_table *table, int64_t number,
                                                 int64_t of);
void fth_imported_close(struct fth_imported_table *table, int64_t number);

#endif
