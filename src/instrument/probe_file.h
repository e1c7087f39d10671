/* Probe location files: which probe goes where in the sources of an I/O stack. The format is that
 * of Kim's IOPro (2014), an entry in brackets for each probe:
 *
 *     [0; MPI; write; Lib/MPI-IO/MPI-rw-probe1; -n 679; adio/common/ad_write_coll.c]
 *     [-1; App; write; Lib/APP/APP-write-probe; -l MPI_File_write(; before]
 *
 * and anchors of ours that survive another version of the sources: -f FUNCTION, -c CALL [in
 * FUNCTION], -p PATTERN [in FUNCTION]. docs/fathom-instrument.1.md describes all of it. */
#ifndef FTH_INSTRUMENT_PROBE_FILE_H
#define FTH_INSTRUMENT_PROBE_FILE_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fth_probe_class {
    FTH_PROBE_COMMON,
    FTH_PROBE_WRITE,
    FTH_PROBE_READ,
    FTH_PROBE_LATENCY,
    FTH_PROBE_CLASSES
};
enum fth_probe_anchor {
    FTH_ANCHOR_LINE,     /* -n 73 */
    FTH_ANCHOR_TEXT,     /* -l MPI_File_write( */
    FTH_ANCHOR_FUNCTION, /* -f main */
    FTH_ANCHOR_CALL,     /* -c send in put */
    FTH_ANCHOR_PATTERN   /* -p for (...; m < ntimes; ...) ... in put */
};
enum fth_probe_placement {
    FTH_PLACE_BEFORE, /* the statement */
    FTH_PLACE_AFTER,
    FTH_PLACE_AROUND, /* the call, expression or statement */
    FTH_PLACE_INSIDE, /* at the beginning of the function or loop */
    FTH_PLACEMENTS
};

enum { FTH_PROBE_MOST_VALUES = 6 };
struct fth_probe_value {
    const char *name, *expression;
};

/* All texts are of the arena. */
struct fth_probe_entry {
    uint32_t line, column; /* where it begins in the file */
    int level;
    const char *layer;
    enum fth_probe_class of_class;
    const char *code; /* path in the probe library */
    enum fth_probe_anchor anchor;
    const char *text; /* of the anchor: what is looked for */
    const char *in;   /* the function that it is in, or NULL: any */
    uint32_t number;  /* of a line; 0: before the first one */
    enum fth_probe_placement placement;
    bool all;                /* every place, not one */
    const char *source;      /* relative to the sources of the layer; NULL: all of them */
    const char *name;        /* as given, or NULL */
    const char *fingerprint; /* what must stand in the line, or NULL */
    struct fth_probe_value values[FTH_PROBE_MOST_VALUES];
    uint32_t value_count;
};

struct fth_probe_list {
    const char *path;
    struct fth_probe_entry *entries;
    size_t count;
    struct fth_arena arena;
};

/* Adds the entries of a text; `path` names it in messages. -1: *error has file, line and column of
 * the mistake, and what is expected there. fth_probe_list_free either way. */
int fth_probe_file_parse(struct fth_probe_list *list, const char *path, const char *text,
                         size_t length, struct fth_error **error);
void fth_probe_list_free(struct fth_probe_list *list);

/* An error about an entry: "FILE:LINE:COLUMN: ...". Returns -1. */
int fth_probe_entry_fail(const struct fth_probe_list *list, const struct fth_probe_entry *entry,
                         struct fth_error **error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
