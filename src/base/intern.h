/* Equal byte strings get one number, from 0 in order of first appearance. */
#ifndef FTH_BASE_INTERN_H
#define FTH_BASE_INTERN_H

#include "base/bytes.h"

struct fth_intern {
    struct fth_bytes store;
    uint64_t *start; /* count + 1 of them: entry i is store[start[i], start[i + 1]) */
    uint32_t count;
    struct fth_intern_place {
        uint32_t entry; /* number + 1; 0: nothing is here */
        uint32_t hash;  /* of the entry: those that differ in it are not looked at */
    } * table;
    uint32_t table_size;
};

uint32_t fth_intern(struct fth_intern *intern, const void *bytes, size_t length);
/* Gives it a number that no search finds: for who knows by other means that it is new. */
uint32_t fth_intern_append(struct fth_intern *intern, const void *bytes, size_t length);
/* Its number, if it has one. */
bool fth_intern_find(const struct fth_intern *intern, const void *bytes, size_t length,
                     uint32_t *number);
/* Does it have one? */
bool fth_interned_before(const struct fth_intern *intern, const void *bytes, size_t length);
static inline const uint8_t *fth_interned(const struct fth_intern *intern, uint32_t number,
                                          size_t *length)
{
    *length = (size_t)(intern->start[number + 1] - intern->start[number]);
    return intern->store.data + intern->start[number];
}
/* Of what comes in turns: which number came behind which one last. All zero: nothing came yet. */
struct fth_intern_trail {
    uint32_t *behind; /* by number: the one that came behind it, plus 1; 0: none did */
    uint32_t limit, last;
};
/* As fth_intern; what came behind the last one before needs no search. One trail for each table. */
uint32_t fth_intern_next(struct fth_intern *intern, struct fth_intern_trail *trail,
                         const void *bytes, size_t length);
void fth_intern_trail_free(struct fth_intern_trail *trail);
void fth_intern_free(struct fth_intern *intern);
/* Nothing is in it; its memory serves again. */
void fth_intern_empty(struct fth_intern *intern);

/* 64 bits of it, the same in every process. */
uint64_t fth_hash_text(const char *text);
#endif
