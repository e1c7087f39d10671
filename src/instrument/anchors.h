/* Inner header of the instrument room: where in a source the anchor of a probe is. */
#ifndef FTH_INSTRUMENT_ANCHORS_H
#define FTH_INSTRUMENT_ANCHORS_H

#include "instrument/probe_file.h"
#include "instrument/syntax.h"

struct fth_anchor_place {
    uint32_t begin, end; /* code goes before `begin`, or behind `end`; around: before and behind */
    bool around, after;
    /* around an expression, whose value is needed; or in the place of a single statement, which
     * needs braces */
    bool is_expression, needs_braces;
    bool at_level;        /* in a block: declarations may stand here */
    const char *function; /* that it is in, or NULL */
    const char *call;     /* what is called there, or NULL */
};
struct fth_anchor_places {
    struct fth_anchor_place *list;
    size_t count;
};

/* Only lines from `first` to `last` count. -1: *error says that the anchor was not found, what is
 * near, or that it was found several times, where, and what to write. */
int fth_anchors_find(const struct fth_syntax *syntax, const struct fth_probe_list *probes,
                     const struct fth_probe_entry *entry, uint32_t first, uint32_t last,
                     struct fth_anchor_places *places, struct fth_error **error);

#endif
