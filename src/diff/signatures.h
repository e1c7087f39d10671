/* What calls a run makes: its outermost ones on files and of MPI, without those of launchers, of
 * the system's files, and of what depends on who comes first. A signature is what calls have in
 * common: function, file, flags and texts (hints, modes). Of the calls of one signature their
 * number is kept, and one number for all their sizes, which is the same in whatever order these
 * come. Where in the file they access, and ranks and tags of messages, are no part of it. Memory:
 * by signatures, not by calls. */
#ifndef FTH_DIFF_SIGNATURES_H
#define FTH_DIFF_SIGNATURES_H

#include "analysis/survey/survey.h"
#include "base/keyed.h"

struct fth_diff_signature {
    const struct fth_function *function;
    char *path;       /* as in the trace; NULL: the call is about no file */
    char *parameters; /* "flags=577, value=on"; "": none */
    uint64_t calls, sizes;
};

struct fth_diff_signatures {
    const struct fth_trace *trace;
    struct fth_keyed found; /* of struct fth_diff_signature */
};

/* `signatures` is zero but for its trace. */
struct fth_listener fth_diff_listen_for_signatures(struct fth_diff_signatures *signatures);
void fth_diff_signatures_free(struct fth_diff_signatures *signatures);

static inline const struct fth_diff_signature *
fth_diff_signature_at(const struct fth_diff_signatures *signatures, uint32_t number)
{
    return fth_keyed_item(&signatures->found, number);
}

#endif
