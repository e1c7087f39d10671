/* Changes inside of traces. A trace is full of checksums and compressed, which random changes of
 * its bytes never get past: so it is taken apart, changed, and put together again with checksums
 * that are right. */
#ifndef FTH_FUZZ_MUTATE_H
#define FTH_FUZZ_MUTATE_H

#include "base/bytes.h"
#include "trace/record/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MUTATE_MOST_SECTIONS = 64 };

struct mutated_section {
    struct fth_section head;
    struct fth_bytes raw; /* decompressed */
};
struct mutated {
    struct mutated_section sections[MUTATE_MOST_SECTIONS];
    size_t count;
};

/* Changes bytes somehow, and how many there are, up to `most`; returns that. */
typedef size_t mutate_bytes_function(uint8_t *bytes, size_t length, size_t most);
/* What follows depends on the seed alone. */
void mutate_seed(uint64_t seed, mutate_bytes_function *change_bytes);
uint64_t mutate_draw(uint64_t below);

/* False: the bytes cannot be taken apart. To be freed in any case. */
bool mutate_take_apart(const uint8_t *bytes, size_t length, struct mutated *pieces);
void mutate_put_together(struct fth_bytes *to, const struct mutated *pieces);
void mutate_free(struct mutated *pieces);

/* One change somewhere. */
void mutate_somehow(struct mutated *pieces);
/* Texts of the run get characters in them that are commands to terminals. */
void mutate_texts(struct mutated *pieces);
/* Texts of the run get MUTATE_CODE, with what ends comments and strings of C around it. */
#define MUTATE_CODE "XQZ"
void mutate_code(struct mutated *pieces);
/* Each number of the sections, and what looks like one, becomes each of some extremes: so many
 * changes there are, and this is one of them. */
uint64_t mutate_count(const struct mutated *pieces);
void mutate_number(struct mutated *pieces, uint64_t which);
/* The clocks of all processes: what was a run's length in ticks becomes `ns`, so that all times are
 * longer, or shorter. */
void mutate_clocks(struct mutated *pieces, uint64_t ns);

#endif
