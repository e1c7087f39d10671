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

/* All zero but for `size` and `expected`: none. */
struct fth_indexed {
    size_t size;     /* of an item; set by the owner */
    size_t expected; /* bytes of an item from its begin that most calls need; 0: all of it */
    uint32_t count;  /* of items; their places are 0, 1 ... in order of first appearance */
    uint32_t *first; /* by number: place + 1 */
    uint32_t limit;
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
    return number < indexed->limit ? indexed->first[number] - 1 : UINT32_MAX;
}
static inline uint32_t fth_indexed_next(const struct fth_indexed *indexed, uint32_t place)
{
    return fth_indexed_at(indexed, place)->next - 1;
}
/* Items of this number will be asked for soon: the first of them may come from memory meanwhile. */
void fth_indexed_expect(const struct fth_indexed *indexed, uint32_t number);
void fth_indexed_free(struct fth_indexed *indexed);

#endif
