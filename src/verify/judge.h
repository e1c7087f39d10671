/* Is there, between two accesses, what a model asks for? Inner header of the verify room. */
#ifndef FTH_VERIFY_JUDGE_H
#define FTH_VERIFY_JUDGE_H

#include "base/arena.h"
#include "verify/carriers.h"
#include "verify/marks.h"

struct fth_judge {
    const struct fth_runs *runs;
    const struct fth_deeds *deeds;
    const struct fth_carriers *carriers;
    const struct fth_consistencies *models;
    size_t process_count;
    uint32_t *first_strand;       /* by process: in `strands`; process_count + 1 of them */
    uint32_t *strands;            /* those of a process, one after the other */
    uint32_t *process_of;         /* by strand */
    struct fth_set_marks **marks; /* by model and set */
    size_t construct_count;       /* of all models */
    size_t *first_construct;      /* by model */
    /* Where the steps of a construct lead to from x, and from where to y, as far as they are of one process: by situation and construct; NULL: not asked for yet. */
    struct fth_reach **forward, **backward;
    struct fth_reach **ends, **begins; /* the same without any steps, by situation */
    const struct fth_clock **known;    /* where it begins, by situation */
    unsigned thread_count;
    struct fth_arena *arenas, *arena; /* one for each thread; that of this one */
};

/* `deeds` with files instead of openings, and everything, must outlive the judge; the order is settled. */
void fth_judge_open(struct fth_judge *judge, const struct fth_runs *runs,
                    const struct fth_deeds *deeds, const struct fth_carriers *carriers,
                    const struct fth_consistencies *models, unsigned threads);
/* The same judge for thread 0, 1 ...: what one of them finds out the others know. It is not closed. */
struct fth_judge fth_judge_of_thread(const struct fth_judge *judge, unsigned thread);
void fth_judge_close(struct fth_judge *judge);

enum fth_precedence { FTH_UNORDERED_PAIR, FTH_FIRST_IS_FIRST, FTH_SECOND_IS_FIRST };

/* Which of two situations happened before the other one. */
enum fth_precedence fth_judge_precedence(struct fth_judge *judge, const struct fth_situation *a,
                                         const struct fth_situation *b);
/* x happened before y, of another process: are they properly synchronized under this model? */
bool fth_judge_synchronized(struct fth_judge *judge, size_t model, const struct fth_situation *x,
                            const struct fth_situation *y);
/* The construct of the model that applies to x and y and lacks the fewest steps, and the index of its first step that nothing in the run is; step_count: its last relation does not hold. NULL:
 * none applies. Only of pairs that are not synchronized. */
const struct fth_construct *fth_judge_missing(struct fth_judge *judge, size_t model,
                                              const struct fth_situation *x,
                                              const struct fth_situation *y, size_t *step);

#endif
