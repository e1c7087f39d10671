/* Calls that are in a set of a model, where they can be found. Inner header of the verify room. */
#ifndef FTH_VERIFY_JUDGE_MODEL_MARKS_H
#define FTH_VERIFY_JUDGE_MODEL_MARKS_H

#include "consistency/language.h"
#include "verify/gather/run_accesses.h"

struct fth_mark_place {
    uint64_t of; /* file and timeline */
    uint32_t ended;
};

/* Marks of one set of one model, by file, timeline and tick of their end. */
struct fth_set_marks {
    const struct fth_sync_mark **marks;
    struct fth_mark_place *places; /* of each once more, to be searched in one piece of memory */
    size_t count;
    struct fth_set_marks *inner; /* those that have none of the set and file inside */
};

/* `accesses` with files instead of openings must outlive them. */
struct fth_set_marks fth_set_marks_of(const struct fth_run_accesses *accesses,
                                      const struct fth_consistency_set *set);
void fth_set_marks_free(struct fth_set_marks *set);
/* Place of the first mark that is of (file, timeline) and ends at `tick` or later, or behind all of
 * these. */
size_t fth_set_marks_from(const struct fth_set_marks *set, uint32_t file, uint32_t timeline,
                          uint32_t tick);

/* Whose marks are wanted: those of a file (FTH_NO_OPENING: of none, so of each); for what is done
 * by a handle of MPI none by other handles, which say nothing of it (FTH_NO_OPENING: any do). */
struct fth_marked {
    uint32_t file, handle;
};
/* What may be in an operation that syncs: when it began, and when it was over. */
struct fth_mark_span {
    uint32_t began, ended;
};
/* The first of them in the timeline at this place or behind it, without operations that have not
 * got this in them; the last one in [first, end); NULL: none is. */
const struct fth_sync_mark *fth_set_marks_next(const struct fth_set_marks *set, size_t at,
                                               struct fth_marked of, uint32_t timeline,
                                               struct fth_mark_span span);
const struct fth_sync_mark *fth_set_marks_last(const struct fth_set_marks *set, size_t first,
                                               size_t end, struct fth_marked of);

#endif
