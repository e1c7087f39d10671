/* The symbols of a block of calls in few bytes: what follows a symbol is expected to be what
 * followed it the last time. They are written as runs of symbols that were as expected, each ended
 * by one that was not: varint length of the run, varint symbol. A run that lasts until the end of
 * the block is not written. So a loop takes a few bytes, however often it goes around, and what has
 * no rule two or three for each call. */
#ifndef FTH_TRACE_COLUMNS_SUCCESSION_H
#define FTH_TRACE_COLUMNS_SUCCESSION_H

#include "base/bytes.h"

enum { FTH_SUCCESSION_SYMBOLS = 1 << 13 };

/* What follows each symbol; all zero at the beginning of a block. */
struct fth_succession {
    uint16_t next[FTH_SUCCESSION_SYMBOLS];
    uint32_t last;
    uint32_t run;   /* writing: of symbols that were as expected; reading: how many of these come */
    uint32_t ended; /* reading: the symbol that ends it */
};

static inline uint16_t *fth_expected_symbol(struct fth_succession *succession)
{
    return &succession->next[succession->last % FTH_SUCCESSION_SYMBOLS];
}

/* Writes a symbol, which is below 2^16, unless it is as expected. Returns the end of what was
 * written. */
static inline uint8_t *fth_succession_put(struct fth_succession *succession, uint8_t *to,
                                          uint32_t symbol)
{
    uint16_t *expected = fth_expected_symbol(succession);
    succession->last = symbol;
    if (*expected == symbol) {
        succession->run++;
        return to;
    }
    *expected = (uint16_t)symbol;
    to = fth_put_varint(fth_put_varint(to, succession->run), symbol);
    succession->run = 0;
    return to;
}

static inline void fth_succession_next_run(struct fth_succession *succession, struct fth_view *from)
{
    bool is_last = from->at == from->end;
    succession->run = is_last ? UINT32_MAX : (uint32_t)fth_view_varint(from);
    succession->ended = is_last ? 0 : (uint32_t)fth_view_varint(from);
}

static inline void fth_succession_open(struct fth_succession *succession, struct fth_view *from)
{
    *succession = (struct fth_succession){0};
    fth_succession_next_run(succession, from);
}

/* Reads the next symbol. What is damaged shows in `from`, or is a symbol that there is not. */
static inline uint32_t fth_succession_get(struct fth_succession *succession, struct fth_view *from)
{
    uint16_t *expected = fth_expected_symbol(succession);
    if (succession->run) {
        succession->run--;
        return succession->last = *expected;
    }
    succession->last = succession->ended;
    *expected = (uint16_t)succession->last;
    fth_succession_next_run(succession, from);
    return succession->last;
}

#endif
