/* Which name a name leads to through links, as links are made, moved and removed. Inner header of
 * the verify room. */
#ifndef FTH_VERIFY_GATHER_LINKS_H
#define FTH_VERIFY_GATHER_LINKS_H

#include "verify/gather/run_accesses.h"

struct fth_links {
    struct fth_run_accesses *accesses;
    /* by name: the name that it was made a link to + 1; 0: none. NULL: there are no links */
    uint32_t *leads_to;
    uint32_t linked; /* names that have a place there */
};

/* Gives numbers to names behind links in `accesses`, whichever links there are at a time; so far
 * there are none. */
void fth_links_open(struct fth_links *links, struct fth_run_accesses *accesses);
/* The name behind all links. */
uint32_t fth_links_follow(const struct fth_links *links, uint32_t name);
/* `to` is a link to `from` now. */
void fth_links_make(struct fth_links *links, uint32_t from, uint32_t to);
/* `to` leads to where `from` does. */
void fth_links_move(struct fth_links *links, uint32_t from, uint32_t to);
void fth_links_exchange(struct fth_links *links, uint32_t one, uint32_t other);
/* The name is no link any more. */
void fth_links_remove(struct fth_links *links, uint32_t name);
void fth_links_close(struct fth_links *links);

#endif
