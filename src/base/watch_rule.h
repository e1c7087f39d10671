/* Which processes are recorded in full, and which are only watched: `fathom record --select`.
 *
 *     slowest N [of LAYER] per UNIT
 *     UNIT:  phase | N phases | mark NAME | TIME (100ms, 2s, 1min)
 *
 * Words are separated by blanks. A rule becomes a text of plain numbers for the tracer, which reads
 * it without the library of a language. */
#ifndef FTH_BASE_WATCH_RULE_H
#define FTH_BASE_WATCH_RULE_H

#include "base/error.h"

#include <stdint.h>

enum fth_watch_unit {
    FTH_WATCH_PHASES = 1, /* between calls in which all ranks take part */
    FTH_WATCH_MARKS = 2,  /* from one region of this name to the next */
    FTH_WATCH_TIME = 3,   /* of the node's clock */
};

enum {
    FTH_WATCH_LAYER = 32,  /* bytes of a layer's name, with the zero */
    FTH_WATCH_MARK = 128,  /* the same of a region's name */
    FTH_WATCH_MOST = 1024, /* most processes of a node that can be compared */
    FTH_WATCH_TEXT = 256,  /* bytes of a rule for the tracer, with the zero */
};

struct fth_watch_rule {
    uint64_t slowest; /* so many processes of a node, 1 to FTH_WATCH_MOST */
    enum fth_watch_unit unit;
    uint64_t every;              /* so many calls or regions end a phase, or ns; not 0 */
    char layer[FTH_WATCH_LAYER]; /* whose time is compared; "": that of all layers */
    char mark[FTH_WATCH_MARK];   /* of FTH_WATCH_MARKS */
};

/* Returns 0, or -1 and *error, which says what was expected in place of which word. */
int fth_watch_rule_parse(const char *text, struct fth_watch_rule *rule, struct fth_error **error);
/* "SLOWEST UNIT EVERY LAYER MARK", where LAYER is "-" if there is none, and MARK goes to the
 * end. */
void fth_watch_rule_write(const struct fth_watch_rule *rule, char text[FTH_WATCH_TEXT]);

#endif
