/* Calls one by one: a line each, for people as strace prints them, for programs as JSON. The fast
 * views: a call costs about a microsecond. */
#ifndef FTH_VIEWS_DUMP_CALLS_H
#define FTH_VIEWS_DUMP_CALLS_H

#include "views/output/output.h"

#include <fathom/access.h>
#include <fathom/trace.h>

struct fth_dump {
    struct fth_output *output;
    const struct fth_trace *trace;
    size_t name_width, time_width; /* of columns, for people */
    unsigned time_decimals;
    bool lines;   /* where each call is made, for people */
    bool handles; /* calls have them; set it behind fth_views_dump_open */
    /* of the call that is shown next, if it is known: what it ends, and who gives its ranges */
    const struct fth_access *access;
    struct fth_accesses *accesses;
    bool ranges; /* are shown */
};

void fth_views_dump_open(struct fth_dump *dump, struct fth_output *output,
                         const struct fth_trace *trace);
/* [rank 0] 0.001234  +12.3us  pwrite(fd=3</path/file>, buf, count=8, offset=0) = 8 */
void fth_views_dump_call(struct fth_dump *dump, const struct fth_call *call);
/* Its beginning: whose it is, and when it ran. */
void fth_views_put_who(struct fth_dump *dump, size_t proc, uint32_t thread);
void fth_views_put_when(struct fth_dump *dump, int64_t start, int64_t end);
/* The keys are a contract: docs/fathom-dump.1.md. */
void fth_views_dump_call_json(struct fth_dump *dump, const struct fth_call *call);
/* Its key `args`: {"fd":3,"count":8} */
void fth_views_put_arguments_json(struct fth_sink *sink, const struct fth_call *call);

/* What is known of dump->access: lines below the call, or keys of its object. */
void fth_views_dump_access(struct fth_dump *dump);
void fth_views_dump_access_json(struct fth_dump *dump);

/* An operation that does not block: a line, or an object. */
void fth_views_dump_operation(struct fth_dump *dump, const struct fth_operation *operation);
void fth_views_dump_operation_json(struct fth_dump *dump, const struct fth_operation *operation);
/* "complete", "in flight" ... */
const char *fth_views_operation_end(enum fth_operation_end how);
/* 0.0.12 */
void fth_views_put_call_name(struct fth_sink *sink, size_t proc, const struct fth_call_name *name);

/* Which elements it selects. */
void fth_views_dump_blocks(struct fth_dump *dump); /* dump_blocks.c */
void fth_views_dump_blocks_json(struct fth_dump *dump);
void fth_views_dump_selected(struct fth_dump *dump);
void fth_views_dump_selected_json(struct fth_dump *dump);
/* Its datatypes and view of MPI: dump_datatypes.c */
void fth_views_dump_datatypes_json(struct fth_dump *dump);

#endif
