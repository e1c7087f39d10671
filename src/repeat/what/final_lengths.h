/* How long each file of a run is at its end, as far as the calls on it tell: from the sizes that it
 * had when it was opened, where it was cut off, and the ends of what was written. Inner header of
 * the repeat room. */
#ifndef FTH_REPEAT_FINAL_LENGTHS_H
#define FTH_REPEAT_FINAL_LENGTHS_H

#include "base/keyed.h"
#include "fathom/access.h"
#include "repeat/what/file_places.h"

struct fth_final_lengths {
    const struct fth_trace *trace;
    struct fth_keyed *places; /* of struct fth_repeat_place, by path */
    struct fth_keyed files;   /* by number of the place */
    struct fth_keyed nodes;   /* of the place + 1, by device and inode */
    uint32_t *known;          /* of a process: the place + 1, by number of its path */
    uint32_t known_limit;
    uint8_t *effects; /* of functions, by their rows: what they do to lengths */
    uint32_t effect_limit;
};

void fth_final_lengths_open(struct fth_final_lengths *lengths, const struct fth_trace *trace,
                            struct fth_keyed *places);
/* Before the first call of a process. */
void fth_final_lengths_next_process(struct fth_final_lengths *lengths);
/* Each call, from fth_calls_with_handles, in order of entry; all processes one after the other.
 * Calls on files that are no places (yet) say nothing. */
void fth_final_lengths_take(struct fth_final_lengths *lengths, const struct fth_access *access,
                            struct fth_accesses *accesses);
/* Sets `final` of the places, and frees all but these. */
void fth_final_lengths_close(struct fth_final_lengths *lengths);

#endif
