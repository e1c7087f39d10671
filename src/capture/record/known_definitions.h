/* What a stream has defined, by what it is: signatures and strings. Inner header of the capture
 * room.
 *
 * A thing is known by 96 bits of a hash, and by nothing else: that two of the 49,000 that are known
 * at a time are taken for one happens once in 10^19 times. What was seen behind it the last time is
 * looked at first: programs go over the same things in the same order, and those that were defined
 * one after the other lie beside each other, while an index of all of them is as good as random. */
#ifndef FTH_CAPTURE_RECORD_KNOWN_DEFINITIONS_H
#define FTH_CAPTURE_RECORD_KNOWN_DEFINITIONS_H

#include "capture/record/runtime.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    FTH_KNOWN_FIRST = 1 << 10, /* places of the index at first, */
    FTH_KNOWN_MOST = 1 << 16,  /* and at most */
    /* what one call may define beyond what a table is to hold: texts and lists; a note, too */
    FTH_KNOWN_SPARE = 2 * FTH_MOST_VALUES + 2,
    FTH_KNOWN_AWAITED = 128, /* what calls may that others wait for, when it is full */
};

struct fth_known_thing {
    uint64_t hash;
    uint32_t more; /* of the hash */
    uint32_t next; /* number of what came behind it */
};

struct fth_known {
    struct fth_known_thing *things; /* by number; the first one is none */
    uint32_t *index;      /* by hash: 16 bits of it, and the number; 0: free; behind the things */
    uint32_t mask;        /* its places - 1 */
    uint32_t count, most; /* that are defined; from here on it is full */
    uint32_t last;        /* that was found or defined, or 0 */
    /* Both, until it grows. */
    struct fth_known_thing first[FTH_KNOWN_FIRST];
};

/* Of memory that is all zero. */
void fth_known_begin(struct fth_known *known);
/* It is full, however few there are; or not any more. */
void fth_known_end_soon(struct fth_known *known, bool is_soon);
/* More places. False: it has as many as it may have, or all tables of this process together. */
bool fth_known_grow(struct fth_known *known);
/* For what is awaited, when it is full. */
bool fth_known_has_room(const struct fth_known *known);
/* Nothing is known any more. */
void fth_known_forget(struct fth_known *known);
/* Gives back what it has grown by. */
void fth_known_end(struct fth_known *known);
/* In a forked child: those of other threads are nobody's. */
void fth_known_in_child(void);

static inline bool fth_known_is(const struct fth_known_thing *thing, XXH128_hash_t hash)
{
    return thing->hash == hash.low64 && thing->more == (uint32_t)hash.high64;
}

static inline uint32_t fth_known_seen(struct fth_known *known, uint32_t number)
{
    known->things[known->last].next = number;
    return known->last = number;
}

static inline uint32_t fth_known_tag(uint64_t hash)
{
    return (uint32_t)(hash >> 48) << 16;
}

/* The place in the index where it is, or can go. */
static inline uint32_t *fth_known_place(const struct fth_known *known, XXH128_hash_t hash)
{
    uint32_t at = (uint32_t)hash.low64 & known->mask, tag = fth_known_tag(hash.low64);
    for (; known->index[at]; at = (at + 1) & known->mask)
        if ((known->index[at] ^ tag) < 1 << 16 &&
            fth_known_is(&known->things[known->index[at] & 0xffff], hash))
            break;
    return &known->index[at];
}

/* Its number; 0: it is new. */
static inline uint32_t fth_known_find(struct fth_known *known, XXH128_hash_t hash)
{
    uint32_t next = known->things[known->last].next;
    if (next && fth_known_is(&known->things[next], hash))
        return known->last = next;
    uint32_t number = *fth_known_place(known, hash) & 0xffff;
    return number ? fth_known_seen(known, number) : 0;
}

/* Its definition is in the stream: the next number. A signal handler may jump out of the middle: it
 * is not in the index before it is what the index says. */
static inline uint32_t fth_known_add(struct fth_known *known, XXH128_hash_t hash)
{
    uint32_t number = known->count + 1;
    known->things[number] =
        (struct fth_known_thing){.hash = hash.low64, .more = (uint32_t)hash.high64};
    atomic_signal_fence(memory_order_release);
    *fth_known_place(known, hash) = fth_known_tag(hash.low64) | number;
    known->count = number;
    return fth_known_seen(known, number);
}

#endif
