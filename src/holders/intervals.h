/* Which bytes of a file somebody has: intervals that do not overlap, each with its owner and with
 * the place of its bytes in the owner's buffer.
 *
 * One structure serves both sides of the file system (C. Wang, 2022, 5.4.2): a server keeps for
 * each file who published which bytes last, a client keeps for each file what it wrote itself, and
 * what of that is published or flushed. What is put later replaces what it overlaps. Neighbours
 * that go on with one another become one. Not thread-safe. */
#ifndef FTH_INTERVALS_H
#define FTH_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes [begin, end) of a file; begin < end. The byte `begin` is at `place` of the buffer. */
struct fth_interval {
    uint64_t begin, end;
    uint64_t place;
    uint32_t owner;
    uint32_t state; /* bits of whoever keeps the intervals; neighbours with others stay apart */
};

/* All zero: none. A treap (Seidel and Aragon, 1996) in one array: node 0 is no node. */
struct fth_intervals {
    struct fth_interval_node *nodes;
    uint32_t node_count; /* with node 0 */
    uint32_t unused;     /* the first of a list of nodes */
    uint32_t root;
    uint32_t count; /* of intervals */
};

/* The bytes of `interval` are now as it says; those of others in this range are forgotten. */
void fth_intervals_put(struct fth_intervals *intervals, const struct fth_interval *interval);
/* Nobody has the bytes [begin, end) any more. */
void fth_intervals_cut(struct fth_intervals *intervals, uint64_t begin, uint64_t end);
/* The first interval that ends behind `offset`, whole, also where it begins before it. false: there
 * is none. */
bool fth_intervals_find(const struct fth_intervals *intervals, uint64_t offset,
                        struct fth_interval *found);
/* The same, without what lies outside [begin, end); false: nobody has a byte of this range. */
bool fth_intervals_within(const struct fth_intervals *intervals, uint64_t begin, uint64_t end,
                          struct fth_interval *found);
/* The last interval that begins before `offset`, whole. false: there is none. */
bool fth_intervals_before(const struct fth_intervals *intervals, uint64_t offset,
                          struct fth_interval *found);
/* Behind the last byte that somebody has; 0: nobody has one. */
uint64_t fth_intervals_end(const struct fth_intervals *intervals);
void fth_intervals_free(struct fth_intervals *intervals);

#endif
