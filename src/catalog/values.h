/* Which integers a call leaves in the trace, and in which order: the one agreement between the
 * wrappers that write them and the reader that gives them back. Both derive it from the row. */
#ifndef FTH_CATALOG_VALUES_H
#define FTH_CATALOG_VALUES_H

#include "catalog/catalog.h"

/* What one integer means. "Predicted" ones are kept as the distance to what the cursor of the
 * handle predicts (docs/format.md). */
enum fth_value_part {
    FTH_PART_INTEGER,  /* as it is */
    FTH_PART_SLOT,     /* slot of a handle; FTH_SLOT_UNKNOWN, FTH_SLOT_NONE */
    FTH_PART_NUMBER,   /* after the slot of a new descriptor: its number minus the slot */
    FTH_PART_TEXT,     /* string; 0: null pointer */
    FTH_PART_TEXTS,    /* string with NUL between the texts */
    FTH_PART_LIST,     /* string that holds zigzag varints */
    FTH_PART_NULLS,    /* after a list of handles that may be closed: bits of those that are null */
    FTH_PART_OFFSET,   /* predicted */
    FTH_PART_VIEW,     /* predicted, in the file view */
    FTH_PART_DISTANCE, /* of a seek: predicted when whence is SEEK_SET, else as it is */
    FTH_PART_ELEMENT,  /* after a count of elements: bytes of one element */
    FTH_PART_SOURCE,   /* of a status */
    FTH_PART_TAG,      /* of a status */
    FTH_PART_MOVED,    /* bytes moved minus bytes asked for */
    /* resulting position minus the absolute position asked for, or minus the prediction */
    FTH_PART_POSITION,
};

struct fth_value_plan {
    /* of the row; FTH_RESULT for the result, FTH_ON_STREAM for the stream of `on stdout` */
    int field;
    enum fth_value_part part;
};

enum {
    FTH_RESULT = -1,
    FTH_ON_STREAM = -2,
    FTH_MOST_VALUES = 31,
    FTH_SLOT_UNKNOWN = -1, /* a handle never seen opened, or no handle at all */
    FTH_SLOT_NONE = -2,    /* a null handle */
    /* -3 never leaves the recorder (FTH_EXCLUDED) */
    /* -1 in place of a descriptor: an anonymous map, an open that failed */
    FTH_SLOT_NO_DESCRIPTOR = -4,
};

/* A result that reports a failure is kept as FTH_FAILED + errno, whatever its part. */
#define FTH_FAILED (INT64_MIN + 65536)
/* Libraries that do not say why in errno. */
#define FTH_FAILED_UNREPORTED FTH_FAILED_WITH(-1)
/* Libraries that return a small number of their own, or an errno. */
#define FTH_FAILED_WITH(code) (FTH_FAILED + (uint16_t)(code))
#define FTH_CODE_OF_FAILURE(value) ((int16_t)((value)-FTH_FAILED))
/* What looks like a failure, and is the end of what can be read. */
#define FTH_ENDED FTH_FAILED
#define FTH_IS_FAILURE(value) ((value) >= FTH_FAILED && (value) < FTH_FAILED + 65536)
/* A cursor expects accesses from 0 to here only (docs/format.md). */
#define FTH_IS_PLACE(value) ((uint64_t)(value) >> 62 == 0)
/* In place of the source in the status of an operation on a file; in place of the tag stand the
 * bytes that it moved. Neither is ever so low. */
#define FTH_STATUS_MOVED (-32765)
/* Of each control block in a list of them: slot (for readers the descriptor), offset, bytes,
 * operation. */
#define FTH_AIO_NUMBERS 4
/* A value that the caller did not ask for (a null pointer as out parameter). */
#define FTH_ABSENT (INT64_MIN + 1)

/* Fills `plan` with the values of the row and returns how many; -1 when they are more than
 * FTH_MOST_VALUES. */
int fth_plan_values(const struct fth_catalog *catalog, const struct fth_row *row,
                    struct fth_value_plan plan[FTH_MOST_VALUES]);

/* The value that is the slot of the file that a call is about, and has the cursor: its first handle
 * of a file class that is used or closed, the standard stream, or the descriptor in an aiocb; -1:
 * there is none. What stands behind a path (a property list of H5Fopen, the stream of freopen) is
 * not what the call is about. `handle_class`: its class. */
int fth_plan_handle(const struct fth_catalog *catalog, const struct fth_row *row,
                    const struct fth_value_plan *plan, int count, int *handle_class);
/* Values that can be kept as steps (trace/columns/trails.h), a bit for each: those that count
 * something or say where, and slots, but not the one that says whose trails they are. */
uint32_t fth_plan_steps(const struct fth_catalog *catalog, const struct fth_row *row,
                        const struct fth_value_plan *plan, int count);

/* What a call of a kind does, for wrappers, sums and views. */
bool fth_kind_reads(const char *kind);
bool fth_kind_writes(const char *kind);
bool fth_kind_is_about_files(const char *kind);

/* An array with a length that is known. */
bool fth_field_has_length(const struct fth_field *field);
bool fth_field_is_pointer(const struct fth_field *field);
/* A handle that is a small integer which people and the system know: a descriptor, of the class
 * `fd`. */
bool fth_field_is_descriptor(const struct fth_catalog *catalog, const struct fth_field *field);
/* The first field with this role, or -1. */
int fth_field_with_role(const struct fth_row *row, enum fth_role role);
/* The first field that uses, closes or makes one handle of a `file` class, or -1. */
int fth_field_with_file(const struct fth_catalog *catalog, const struct fth_row *row);
/* What is known of calls inside one of this row: they are inside a call on a file; and the bytes
 * that they move are accounted for by it. */
/* Calls that `fathom record --select` may only watch: what they move, and whether their result says
 * that they failed by any number but 0. */
enum {
    FTH_WATCHED_OTHER = 1,
    FTH_WATCHED_READ = 2,
    FTH_WATCHED_WRITE = 3,
    FTH_WATCHED_MOVES = 3, /* bits of these */
    FTH_WATCHED_CODE = 4,
};

enum { FTH_COVERS_FILES = 1, FTH_COVERS_BYTES = 2 };
/* `layer_is`: what its layer is, FTH_LAYER_... */
unsigned fth_row_covers(const struct fth_catalog *catalog, const struct fth_row *row,
                        unsigned layer_is);
/* Is the call about a handle of a buffered class? Then bytes that it moves are not yet those of the
 * file. */
bool fth_row_is_buffered(const struct fth_catalog *catalog, const struct fth_row *row);

#endif
