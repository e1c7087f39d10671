/* The descriptors 0 to 2 and the streams on them, which no call makes: what a program leads them to
 * (dup2, freopen), and whether the proxy leads them there, too. */
#ifndef FTH_PROXY_STANDARD_HANDLES_H
#define FTH_PROXY_STANDARD_HANDLES_H

#include "catalog/catalog.h"
#include "repeat/what/file_places.h"

enum { FTH_STANDARD_HANDLES = 3 };

enum fth_standard_state {
    FTH_STANDARD_FOUND, /* as the first process found it */
    FTH_STANDARD_LED,   /* by a repeated call, in the proxy as in the run */
    FTH_STANDARD_LOST,  /* the run leads it elsewhere than the proxy */
};

struct fth_standard_handles {
    const struct fth_repeat_places *places; /* or NULL: streams are not known */
    size_t proc;
    enum fth_standard_state states[FTH_STANDARD_HANDLES];
};

/* A handle that no repeated call of the process has made, in this field of a call: its name in C if
 * it is a standard one that the proxy can use for the call as the run did; or NULL. `copies`: the
 * call makes a copy of it (dup, F_DUPFD). */
const char *fth_standard_name(const struct fth_standard_handles *standard,
                              const struct fth_row *row, const struct fth_field *field,
                              int64_t number, bool copies);
/* Is the handle in this field what the result of the call takes the place of (dup2, freopen)? Which
 * one it is, its result says: of one that nothing had, or that is not known, the field does not. */
bool fth_standard_is_target(const struct fth_row *row, const struct fth_field *field);
/* Does the run lead this stream elsewhere than the proxy? `slot`: below 0: there is none. */
bool fth_standard_is_lost(const struct fth_standard_handles *standard, int64_t slot);
/* Is the call on a standard descriptor or stream as the first process found it? */
bool fth_standard_is_as_found(const struct fth_standard_handles *standard,
                              const struct fth_call *call, const struct fth_row *row);
/* Each outermost call of the process, whether it is repeated, and whether the stream that it closes
 * is one that a repeated call has made: its slot may have been, or become, a standard one's. */
void fth_standard_take(struct fth_standard_handles *standard, const struct fth_call *call,
                       const struct fth_row *row, bool is_repeated, bool is_made_stream);

#endif
