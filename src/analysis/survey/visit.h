/* A process that is being gone through by a survey: its calls become frames (call_frames.c), and
 * frames are given to passes when they are over (visit.c, visit_give.c). Inner header of the
 * analysis room. */
#ifndef FTH_ANALYSIS_VISIT_H
#define FTH_ANALYSIS_VISIT_H

#include "analysis/calls/around.h"
#include "analysis/survey/sites.h"
#include "base/intern.h"

/* Open calls of a thread, the innermost last. Frames stay where they are: inner ones point to
 * them. */
struct fth_visit_stack {
    bool called, is_open;
    bool of_mpi;              /* a call of MPI started it, and none of its calls is work */
    int64_t tid, first, last; /* ns: start of its first call, end of its last one */
    int64_t in_calls;         /* ns that its calls took */
    size_t depth, room;
    struct fth_frame **frames;
    struct fth_visit_place {
        uint32_t site, around; /* FTH_NO_SITE */
        bool is_plain;         /* fth_accesses_is_plain */
    } * places;                /* of these frames */
};

/* A process that is being gone through. */
struct fth_visit {
    const struct fth_survey *survey;
    const struct fth_pass *const *passes;
    size_t pass_count;
    const struct fth_listener *listener;
    void *listening;
    size_t proc;
    void **states;
    /* those of passes that are by file, which share where files begin in them */
    struct fth_indexed **by_file;
    uint32_t by_file_count;
    struct fth_indexed_firsts firsts;
    struct fth_intern paths;
    /* by numbers of files of calls */
    struct fth_visit_file {
        uint64_t block, servers;
        uint32_t path; /* + 1; 0: not asked yet */
    } * files;
    uint32_t file_limit;
    uint32_t expected; /* the one that passes were last given to expect */
    struct fth_visit_stack *threads;
    uint32_t thread_limit;
    /* threads with open frames, or that had some; ns: no innermost frame of these ends before */
    uint32_t *open, open_count;
    int64_t first_end;
    struct fth_survey_sites sites;
    struct fth_around *around; /* for the expression that chooses calls; NULL: all are looked at */
};

/* This call comes next: passes may fetch from memory what they know of its file. */
void fth_visit_expect(struct fth_visit *visit, const struct fth_call *call);
/* A frame, all zero but for `around`, becomes that of this call. */
void fth_visit_fill(struct fth_visit *visit, struct fth_frame *frame,
                    const struct fth_access *access, struct fth_accesses *accesses);
/* The frame of a call that is alike becomes that of this one. */
void fth_visit_fill_again(struct fth_frame *frame, const struct fth_access *access,
                          struct fth_accesses *accesses);

/* Gives passes what the call, that has just begun, starts at once. */
void fth_visit_give_parts(struct fth_visit *visit, const struct fth_frame *frame,
                          const struct fth_call *call);

/* Gives passes calls that take turns, or a turn with those in a row behind it. */
void fth_visit_rounds(struct fth_visit *visit, const struct fth_rounds *rounds);
void fth_visit_row(struct fth_visit *visit, const struct fth_rounds *row, uint32_t first_site);
/* The same of rounds of calls that do not come again by themselves (model/calls/loops.h). */
void fth_visit_opened_again(struct fth_visit *visit, const struct fth_rounds *rounds);

/* ---- what passes are given (visit_give.c) ---- */

bool fth_visit_is_for_each(const struct fth_frame *frame);
void fth_visit_give_each(const struct fth_visit *visit, const struct fth_frame *frame);
void fth_visit_give_call(const struct fth_visit *visit, const struct fth_frame *frame);
/* Calls that were added up, of a site, and of all: they are none from here on. */
void fth_visit_give_sum(const struct fth_visit *visit, struct fth_survey_site *site);
void fth_visit_give_sums(struct fth_visit *visit);
/* A call of this site, or several, which passes are given with others. */
void fth_visit_add_to_sum(struct fth_visit *visit, uint32_t number, const struct fth_frame *frame);

/* Goes through all calls of the process. 0; -1: *error is set. */
int fth_visit_go_through(struct fth_visit *visit, struct fth_error **error);
/* How long the threads that were seen were there (survey.h). */
struct fth_survey_lifetime fth_visit_lifetime(const struct fth_visit *visit,
                                              const struct fth_process *process);
/* Frees what belongs to it. */
void fth_visit_leave(struct fth_visit *visit);

#endif
