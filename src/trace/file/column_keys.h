/* What the columns of a shape are of, so that processes of different shapes can share columns: its
 * k-th signature of this kind with these strings, and the value of it; a sum; a path; who it was.
 * Two processes that differ in one call have all other columns in common. A process that is like no
 * other has columns in common with itself. */
#ifndef FTH_TRACE_FILE_COLUMN_KEYS_H
#define FTH_TRACE_FILE_COLUMN_KEYS_H

#include "base/intern.h"
#include "catalog/catalog.h"

/* What the numbers in a shape's bytes refer to. */
struct fth_shape_terms {
    const struct fth_catalog *catalog;
    const struct fth_intern *strings, *signatures;
};

/* How the shapes of a group share columns. */
enum fth_sharing {
    FTH_SHARES_NOTHING,
    FTH_SHARES_WITH_ITSELF, /* one process: a column is of all signatures of a kind */
    FTH_SHARES_BY_TURNS,    /* of the k-th of each process */
    FTH_SHARES_BY_SLOTS,    /* of the k-th about the same handle */
    FTH_SHARINGS
};

/* Of shapes that share columns: numbers for keys, from 0 in order of first appearance. */
struct fth_column_keys {
    struct fth_intern items;
    uint32_t count; /* keys */
    struct fth_key_turns {
        uint32_t shape;       /* in which it came last */
        uint32_t first, last; /* blocks + 1: of its first turn, and of the last in this shape */
    } * turns;                /* by item */
    /* A turn of an item has the keys of its columns one after another, but for that of a slot. */
    struct fth_key_block {
        uint32_t first_key, columns, slot;
        uint32_t next; /* + 1: of the next turn */
    } * blocks;
    uint32_t block_count;
    struct fth_intern odd; /* keys of a turn that has other columns elsewhere, */
    uint32_t *odd_keys;    /* and their numbers */
    struct fth_key_form {
        uint32_t item; /* + 1, of a signature that needs no more than its number for it */
        uint32_t names, stands_here, slots; /* bit i: of value i */
        unsigned count;                     /* of values; 0: not read yet, or it has none */
        unsigned name_count;
    } * forms; /* by number of the signature without values */
    uint32_t turn_limit, form_limit, shapes;
};

/* A shape that shares by slots is written with the slots that its signatures are about in it, each
 * behind the strings of the signature, and they stand in no column. */
struct fth_keyed_shape {
    struct fth_bytes bytes; /* with the slots; of a reader, without them; empty: as they were */
    uint32_t *keys;         /* by column; FTH_NO_KEY: it is such a slot */
    int64_t *slots;         /* by column: those; NULL: there are none */
};
#define FTH_NO_KEY UINT32_MAX

/* Goes through a shape of `count` columns: of a writer, who has its row of numbers, or of a reader,
 * whose bytes have the slots in them (`row` NULL). False: they are damaged. */
bool fth_shape_key(struct fth_column_keys *known, enum fth_sharing sharing,
                   const struct fth_shape_terms *terms, const uint8_t *shape, size_t length,
                   uint32_t count, const int64_t *row, struct fth_keyed_shape *keyed);
void fth_keyed_shape_free(struct fth_keyed_shape *keyed);
void fth_column_keys_free(struct fth_column_keys *known);

/* The bytes of what processes must have in common to share columns: texts of the process, number of
 * tracks. */
void fth_shape_kin(const uint8_t *shape, size_t length, struct fth_bytes *kin);

#endif
