/* Whether a file was there, at a time, that a crash could take away. Inner header of the analysis
 * room. */
#ifndef FTH_ANALYSIS_PASSES_FILE_PRESENCE_H
#define FTH_ANALYSIS_PASSES_FILE_PRESENCE_H

#include "analysis/survey/survey.h"
#include "base/intern.h"
#include "base/number_set.h"

/* PERHAPS_MADE: it was opened so that it would have been made. FOUND: it was there at the first
 * look of this process; of all of them, before any changed it. WORTH_KEEPING: it was made safe.
 * What one has just made is at risk anyway. */
enum fth_presence {
    FTH_NOT_SEEN,
    FTH_MISSING,
    FTH_PERHAPS_MADE,
    FTH_MADE_HERE,
    FTH_FOUND,
    FTH_WORTH_KEEPING
};

/* What one process has seen of files; or what all have. All zero but for `times.size`: nothing
 * (fth_presences_open). */
struct fth_presences {
    uint8_t *states; /* enum fth_presence, by number of the file: asked for at every call */
    uint32_t limit;
    struct fth_indexed times;          /* by number of the file: when it came into each state */
    struct fth_number_set new_folders; /* numbers, of one process */
    struct fth_intern folders;         /* paths of new folders, of all processes */
};

void fth_presences_open(struct fth_presences *presences);
void fth_presences_close(struct fth_presences *presences);

/* For the process at the moment. */
enum fth_presence fth_presence_of(const struct fth_presences *presences, uint32_t file);
/* A call, also one that failed. `is_safe`: what it renames was synced to disk. */
void fth_presence_see(struct fth_presences *presences, const struct fth_frame *frame, bool is_safe);
/* The file was synced to disk. */
void fth_presence_keep(struct fth_presences *presences, uint32_t file, int64_t time);

/* Adds what a process has seen; `files`: the number in the run of each of its files. */
void fth_presences_join(struct fth_presences *all, struct fth_presences *more,
                        const struct fth_survey *survey, const uint32_t *files);
/* Of all processes, whichever was the first to see it before `time`. */
enum fth_presence fth_presence_before(struct fth_presences *all, const struct fth_survey *survey,
                                      uint32_t file, int64_t time);

#endif
