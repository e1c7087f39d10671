/* Which processes and which calls a pass looks at: what the options --proc, --rank, --layer,
 * --func, --file, --from, --to, --min-duration, --min-bytes, --where and --launchers mean. Within
 * one option any of its values will do; all options given must hold. */
#ifndef FTH_ANALYSIS_SELECT_H
#define FTH_ANALYSIS_SELECT_H

#include "analysis/language/expression.h"
#include "base/error.h"

#include <fathom/trace.h>

/* Values of an option that may be given more than once. Zero is an empty list. */
struct fth_integers {
    size_t count;
    struct fth_integer_range {
        int64_t first, last;
    } * items;
};
struct fth_words {
    size_t count;
    const char **items; /* borrowed */
};

struct fth_selection {
    struct fth_integers procs, ranks;
    bool launchers;
    struct fth_words layers;
    struct fth_words functions, files; /* shell patterns (glob(7)) */
    int64_t from, to;                  /* ns: calls that run at any time in between */
    int64_t min_duration;              /* ns */
    uint64_t min_bytes;                /* moved; calls that are not about data have none */
    struct fth_expression *where;      /* or NULL; freed with the selection */
    const char *where_text;            /* that expression as it was given; borrowed */
};

/* Everything but launchers. */
void fth_analysis_selection_init(struct fth_selection *selection);
void fth_analysis_selection_free(struct fth_selection *selection);

/* false: out of memory. */
bool fth_analysis_add_integers(struct fth_integers *list, int64_t first, int64_t last);
bool fth_analysis_add_word(struct fth_words *list, const char *word);

/* Checks that what is named is there: "there is no rank 9; the ranks are 0 to 3". Patterns may
 * match nothing. */
int fth_analysis_check_selection(const struct fth_selection *selection,
                                 const struct fth_trace *trace, struct fth_error **error);

/* Is it what a process became by exec, and the image before that selected, too? Processes are those
 * of which this does not hold. */
bool fth_analysis_goes_on(const struct fth_selection *selection, const struct fth_trace *trace,
                          size_t proc);
/* A process that is named with --proc is selected even when it is a launcher. One none of whose
 * calls --where can be about is not. */
bool fth_analysis_selects_process(const struct fth_selection *selection,
                                  const struct fth_trace *trace, size_t proc);
/* Launchers that nobody asked for, which are not selected: how many, and their calls. */
struct fth_launchers {
    uint64_t processes, calls;
};
struct fth_launchers fth_analysis_launchers(const struct fth_selection *selection,
                                            const struct fth_trace *trace);
/* What is missing of selected processes. All zero: nothing. */
struct fth_incomplete {
    uint64_t kept; /* calls */
    /* there was no room for them, or no right to write: all processes, the earliest, its reason */
    struct fth_missing unkept;
    /* processes of which nothing was kept: they are selected where all are */
    struct fth_missing unrecorded;
    /* of the kept ones: those that are in sums by function and file only */
    struct fth_missing summed;
    uint64_t lost; /* calls, for other reasons: made in signal handlers, left by a jump ... */
    /* Programs that were not recorded, or not to their end, as the trace's list of what was not
     * seen has them: so many sentences, and the first one (the trace's). Where all processes are
     * selected. */
    size_t programs;
    const char *program;
};
struct fth_incomplete fth_analysis_incomplete(const struct fth_selection *selection,
                                              const struct fth_trace *trace);
/* From the first start to the last end of selected processes, ns since the start of the run; both 0
 * if there are none. */
struct fth_selected_span {
    int64_t begin, end;
};
struct fth_selected_span fth_analysis_selected_span(const struct fth_selection *selection,
                                                    const struct fth_trace *trace);
/* Until when its time can be separated: its end (ns since the start of the run), or when calls
 * begin to be missing, or to be in sums only. What it did behind that is not known. Not when it was
 * only watched in some phases, and recorded in others: see fth_analysis_is_watched. */
int64_t fth_analysis_kept_until(const struct fth_process *process);
/* Was it only watched in some phase (`fathom record --select`)? Then what it did between its
 * recorded calls is not known there. */
bool fth_analysis_is_watched(const struct fth_trace *trace, size_t proc);
/* Was any selected process? */
bool fth_analysis_are_watched(const struct fth_selection *selection, const struct fth_trace *trace);
/* Are so many calls missing, maybe, that what is shown is not of the whole run? */
static inline bool fth_analysis_is_stopped(const struct fth_incomplete *incomplete)
{
    return incomplete->unkept.processes || incomplete->unrecorded.processes ||
           incomplete->summed.processes || incomplete->programs;
}
/* Of a handle of a selected process: by --layer and --file. */
bool fth_analysis_selects_handle(const struct fth_selection *selection,
                                 const struct fth_handle *handle);
/* Of a function, and of a path that calls are about: may such calls be selected? */
bool fth_analysis_selects_function(const struct fth_selection *selection,
                                   const struct fth_function *function);
bool fth_analysis_selects_file(const struct fth_selection *selection, const char *path);
/* Of a call of a selected process. */
bool fth_analysis_selects_call(const struct fth_selection *selection,
                               const struct fth_subject *subject);

#endif
