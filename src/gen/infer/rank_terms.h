/* Numbers of all ranks as one expression of `rank`. Inner header of the room gen. */
#ifndef FTH_GEN_RANK_TERMS_H
#define FTH_GEN_RANK_TERMS_H

#include <stdbool.h>
#include <stdint.h>

struct fth_gen_rank_term {
    char text[160];
};

/* `fortran`: as Fortran writes it, with mod(); otherwise as C does. */

/* `values`: of each rank. A constant, or places in a grid of ranks at one distance.
 * false: there is no such expression. */
bool fth_gen_rank_term(const int64_t *values, int64_t ranks, bool fortran,
                       struct fth_gen_rank_term *term);
/* Starts and counts of ranks that divide `length` as evenly as can be; starts count from 1 in
 * Fortran, else from 0. false: they do not. */
bool fth_gen_rank_shares(const int64_t *starts, const int64_t *counts, int64_t ranks,
                         int64_t length, bool fortran, struct fth_gen_rank_term *start,
                         struct fth_gen_rank_term *count);

#endif
