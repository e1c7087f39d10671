/* Tokens of one file, as a global lock manager keeps them (C. Wang, 2022, 5.4.1, a variant of
 * GPFS): a node has a token for a range of blocks, shared to read or exclusive to write. A
 * request of blocks that the node has costs nothing here (it is local); of blocks that nobody
 * else has conflicting tokens for, a token, which may be larger than the request; of others, a
 * conflict, in which the owner gives up what is in the way. Not thread-safe. */
#ifndef FTH_LOCK_TOKENS_H
#define FTH_LOCK_TOKENS_H

#include "holders/intervals.h"

/* How far a token without a conflict reaches beyond the request. */
enum fth_grant {
    FTH_GRANT_EXACT,      /* not at all */
    FTH_GRANT_EXTEND_END, /* its end as far as nobody else has a token */
    FTH_GRANT_EXTEND,     /* both ends */
};

/* What the owner of a conflicting token gives up. */
enum fth_give {
    FTH_GIVE_SPLIT,  /* from the first byte of the request to the end of its token */
    FTH_GIVE_REVOKE, /* the whole token */
    FTH_GIVE_EXACT,  /* what was requested of it */
};

/* How a request was answered: the three classes of the cost model T = alpha Ts + beta Tl + gamma
 * Tc. */
enum fth_token_answer { FTH_TOKEN_GRANTED, FTH_TOKEN_LOCAL, FTH_TOKEN_CONFLICT };

/* All zero: no tokens. */
struct fth_lock_tokens {
    struct fth_token_node {
        uint32_t node;
        struct fth_intervals held; /* state: an enum fth_token_type */
    } * nodes;
    uint32_t count;
};

enum fth_token_type { FTH_TOKEN_READ = 1, FTH_TOKEN_WRITE };

/* Blocks [begin, end) for `node`, to read or to write; afterwards it has them. A conflict ends as
 * the request that follows it. *granted (may be NULL) is the whole token. */
enum fth_token_answer fth_lock_tokens_request(struct fth_lock_tokens *tokens, uint32_t node,
                                              uint64_t begin, uint64_t end,
                                              enum fth_token_type type, enum fth_grant grant,
                                              enum fth_give give, struct fth_interval *granted);
/* The nodes that would have to give something up for such a request, one after the other: *at is 0
 * at first, *owner the next one. false: there are no more. The tokens stay as they are. */
bool fth_lock_tokens_in_the_way(const struct fth_lock_tokens *tokens, uint32_t node, uint64_t begin,
                                uint64_t end, enum fth_token_type type, uint32_t *at,
                                uint32_t *owner);
/* Has `node` tokens, of any type, for all of [begin, end)? Else *missing is the first part of it
 * without. */
bool fth_lock_tokens_has(const struct fth_lock_tokens *tokens, uint32_t node, uint64_t begin,
                         uint64_t end, struct fth_interval *missing);
/* `node` gives up its tokens for [begin, end). */
void fth_lock_tokens_release(struct fth_lock_tokens *tokens, uint32_t node, uint64_t begin,
                             uint64_t end);
void fth_lock_tokens_free(struct fth_lock_tokens *tokens);

#endif
