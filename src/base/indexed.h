/* Items found by a small number, that of a file for instance, and by what sort of item of that
 * number they are; zeroed when they come for the first time. Unlike with keyed.h nothing is hashed,
 * and items stay where they are. Of one number there should be few. */
#ifndef FTH_BASE_INDEXED_H
#define FTH_BASE_INDEXED_H

#include <stddef.h>
#include <stdint.h>

struct fth_indexed_entry {
    uint32_t number;
    uint32_t next; /* of the same number: place + 1 */
    uint64_t sort;
    uint64_t item[];
};
enum { FTH_INDEXED_LEAST = 16, FTH_INDEXED_CHUNKS = 28 };

/* By number, the place of the first item, + 1; of several tables that are asked for the same
 * numbers side by side, so that all are found in one place of memory. All zero but for `columns`:
 * none. */
struct fth_indexed_firsts {
    uint32_t *places; /* by number and column */
    uint32_t limit;   /* of numbers */
    uint32_t columns;
};

/* All zero but for `size` and `expected`: none. */
struct fth_indexed {
    size_t size; /* of an item; set by the owner */
    /* bytes from the begin of the first item of a number that most calls need; 0: all of it. More:
     * items of a number have come behind one another mostly */
    size_t expected;
    uint32_t count; /* of items; their places are 0, 1 ... in order of first appearance */
    struct fth_indexed_firsts own;
    struct fth_indexed_firsts *shared;   /* with other tables; NULL: it has its own */
    uint32_t column;                     /* in these */
    uint8_t *chunks[FTH_INDEXED_CHUNKS]; /* each twice as long as the one before */
};

static inline size_t fth_indexed_bytes(const struct fth_indexed *indexed)
{
    return sizeof(struct fth_indexed_entry) + ((indexed->size + 7) & ~(size_t)7);
}
/* At a place below `count`. */
static inline struct fth_indexed_entry *fth_indexed_at(const struct fth_indexed *indexed,
                                                       uint32_t place)
{
    uint32_t at = place + FTH_INDEXED_LEAST;
    int chunk = 31 - __builtin_clz(at) - 4;
    size_t inside = at - ((size_t)FTH_INDEXED_LEAST << chunk);
    return (struct fth_indexed_entry *)(void *)(indexed->chunks[chunk] +
                                                inside * fth_indexed_bytes(indexed));
}
static inline void *fth_indexed_item(const struct fth_indexed *indexed, uint32_t place)
{
    return fth_indexed_at(indexed, place)->item;
}
/* From now on, while nothing is in it, it shares these with others that have other columns. They
 * outlive it. */
void fth_indexed_share(struct fth_indexed *indexed, struct fth_indexed_firsts *firsts,
                       uint32_t column);
void fth_indexed_free_firsts(struct fth_indexed_firsts *firsts);
/* NULL: there are no items of so large a number. */
static inline uint32_t *fth_indexed_begin(const struct fth_indexed *indexed, uint32_t number)
{
    const struct fth_indexed_firsts *firsts = indexed->shared;
    if (!firsts)
        return number < indexed->own.limit ? &indexed->own.places[number] : NULL;
    size_t row = (size_t)number * firsts->columns;
    return number < firsts->limit ? &firsts->places[row + indexed->column] : NULL;
}
/* The place of an item that is made if it is not there. */
uint32_t fth_indexed_place(struct fth_indexed *indexed, uint32_t number, uint64_t sort);
static inline void *fth_indexed_get(struct fth_indexed *indexed, uint32_t number, uint64_t sort)
{
    return fth_indexed_item(indexed, fth_indexed_place(indexed, number, sort));
}
/* The same where it is one of the first `most` of its number, or can be made so; else UINT32_MAX,
 * and NULL. */
uint32_t fth_indexed_place_among(struct fth_indexed *indexed, uint32_t number, uint64_t sort,
                                 unsigned most);
void *fth_indexed_among(struct fth_indexed *indexed, uint32_t number, uint64_t sort, unsigned most);
/* Places of items of this number, one after the other; UINT32_MAX: no more. */
static inline uint32_t fth_indexed_first(const struct fth_indexed *indexed, uint32_t number)
{
    const uint32_t *first = fth_indexed_begin(indexed, number);
    return first ? *first - 1 : UINT32_MAX;
}
static inline uint32_t fth_indexed_next(const struct fth_indexed *indexed, uint32_t place)
{
    return fth_indexed_at(indexed, place)->next - 1;
}
/* Items of this number will be asked for soon: the first of them may come from memory meanwhile. */
void fth_indexed_expect(const struct fth_indexed *indexed, uint32_t number);
void fth_indexed_free(struct fth_indexed *indexed);

#endif
