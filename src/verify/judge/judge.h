/* Is there, between two accesses, what a model asks for? Inner header of the verify room. */
#ifndef FTH_VERIFY_JUDGE_JUDGE_H
#define FTH_VERIFY_JUDGE_JUDGE_H

#include "verify/gather/run_accesses.h"
#include "base/arena.h"
#include "verify/judge/alike.h"
#include "verify/judge/model_marks.h"

/* What has been found out of situations that are alike, as it is asked about again and again; NULL:
 * not asked for yet. */
struct fth_judged {
    const struct fth_vector_clock *known; /* where it begins: that is always there */
    struct fth_reach *end, *begin;
    /* By construct that has steps: where these lead to from x, and from where to y, as far as they
     * are of one process. */
    struct fth_judged_steps {
        struct fth_reach *forward, *backward;
    } reached[];
};

struct fth_judge {
    const struct fth_runs *runs;
    const struct fth_run_accesses *accesses;
    const struct fth_carriers *carriers;
    const struct fth_consistencies *models;
    size_t process_count;
    uint32_t *first_timeline;     /* by process: in `timelines`; process_count + 1 of them */
    uint32_t *timelines;          /* those of a process, one after the other */
    uint32_t *process_of;         /* by timeline; of what exec made of it the first one */
    uint32_t *exec_to;            /* by process: what it became by exec + 1; 0: nothing */
    struct fth_set_marks **marks; /* by model and set */
    size_t construct_count;       /* of all models, those that have steps */
    size_t **construct_numbers;   /* by model and construct: among those */
    struct fth_alike alike;
    char *judged; /* of those that are alike: struct fth_judged */
    size_t judged_size;
    unsigned thread_count;
    struct fth_arena *arenas, *arena; /* one for each thread; that of this one */
};

/* `accesses` with files instead of openings, and everything, must outlive the judge; the order is
 * settled. */
void fth_judge_open(struct fth_judge *judge, const struct fth_runs *runs,
                    const struct fth_run_accesses *accesses, const struct fth_carriers *carriers,
                    const struct fth_consistencies *models, unsigned threads);
/* The same judge for thread 0, 1 ...: what one of them finds out the others know. It is not
 * closed. */
struct fth_judge fth_judge_of_thread(const struct fth_judge *judge, unsigned thread);
void fth_judge_close(struct fth_judge *judge);

/* It will be asked about soon, with one of another process: what was found out of it comes near the
 * processor, first that itself, then what it points to. */
void fth_judge_fetch(const struct fth_judge *judge, const struct fth_situation *situation);
void fth_judge_fetch_reached(const struct fth_judge *judge, const struct fth_situation *situation);

/* Which of two situations happened before the other one. */
enum fth_precedence fth_judge_precedence(struct fth_judge *judge, const struct fth_situation *a,
                                         const struct fth_situation *b);
/* x happened before y, of another process: are they properly synchronized under this model? */
bool fth_judge_synchronized(struct fth_judge *judge, size_t model, const struct fth_situation *x,
                            const struct fth_situation *y);
/* x came before y, of the same process: do they have between them what these file systems want?
 * Also where they want nothing of such a pair. */
bool fth_judge_alone(const struct fth_judge *judge, size_t model, const struct fth_alone *alone,
                     const struct fth_situation *x, const struct fth_situation *y);
/* From which tick on a call of x's thread has that between x and itself; UINT32_MAX: never. It is
 * the same for all y that write or read alike. */
uint32_t fth_judge_alone_from(const struct fth_judge *judge, size_t model,
                              const struct fth_alone *alone, const struct fth_situation *x,
                              const struct fth_situation *y);

/* The construct of the model that applies to x and y and lacks the fewest steps, and the index of
 * its first step that nothing in the run is; step_count: its last relation does not hold. NULL:
 * none applies. Only of pairs that are not synchronized. */
const struct fth_construct *fth_judge_missing(struct fth_judge *judge, size_t model,
                                              const struct fth_situation *x,
                                              const struct fth_situation *y, size_t *step);

/* What x's thread does after x, of the construct's only step that is its process's; and what y's
 * thread did last before y, of the only one that is y's. NULL: it does no such thing, or there is
 * no such step, or several. */
const struct fth_sync_mark *fth_judge_done_by_first(const struct fth_judge *judge, size_t model,
                                                    const struct fth_construct *construct,
                                                    const struct fth_situation *x);
const struct fth_sync_mark *fth_judge_done_by_second(const struct fth_judge *judge, size_t model,
                                                     const struct fth_construct *construct,
                                                     const struct fth_situation *y);

#endif
